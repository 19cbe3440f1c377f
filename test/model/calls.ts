/** Steps of a run that ask for rates: by key, by a key that is none, without a key; each compared with the model, headers and all. */

import { bearer, from, limitsIn } from "#test/metered/client.ts";
import { demand, pick, type RunContext, refused } from "./context.ts";
import { accountStatus, count, HISTORY, isLive, type Key, type Org } from "./model.ts";
import { dayOf, type Figures, type Headers, Windows } from "./windows.ts";
import type { Answer } from "./world.ts";

const DAY = 86_400_000;
const UNKNOWN_KEY = "fxk_0000000000000000000000000000000000000000";

/** Of one address without a key. */
function windowsAt(context: RunContext, address: string): Windows {
  const known = context.strangers.get(address) ?? new Windows();
  context.strangers.set(address, known);
  return known;
}

/** By a key that the model knows, live or not. */
export async function callByKey(
  context: RunContext,
  org: Org | null,
  key: Key,
  cost: number,
): Promise<string> {
  const { now } = context;
  const address = pick(context, context.addresses);
  const who = { ...bearer(key.plaintext), ...from(address) };
  if (org === null || !isLive(key, now)) return await callInVain(context, who, address, cost);
  identified(org, key, now);
  const { tier, status } = accountStatus(org, now);
  const figures: Figures = context.plans[tier];
  const answer = await rates(context, who, cost);
  if (status === "suspended") {
    refused(answer, 403, "forbidden");
    return inVain(context, answer, address);
  }
  if (cost > figures.minute) {
    refused(answer, 400, "invalid_request");
    return "400";
  }
  const refusal = org.windows.refusal(cost, figures, now);
  const before = `${tier} cost ${cost}`;
  if (refusal === null) {
    demand(`${before}: status`, answer.status, 200);
    org.windows.charge(cost, now);
    count(org, now, "served");
  } else {
    refused(answer, 429, refusal.code);
    waits(answer, refusal.until, now);
    count(org, now, "limited");
  }
  const headers = org.windows.headers(cost, figures, now, refusal === null);
  limitsAre(context, answer, headers);
  ownAnswer(answer);
  return `${answer.status}, ${headers.remaining} of ${headers.limit} left`;
}

/** Without a key, or with one that is none: the address counts. */
export async function callByStranger(context: RunContext, address: string, cost: number): Promise<string> {
  const { now } = context;
  const figures = context.plans.anonymous;
  const windows = windowsAt(context, address);
  const answer = await rates(context, from(address), cost);
  if (cost > figures.minute) {
    refused(answer, 400, "invalid_request");
    if (windows.refusal(1, figures, now) === null) windows.charge(1, now);
    return "400";
  }
  const refusal = windows.refusal(cost, figures, now);
  if (refusal === null) {
    demand("stranger: status", answer.status, 200);
    windows.charge(cost, now);
  } else {
    refused(answer, 429, refusal.code);
    waits(answer, refusal.until, now);
  }
  limitsAre(context, answer, windows.headers(cost, figures, now, refusal === null));
  ownAnswer(answer);
  return `${answer.status}`;
}

export async function callByUnknownKey(context: RunContext): Promise<string> {
  const address = pick(context, context.addresses);
  return await callInVain(context, { ...bearer(UNKNOWN_KEY), ...from(address) }, address, 1);
}

/** 401; it costs the address a call, as far as there is one to be had. */
async function callInVain(context: RunContext, who: Record<string, string>, address: string, cost: number) {
  const answer = await rates(context, who, cost);
  refused(answer, 401, "invalid_api_key");
  demand("401 says how", answer.headers.has("www-authenticate"), true);
  return inVain(context, answer, address);
}

function inVain(context: RunContext, answer: Answer, address: string): string {
  const windows = windowsAt(context, address);
  if (windows.refusal(1, context.plans.anonymous, context.now) === null) windows.charge(1, context.now);
  const { limit, remaining } = windows.headers(1, context.plans.anonymous, context.now, true);
  limitsAre(context, answer, { limit, remaining });
  return String(answer.status);
}

