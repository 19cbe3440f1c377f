/** Which of two faults a request is refused for: host, route and method, syntax, authentication, limits, plan, data; and what a refusal costs. */

import { beforeEach, expect, test } from "bun:test";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { bearer, from, join, limitsIn, post } from "./client.ts";
import { NOON } from "./history.ts";
import { fixedClock, openReplica } from "./replica.ts";

const clock = fixedClock();
const settings = { ALLOWED_HOSTS: "127.0.0.1" };
const replica = await openReplica({ clock, settings });
const free = await join(replica.url);
// All windows empty again.
beforeEach(() => {
  clock.at += 2 * 3_600_000;
});

const WRONG_KEY = bearer("fxk_wrong");
const STRANGER = from("203.0.113.77");
const OLD = "2020-01-02";
const UNKNOWN_DAY = "2026-04-30";
const elsewhere = { host: "elsewhere.example" };

async function emitted(path: string, init: RequestInit = {}): Promise<string> {
  const answer = await fetch(`${replica.url}${path}`, init);
  const body = await answer.text();
  return answer.ok ? String(answer.status) : `${answer.status} ${JSON.parse(body).code}`;
}

async function used(who: Record<string, string>): Promise<number> {
  const limits = limitsIn(await fetch(`${replica.url}/v1/latest?symbols=USD`, { headers: who }));
  return (limits?.limit ?? 0) - (limits?.remaining ?? 0) - 1;
}

async function exhaust(who: Record<string, string>): Promise<void> {
  for (let nth = 0; nth < 12; nth++)
    expect(await emitted("/v1/latest?symbols=USD", { headers: who })).toBe("200");
}

test("a foreign host comes before everything", async () => {
  for (const path of ["/v1/nothing", "/v1/latest?base=XXX", "/v1/latest"])
    expect(await emitted(path, { headers: { ...elsewhere, ...WRONG_KEY } })).toBe("421 misdirected_request");
});

test("then the route and its method", async () => {
  expect(await emitted("/nothing", { headers: WRONG_KEY })).toBe("404 not_found");
  expect(await emitted("/v1/latest?base=XXX", { method: "DELETE", headers: WRONG_KEY })).toBe(
    "405 method_not_allowed",
  );
});

test("then the syntax", async () => {
  await exhaust(STRANGER);
  for (const who of [WRONG_KEY, STRANGER, bearer(free.key)]) {
    expect(await emitted(`/v1/latest?base=XXX`, { headers: who })).toBe("400 unsupported_base");
    expect(await emitted(`/v1/${OLD}?base=XXX`, { headers: who })).toBe("400 unsupported_base");
    expect(await emitted(`/v1/range?symbols=USD&start_date=${OLD}`, { headers: who })).toBe(
      "400 missing_parameter",
    );
    expect(await emitted("/v1/convert", post({ from: "EUR", pairs: [["USD"]] }, who))).toBe(
      "422 validation_error",
    );
    expect(await emitted("/v1/convert", post({ from: "EUR", pairs: [["XXX", 1]] }, who))).toBe(
      "400 invalid_pair",
    );
  }
});

test("then the key: the limits of callers without a key never replace it", async () => {
  const who = { ...WRONG_KEY, ...STRANGER };
  await exhaust(STRANGER);
  expect(await emitted("/v1/latest", { headers: who })).toBe("401 invalid_api_key");
  expect(await emitted(`/v1/${OLD}`, { headers: who })).toBe("401 invalid_api_key");
  expect(await emitted(`/v1/${UNKNOWN_DAY}`, { headers: who })).toBe("401 invalid_api_key");
  for (const other of ["Basic YTpi", "Bearer", `Bearer ${free.token}`, `Bearer ${free.key} more`])
    expect(await emitted("/v1/latest", { headers: { authorization: other } })).toBe("401 invalid_api_key");
});

test("a key in X-API-Key is refused, the message names the right header, and its sender never counts as a caller without a key", async () => {
  const other = { "x-api-key": free.key };
  for (const path of ["/v1/latest", `/v1/${OLD}`, "/v1/stream?symbols=USD", "/v1/lake/manifest.json"]) {
    const answer = await fetch(`${replica.url}${path}`, { headers: { ...other, ...STRANGER } });
    const body = await answer.json();
    expect([answer.status, body.code]).toEqual([401, "invalid_api_key"]);
    expect(body.message).toContain("Authorization: Bearer");
    expect(body.message).not.toContain(free.key);
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    expect(limitsIn(answer)).not.toBeNull();
  }
  // It counts for the address, as every key that does not work.
  expect(await used(STRANGER)).toBe(4);
  expect(await emitted("/compat/frankfurter/v1/latest", { headers: other })).toStartWith("401");
  expect(await emitted("/v1/convert", post({ from: "EUR", pairs: [["USD", 1]] }, other))).toBe(
    "401 invalid_api_key",
  );
  // After the syntax, and not beside a key that is where it belongs.
  expect(await emitted("/v1/latest?base=XXX", { headers: other })).toBe("400 unsupported_base");
  expect(await emitted("/v1/latest", { headers: { ...other, ...bearer(free.key) } })).toBe("200");
  expect(await emitted(`/compat/oxr/latest.json?app_id=${free.key}`, { headers: other })).toBe("200");
  expect(await emitted("/v1/latest", { headers: { "x-api-key": "" } })).toBe("200");
  expect(await emitted("/health", { headers: other })).toBe("200");
});

