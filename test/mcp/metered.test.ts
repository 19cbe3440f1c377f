/** Keys, plans, limits and headers are those of REST: a tool call counts as the REST call that it stands for. */

import { beforeEach, describe, expect, test } from "bun:test";
import { bearer, from, join, limitsIn, post } from "#test/metered/client.ts";
import { fixedClock, openReplica } from "#test/metered/replica.ts";
import { connect } from "./clients.ts";
import { MCP_HEADERS } from "./damage.ts";

const clock = fixedClock();
const replica = await openReplica({ clock });
const member = await join(replica.url);

/** Every test begins with fresh windows of a minute and of an hour. */
beforeEach(() => {
  clock.at += 2 * 3_600_000;
});

const rpc = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params });

const send = (message: unknown, headers: Record<string, string> = {}) =>
  fetch(`${replica.url}/v1/mcp/`, post(message, { ...MCP_HEADERS, ...headers }));

const rateCall = rpc("tools/call", { name: "get_rate", arguments: { base: "EUR", quote: "USD" } });
const batchCall = (pairs: number) =>
  rpc("tools/call", {
    name: "convert_batch",
    arguments: { from: "EUR", pairs: Array.from({ length: pairs }, () => ({ to: "USD", amount: 1 })) },
  });

/** Calls left for the caller, by REST; counts one itself. */
async function left(headers: Record<string, string>): Promise<number> {
  return limitsIn(await fetch(`${replica.url}/v1/currencies`, { headers }))?.remaining ?? Number.NaN;
}

describe("a tool call", () => {
  test("counts as its REST call, for the address that REST would see, and says what is left", async () => {
    const caller = from("203.0.113.10");
    expect(await left(caller)).toBe(11);
    const answer = await send(rateCall, { ...caller, "x-request-id": "my-own-id" });
    expect(limitsIn(answer)).toMatchObject({ limit: 12, remaining: 10 });
    expect(answer.headers.get("x-request-id")).toBe("my-own-id");
    expect(limitsIn(await send(batchCall(4), caller))?.remaining).toBe(6);
    expect(await left(from("203.0.113.11"))).toBe(11);
    expect(await left(caller)).toBe(5);
  });

  test("counts for the organization of the key", async () => {
    const key = bearer(member.key);
    const before = await left(key);
    expect(limitsIn(await send(rateCall, { ...key, ...from("203.0.113.20") }))?.remaining).toBe(before - 1);
    expect(await left(key)).toBe(before - 2);
  });

  test("gives its calls back where REST does: a refused request of a key", async () => {
    const key = bearer(member.key);
    const before = await left(key);
    const wrong = rpc("tools/call", { name: "get_rate", arguments: { base: "EUR", quote: "XYZ" } });
    const body = await (await send(wrong, key)).json();
    expect(body.result.isError).toBe(true);
    expect(await left(key)).toBe(before - 1);
  });
});

test("what calls no REST operation counts as no call", async () => {
  const caller = from("203.0.113.30");
  const before = await left(caller);
  for (const method of ["ping", "tools/list", "resources/list", "prompts/list"])
    expect((await send(rpc(method), caller)).status).toBe(200);
  const search = rpc("tools/call", { name: "search_docs", arguments: { query: "limits" } });
  expect((await send(search, caller)).status).toBe(200);
  expect((await send([rateCall, rateCall], caller)).status).toBe(400);
  const misfit = rpc("tools/call", { name: "get_rate", arguments: {} });
  expect((await send(misfit, caller)).status).toBe(200);
  expect((await fetch(`${replica.url}/v1/mcp/`, { headers: caller })).status).toBe(405);
  expect(await left(caller)).toBe(before - 1);
});

describe("a key that opens nothing", () => {
  test("is refused with 401 at every message, before the protocol", async () => {
    const wrong = { ...bearer(`${member.key.slice(0, -1)}~`), ...from("203.0.113.40") };
    for (const method of ["initialize", "tools/list", "ping", "nonsense"]) {
      const answer = await send(rpc(method), wrong);
      expect(answer.status).toBe(401);
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
      expect(await answer.json()).toMatchObject({ result: "error", code: "invalid_api_key" });
    }
    const other = await send(rpc("ping"), { "x-api-key": member.key, ...from("203.0.113.41") });
    expect(other.status).toBe(401);
  });
  test("counts for its address, so that trying keys is not free", async () => {
    const caller = from("203.0.113.42");
    const before = await left(caller);
    await send(rpc("ping"), { ...caller, authorization: "Bearer fxk_nothing" });
    expect(await left(caller)).toBe(before - 2);
  });
});

describe("a client", () => {
  async function connected(headers: Record<string, string>) {
    const client = await connect("npm 2.x", replica.url, headers);
    await client.tools();
    return client;
  }

  test("a limit is a tool error that says how long to wait", async () => {
    const client = await connected(from("203.0.113.51"));
    const batch = { from: "EUR", pairs: Array.from({ length: 12 }, () => ({ to: "USD", amount: 1 })) };
    expect((await client.call("convert_batch", batch)).isError).toBe(false);
    const { isError, text, content } = await client.call("get_rate", { base: "EUR", quote: "USD" });
    expect(isError).toBe(true);
    expect(content).toMatchObject({ result: "error", code: "rate_limited", status: 429 });
    expect(content.retry_after_seconds).toBeGreaterThan(0);
    expect(text).toContain(`Wait ${content.retry_after_seconds} s before the next call.`);
    clock.at += 1000 * content.retry_after_seconds;
    expect((await client.call("get_rate", { base: "EUR", quote: "USD" })).isError).toBe(false);
  });

  test("a date before the plan's history is a tool error with the plans that reach it", async () => {
    const client = await connected(bearer(member.key));
    const { isError, content } = await client.call("get_historical", { date: "2020-03-02" });
    expect(isError).toBe(true);
    expect(content).toMatchObject({ code: "plan_gated", tier: "free", history_days: 30, status: 403 });
    expect(content.upgrade_plans).toEqual(["plus", "pro"]);
  });

  test("get_usage says what is left, for a key and without one", async () => {
    const keyless = await connected(from("203.0.113.61"));
    const first = await keyless.call("get_usage");
    expect(first.content).toMatchObject({ limited: true, limit: 12, remaining: 11 });
    expect((await keyless.call("get_usage")).content.remaining).toBe(10);
    expect(first.text).toContain("11 of 12 calls are left");
    const client = await connected(bearer(member.key));
    expect((await client.call("get_usage")).content).toMatchObject({ limited: true, limit: 12 });
  });
});

test("the calls of tools are in the account's usage", async () => {
  const url = `${replica.url}/v1/account`;
  const used = async () =>
    (await (await fetch(url, { headers: bearer(member.token) })).json()).usage.calls_this_month;
  const before = await used();
  await send(batchCall(3), bearer(member.key));
  expect(await used()).toBe(before + 3);
});