/** At the edge of the plan's history, on either side: a day is shown or named as the earliest. Costs a key nothing when refused. */
export async function callForHistory(context: RunContext, org: Org, key: Key): Promise<string> {
  const { now } = context;
  if (!isLive(key, now)) return "no key";
  const { tier, status } = accountStatus(org, now);
  const days = HISTORY[tier];
  if (status === "suspended" || days === null) return "no edge";
  const today = new Date(now);
  const first = days === "year" ? today.setUTCFullYear(today.getUTCFullYear() - 1) : now - (days - 1) * DAY;
  const earliest = dayOf(first);
  const isOutside = context.random() < 0.6;
  const day = isOutside ? dayOf(first - DAY) : earliest;
  const who = { ...bearer(key.plaintext), ...from("203.0.113.1") };
  const answer = await context.world.ask("GET", `/v1/${day}?symbols=USD`, who);
  identified(org, key, now);
  const figures: Figures = context.plans[tier];
  const refusal = org.windows.refusal(1, figures, now);
  if (refusal !== null) {
    refused(answer, 429, refusal.code);
    count(org, now, "limited");
    return "429";
  }
  if (isOutside) {
    refused(answer, 403, "plan_gated");
    const { body } = answer;
    demand(
      "gated",
      [body.tier, body.history_days, body.earliest_allowed],
      [tier, (now - first) / DAY + 1, earliest],
    );
    demand("gated: interval", body.interval, "1d");
    const reaching = tier === "free" ? ["basic", "plus", "pro"] : ["plus", "pro"];
    demand("gated: upgrades", reaching.slice(-1), body.upgrade_plans.slice(-1));
    demand(
      "gated: offers",
      body.upgrade_offers.map(({ plan }: { plan: string }) => plan),
      body.upgrade_plans,
    );
    demand("gated: address", typeof body.upgrade_url, "string");
    return "403";
  }
  if (answer.status === 404) {
    refused(answer, 404, "no_data_for_date");
  } else {
    demand("within the history", answer.status, 200);
    org.windows.charge(1, now);
    count(org, now, "served");
  }
  return `${answer.status}`;
}

/** Refused for what it asks, or for a fault that is ours: gives a key its cost back. */
export async function callRefused(context: RunContext, org: Org, key: Key): Promise<string> {
  const { now } = context;
  const { tier, status } = accountStatus(org, now);
  if (!isLive(key, now) || status === "suspended") return "no key";
  const [path, expected, code, isBeforeLimits] = pick(context, [
    ["/v1/latest?base=XXX", 400, "unsupported_base", true],
    [`/v1/${dayOf(now + 2 * DAY)}`, 404, "no_data_for_date", false],
    ["/v1/rate/usd-mxn-dof", 503, "source_unavailable", false],
    ["/v1/convert/EUR/USD/99999999999999999", 422, "invalid_amount", true],
  ] as const);
  const answer = await context.world.ask("GET", path, { ...bearer(key.plaintext), ...from("203.0.113.1") });
  identified(org, key, now);
  const figures: Figures = context.plans[tier];
  const refusal = org.windows.refusal(1, figures, now);
  if (refusal !== null && !isBeforeLimits) {
    refused(answer, 429, refusal.code);
    count(org, now, "limited");
    return "429";
  }
  refused(answer, expected, code);
  const { limit, remaining } = org.windows.headers(1, figures, now, true);
  limitsAre(context, answer, { limit, remaining });
  return `${expected}`;
}

/** Its first call begins a cell, whatever becomes of the call. */
function identified({ windows, suspended }: Org, key: Key, now: number): void {
  key.usedAt = now;
  if (!suspended) windows.begin(now);
}

/** Until the same instant as Reset, which is a whole second. */
function waits({ headers }: Answer, until: number, now: number): void {
  const reset = Math.ceil(until / 1000);
  demand("Retry-After", headers.get("retry-after"), String(Math.ceil(reset - now / 1000)));
}

/** Without a reset where the call was not one that was let through or refused by a limit. */
function limitsAre(
  { isExact }: RunContext,
  answer: Answer,
  wanted: Omit<Headers, "reset"> & { reset?: number },
): void {
  const found = limitsIn(answer);
  demand("X-RateLimit-*", found !== null, true);
  if (isExact)
    demand(
      "limits",
      { ...found, reset: wanted.reset === undefined ? 0 : found?.reset },
      { reset: 0, ...wanted },
    );
}

async function rates({ world, random }: RunContext, who: Record<string, string>, cost: number) {
  if (cost === 1) {
    const path = random() < 0.5 ? "/v1/latest?symbols=USD" : "/v1/convert/EUR/USD/2";
    return await world.ask("GET", path, who);
  }
  const pairs = Array.from({ length: cost }, (_, nth) => ["USD", nth + 1]);
  return await world.ask("POST", "/v1/convert", who, { from: "EUR", pairs });
}

/** No cache between may give one caller's answer to another. */
function ownAnswer({ headers }: Answer): void {
  const lifetime = headers.get("cache-control") ?? "public";
  demand("Cache-Control is public", lifetime.includes("public"), false);
  if (!lifetime.includes("no-store"))
    demand("Vary", (headers.get("vary") ?? "").includes("Authorization"), true);
}