test("then the limits, then the plan, then the data", async () => {
  for (const who of [STRANGER, bearer(free.key)]) {
    expect(await emitted(`/v1/${OLD}`, { headers: who })).toBe("403 plan_gated");
    expect(
      await emitted(`/v1/range?symbols=USD&start_date=${OLD}&end_date=1999-01-01`, { headers: who }),
    ).not.toContain("404");
    expect(await emitted(`/v1/${UNKNOWN_DAY}`, { headers: who })).toBe("404 no_data_for_date");
    clock.at += 2 * 3_600_000;
    await exhaust(who);
    expect(await emitted(`/v1/${OLD}`, { headers: who })).toBe("429 rate_limited");
    expect(await emitted(`/v1/${UNKNOWN_DAY}`, { headers: who })).toBe("429 rate_limited");
  }
});

test("a batch above the limit of a minute is a bad request, not an endless 429", async () => {
  const pairs = Array.from({ length: 13 }, () => ["USD", 1]);
  for (const who of [STRANGER, bearer(free.key)])
    expect(await emitted("/v1/convert", post({ from: "EUR", pairs }, who))).toBe("400 invalid_request");
  expect(await used(bearer(free.key))).toBe(0);
});

test("a dated batch costs a call an item, is refused by its oldest day, and costs a key nothing where it is refused", async () => {
  const item = { from: "EUR", to: "USD", amount: 1, date: "2026-04-10" };
  const who = bearer(free.key);
  const ask = (...items: readonly object[]) => emitted("/v1/convert/dated", post({ items }, who));
  expect(await ask(item, item, item)).toBe("200");
  expect(await used(who)).toBe(3);
  expect(await ask(item, { ...item, date: OLD })).toBe("403 plan_gated");
  const gated = post({ items: [item, { ...item, date: OLD }] }, who);
  expect(limitsIn(await fetch(`${replica.url}/v1/convert/dated`, gated))?.remaining).toBe(8);
  expect(await ask(item, { ...item, date: "never" })).toBe("422 validation_error");
  expect(await ask(item, { ...item, date: UNKNOWN_DAY })).toBe("422 validation_error");
  expect(await used(who)).toBe(4);
  expect(await ask(...Array.from({ length: 13 }, () => item))).toBe("400 invalid_request");
});

const REFUSED: readonly (readonly [expected: string, path: string, init?: RequestInit])[] = [
  ["400 unsupported_base", "/v1/latest?base=XXX"],
  ["403 plan_gated", `/v1/${OLD}`],
  ["404 no_data_for_date", `/v1/${UNKNOWN_DAY}`],
  ["422 invalid_amount", "/v1/convert/EUR/USD/99999999999999999"],
  ["400 invalid_request", "/v1/range?symbols=USD&start_date=2026-04-10&end_date=2026-04-01"],
  ["400 invalid_request", "/compat/oxr/historical/2026-13-01.json"],
  // Refusals that only a compatible service has.
  ["422", "/v2/rates?quotes=USD&providers=FRED"],
  ["422", "/compat/frankfurter/v1/latest?amount=x"],
  ["400", "/compat/oxr/convert/x/EUR/USD"],
  ["403", "/compat/frankfurter/v1/2020-01-02"],
  ["405", "/v1/latest", { method: "PUT" }],
];

test("refused requests count once each for a caller without a key, and cost a key nothing, in the very answer; a preflight counts for nobody", async () => {
  for (const [nth, [expected, path, init]] of REFUSED.entries()) {
    const who = from(`203.0.113.${100 + nth}`);
    const left: unknown[] = [path];
    for (const headers of [who, bearer(free.key)]) {
      const answer = await fetch(`${replica.url}${path}`, { ...init, headers });
      await answer.arrayBuffer();
      left.push(answer.status, limitsIn(answer)?.remaining);
    }
    const status = Number(expected.slice(0, 3));
    expect(left).toEqual([path, status, 11, status, 12]);
    expect(`${path} ${await used(who)}`).toBe(`${path} 1`);
  }
  expect(await used(bearer(free.key))).toBe(0);
  const preflight = await fetch(`${replica.url}/v1/latest`, { method: "OPTIONS", headers: STRANGER });
  expect([preflight.status, limitsIn(preflight), await used(STRANGER)]).toEqual([204, null, 0]);
});

test("an answer that is ours to blame for costs no caller anything", async () => {
  // A server that has not collected anything yet.
  const empty = await openReplica({ dataDir: temporaryDirectory(), clock: fixedClock(NOON), settings });
  const member = await join(empty.url);
  for (const headers of [STRANGER, bearer(member.key)]) {
    for (let nth = 0; nth < 30; nth++) {
      for (const path of ["/v1/latest", "/v1/2026-04-13", "/v1/rate/usd-mxn-dof", "/v1/convert/EUR/USD"]) {
        const answer = await fetch(`${empty.url}${path}`, { headers });
        await answer.arrayBuffer();
        expect([answer.status, limitsIn(answer)?.limit]).toEqual([503, 12]);
      }
    }
  }
  const usage = await (await fetch(`${empty.url}/v1/account`, { headers: bearer(member.token) })).json();
  expect(usage.usage.calls_this_month).toBe(0);
});

test.each(["a key", "an address"])(
  "the calls of %s are used up by leaving: else every call would be free",
  async (kind) => {
    const who = kind === "a key" ? bearer(free.key) : {};
    const url = `${replica.url}/v1/range?base=EUR&symbols=USD&start_date=2026-04-09&end_date=2026-04-13&format=csv`;
    // An export that its caller has left when its turn comes.
    const leave = async () => {
      const headers = { host: "127.0.0.1", ...who };
      const request = new Request(url, { headers, signal: AbortSignal.abort() });
      return (await replica.crossrate.app.answer(request)).status;
    };
    const statuses: number[] = [];
    for (let nth = 0; nth < 14; nth++) statuses.push(await leave());
    expect(statuses).toEqual([...Array<number>(12).fill(499), 429, 429]);
  },
);
