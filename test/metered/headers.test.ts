/** X-RateLimit-* on every answer of a data endpoint, of any status, method and encoding; and none where nothing is counted. */

import { describe, expect, test } from "bun:test";
import { batchOf, bearer, from, join, json, limitsIn, post } from "./client.ts";
import { fixedClock, openReplica } from "./replica.ts";

const clock = fixedClock();
const replica = await openReplica({ clock, reach: "history" });
const member = await join(replica.url);
await replica.setTier(member.organizationId, "pro");

let place = 0;
/** An address that has not called yet. */
function stranger(): Record<string, string> {
  place += 1;
  return from(`203.0.113.${place}`);
}

/** Caches between must not give one caller's answer to another, whose plan may show less. */
function isEachTheirOwn(answer: Response): boolean {
  const lifetime = answer.headers.get("cache-control") ?? "public";
  const vary = (answer.headers.get("vary") ?? "").split(/, */);
  if (lifetime.includes("public")) return false;
  return lifetime.includes("no-store") || vary.filter((name) => name === "Authorization").length === 1;
}

async function statusAndLimits(path: string, init: RequestInit = {}) {
  const answer = await fetch(`${replica.url}${path}`, init);
  // A stream has no end.
  await answer.body?.cancel();
  if (limitsIn(answer) !== null) expect(isEachTheirOwn(answer)).toBe(true);
  return [answer.status, limitsIn(answer) !== null] as const;
}

const WINDOW = "symbols=USD,GBP&start_date=2026-04-01&end_date=2026-04-14";
/** A valid request of every kind of data route. */
const ANSWERING = [
  "/v1/latest",
  "/v1/latest/EUR?symbols=USD",
  "/v1/2026-04-13",
  "/v1/2026-04-13/EUR",
  "/v1/latest?format=csv",
  "/v1/2026-04-13/EUR?format=csv",
  "/v1/convert/EUR/USD",
  "/v1/convert/EUR/USD/12.5",
  "/v1/convert/EUR/USD?date=2026-04-13",
  "/v1/rate/eur-usd",
  "/v1/explain/EUR/USD",
  "/v1/explain/EUR/USD?date=2026-04-13",
  "/v1/currencies",
  `/v1/range?${WINDOW}`,
  `/v1/range?${WINDOW}&interval=1w`,
  `/v1/range?${WINDOW}&estimate=1`,
  ...["csv", "parquet", "ndjson", "arrow"].map((format) => `/v1/range?${WINDOW}&format=${format}`),
  "/v1/stream?symbols=USD",
  "/v1/lake/manifest.json",
  "/compat/frankfurter/v1/latest",
  "/compat/frankfurter/v1/2026-04-13",
  "/compat/frankfurter/v1/2026-04-01..2026-04-13",
  "/compat/frankfurter/v2/rates",
  "/compat/oxr/latest.json",
  "/compat/oxr/historical/2026-04-13.json",
  "/compat/oxr/convert/10/EUR/USD",
];

describe("every answer of a data route states the quota status", () => {
  test.each(ANSWERING)("%s: 200 with a key and without, HEAD too", async (path) => {
    const keyed = bearer(member.key);
    expect(await statusAndLimits(path, { headers: keyed })).toEqual([200, true]);
    // Once more, from the body that is ready now.
    expect(await statusAndLimits(path, { headers: keyed })).toEqual([200, true]);
    expect(await statusAndLimits(path, { headers: keyed, method: "HEAD" })).toEqual([200, true]);
    expect(await statusAndLimits(path, { headers: stranger() })).toEqual([200, true]);
    expect(await statusAndLimits(path, { headers: stranger(), method: "HEAD" })).toEqual([200, true]);
    for (const coding of ["gzip", "br", "zstd", "identity"]) {
      const headers = { ...keyed, "accept-encoding": coding };
      expect(await statusAndLimits(path, { headers })).toEqual([200, true]);
    }
  });

  test("304, 206 and 412 as well", async () => {
    const headers = bearer(member.key);
    for (const path of ["/v1/latest", `/v1/range?${WINDOW}&format=csv`, "/v1/lake/manifest.json"]) {
      const first = await fetch(`${replica.url}${path}`, { headers });
      await first.arrayBuffer();
      const known = { ...headers, "if-none-match": first.headers.get("etag") ?? "" };
      expect(await statusAndLimits(path, { headers: known })).toEqual([304, true]);
      expect(await statusAndLimits(path, { headers: known })).toEqual([304, true]);
    }
    const file = `/v1/range?${WINDOW}&format=csv`;
    const answers: [number, Record<string, string>][] = [
      [206, { range: "bytes=0-9" }],
      [416, { range: "bytes=999999-" }],
      [412, { "if-match": '"other"' }],
    ];
    for (const [status, more] of answers)
      expect(await statusAndLimits(file, { headers: { ...headers, ...more } })).toEqual([status, true]);
  });

  // What they cost: order.test.ts, with further ones.
  const REFUSED: readonly (readonly [status: number, path: string, init?: RequestInit])[] = [
    [400, "/v1/2026-13-45"],
    [400, "/v1/convert/EUR/USD/much"],
    [400, "/v1/convert/EUR/XXX"],
    [400, "/v1/range?symbols=USD"],
    [400, "/v1/rate/eurusd"],
    [400, "/v1/stream?symbols=XXX"],
    [404, "/v1/2099-01-01"],
    [404, "/v1/lake/current/daily/source=ecb_daily/year=2030/rates.parquet"],
    [400, "/v1/nothing-of-the-kind"],
    [404, "/v1/keys/nothing-of-the-kind"],
    [400, "/v1/convert/EUR/USD/."],
    [405, "/v1/2026-04-13/EUR", { method: "DELETE" }],
    [405, "/v1/today", { method: "PATCH" }],
    [405, "/v1/convert"],
    [405, "/v1/range", { method: "POST" }],
    [405, "/v1/lake/manifest.json", { method: "PUT" }],
    [400, "/v1/convert", post({ from: "EUR", pairs: [] })],
    [400, "/v1/convert", { method: "POST", headers: { "content-type": "application/json" }, body: "{" }],
    [415, "/v1/convert", { method: "POST", body: "x" }],
    [404, "/compat/frankfurter/v1/2099-01-01"],
  ];
  test.each(REFUSED)("%d %s", async (status, path, init = {}) => {
    const own = new Headers(init.headers);
    const both = [bearer(member.key), stranger()];
    for (const who of both) {
      const headers = { ...Object.fromEntries(own), ...who };
      const [found, has] = await statusAndLimits(path, { ...init, headers });
      // A batch of the wrong shape is 422 where its JSON is right.
      expect([found === 422 && path === "/v1/convert" ? status : found, has]).toEqual([status, true]);
    }
  });

  test.each([
    "/v1/latest",
    "/v1/range",
    "/v1/stream",
    "/v1/convert/EUR/USD",
    "/compat/oxr/latest.json",
    "/compat/frankfurter/v1/latest",
  ])("401 %s: those of the address, to which a wrong key counts", async (path) => {
    const place = stranger();
    const query = path === "/v1/range" ? `?${WINDOW}` : "";
    for (const [nth, key] of [
      `${member.key.slice(0, -1)}?`,
      "fxk_wrong",
      member.key.toUpperCase(),
    ].entries()) {
      const answer = await fetch(`${replica.url}${path}${query}`, { headers: { ...bearer(key), ...place } });
      expect(answer.status).toBe(401);
      expect(limitsIn(answer)).toMatchObject({ limit: 12, remaining: 11 - nth });
    }
  });

  test("403 for a plan's history, and for an account that is suspended", async () => {
    expect(await statusAndLimits("/v1/2020-01-02", { headers: stranger() })).toEqual([403, true]);
    expect(await statusAndLimits("/compat/frankfurter/v1/2020-01-02", { headers: stranger() })).toEqual([
      403,
      true,
    ]);
    const shutOut = await join(replica.url);
    await replica.change(shutOut.organizationId, { status: "suspended" });
    const headers = { ...bearer(shutOut.key), ...stranger() };
    expect(await statusAndLimits("/v1/latest", { headers })).toEqual([403, true]);
  });
});

/** What compatible clients request beside every call. */
const CATALOGUE = [
  ...["/compat/frankfurter/v2", "/v2"].flatMap((prefix) =>
    ["currencies", "currency/USD", "providers", "openapi.json"].map((name) => `${prefix}/${name}`),
  ),
  "/compat/frankfurter/v1/currencies",
  "/compat/oxr/currencies.json",
  "/compat/oxr/api/currencies.json",
];

test.each(["/health", "/status", "/openapi.json", "/", "/v1/lake/views.sql", "/v1/auth/me", ...CATALOGUE])(
  "%s is not counted and has no limit headers",
  async (path) => {
    // A source that this history has not is waited for no longer.
    clock.at += 61_000;
    const headers = stranger();
    const statuses = new Set<number>();
    for (let nth = 0; nth < 30; nth++) {
      const [status, has] = await statusAndLimits(path, { headers });
      expect(has).toBe(false);
      statuses.add(status);
    }
    if (path !== "/v1/auth/me") expect([...statuses]).toEqual([200]);
    const rates = await fetch(`${replica.url}/compat/oxr/latest.json`, { headers });
    await rates.arrayBuffer();
    expect(limitsIn(rates)?.remaining).toBe(11);
  },
);

test("catalogs are still there when the minute is used up, with a key and with one that opens nothing", async () => {
  const headers = stranger();
  for (let nth = 0; nth < 13; nth++) await statusAndLimits("/v2/rates?quotes=USD", { headers });
  expect(await statusAndLimits("/v2/rates", { headers })).toEqual([429, true]);
  for (const who of [headers, bearer(member.key), bearer("fxk_none")])
    expect(await statusAndLimits("/compat/oxr/currencies.json", { headers: who })).toEqual([200, false]);
  expect(await statusAndLimits("/compat/oxr/currencies.json?app_id=fxk_none")).toEqual([200, false]);
  // A refusal has the other service's message, and costs nothing either.
  for (let nth = 0; nth < 20; nth++)
    expect(await statusAndLimits("/v2/currency/XXX", { headers })).toEqual([404, false]);
});

test("usage.json of the compatible routes says what the account says: the plan's quota and the calls of the month", async () => {
  const usage = async (headers: Record<string, string>) => {
    const { data } = await json(await fetch(`${replica.url}/compat/oxr/usage.json`, { headers }));
    const { requests, requests_quota, requests_remaining, daily_average } = data.usage;
    return [data.plan.quota, requests, requests_quota, requests_remaining, daily_average];
  };
  const { key, token } = await join(replica.url);
  await json(await fetch(`${replica.url}/v1/convert`, batchOf(2, bearer(key))));
  await usage(bearer(key));
  const account = await json(await fetch(`${replica.url}/v1/account`, { headers: bearer(token) }));
  expect(account.usage).toMatchObject({ calls_this_month: 3, limit: 10_000 });
  expect(await usage(bearer(key))).toEqual(["10,000 requests / month", 3, 10_000, 9_997, 0]);
  expect(await usage(stranger())).toEqual(["100 requests / hour", -1, -1, -1, -1]);
});

test("seven days after a payment went missing the next call has the limits of the free plan, and the account says so too", async () => {
  const { key, token, organizationId } = await join(replica.url);
  const ends = clock.at + 1000;
  const pastDueSince = ends - 7 * 86_400_000;
  await replica.change(organizationId, { tier: "basic", status: "past_due", pastDueSince });
  const now = async () => {
    const called = await fetch(`${replica.url}/v1/latest?symbols=USD`, { headers: bearer(key) });
    const account = await fetch(`${replica.url}/v1/account`, { headers: bearer(token) });
    return [limitsIn(called)?.limit, (await account.json()).org.tier];
  };
  // Though keys are cached for seconds: to the millisecond.
  clock.at = ends - 1;
  expect(await now()).toEqual([120, "basic"]);
  clock.at = ends;
  expect(await now()).toEqual([12, "free"]);
});
