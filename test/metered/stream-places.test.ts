/** One network's callers without a key take neither the slots of other networks nor those of keys, with or without accounts. */

import { afterEach, describe, expect, test } from "bun:test";
import { parseExposition, sampleOf } from "#test/metrics/exposition.ts";
import { until } from "#test/support/until.ts";
import { bearer, from, join, json } from "./client.ts";
import { dataDirectory } from "./history.ts";
import { fixedClock, openReplica, type Replica } from "./replica.ts";

const PLACES = 20;
const SETTINGS = {
  STREAM_SUBSCRIBERS: String(PLACES),
  STREAM_KEY_SHARE: "50",
  STREAMS_PER_CALLER: "3",
  STREAMS_PER_NETWORK: "6",
  METRICS_PORT: "0",
};
const dataDir = await dataDirectory();
let replica: Replica;
/** With their answers: one that is no longer held is cut off. */
let open: { readonly stop: AbortController; readonly answer: Response }[] = [];
const openWith = async (settings: Record<string, string> = {}) => {
  replica = await openReplica({ dataDir, clock: fixedClock(), settings: { ...SETTINGS, ...settings } });
};
afterEach(async () => {
  for (const { stop } of open) stop.abort();
  open = [];
  await replica.close();
});

/** Opens a stream, which stays open; its status, and how it is ended. */
async function ask(headers: Record<string, string>) {
  const stop = new AbortController();
  const answer = await fetch(`${replica.url}/v1/stream?symbols=JPY`, { headers, signal: stop.signal });
  if (answer.status === 200) open.push({ stop, answer });
  const body = answer.status === 200 ? null : await json(answer, answer.status);
  return { status: answer.status, body, headers: answer.headers, leave: () => stop.abort() };
}

async function statuses(addresses: readonly string[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const address of addresses) {
    const { status } = await ask(from(address));
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

const numbers = (count: number, of: (nth: number) => string) =>
  Array.from({ length: count }, (_, nth) => of(nth));
/** Each in a /64 of its own, all of one /56. */
const ofOneSite = (count: number) => numbers(count, (nth) => `2001:db8:aa:${(nth & 0xff).toString(16)}::1`);

describe.each(["metered", "open"])("ACCESS=%s", (access) => {
  test.each([
    ["all addresses of one /56", ofOneSite(40), { 200: 6, 429: 34 }],
    ["all addresses of one /24", numbers(30, (nth) => `192.0.2.${nth}`), { 200: 6, 429: 24 }],
    ["addresses of one /64", numbers(10, (nth) => `2001:db8:aa:1:${nth}::1`), { 200: 3, 429: 7 }],
    ["one address of IPv4", numbers(10, () => "192.0.2.1"), { 200: 3, 429: 7 }],
  ])(
    "%s: no more streams than a network, or a caller, may have; others have theirs",
    async (_, addresses, expected) => {
      await openWith({ ACCESS: access });
      expect(await statuses(addresses)).toEqual(expected);
      expect(await statuses(["2001:db8:aa:100::1", "192.0.3.1"])).toEqual({ 200: 2 });
    },
  );

  test("one that leaves makes room for another of its address, its network and all", async () => {
    await openWith({ ACCESS: access });
    const streams = [];
    for (const address of ofOneSite(6)) streams.push(await ask(from(address)));
    const refused = await ask(from("2001:db8:aa:77::1"));
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "30"]);
    expect(refused.body).toMatchObject({ result: "error", code: "rate_limited" });
    expect(refused.body.message).toContain("2001:db8:aa:0::/56");
    streams[2]?.leave();
    await until("there is room", async () => (await ask(from("2001:db8:aa:77::1"))).status === 200);
    expect((await ask(from("2001:db8:aa:78::1"))).status).toBe(429);
  });
});

/** So many streams, each of a network of its own. */
const ofManyNetworks = (count: number) => numbers(count, (nth) => `198.51.${nth}.7`);

test("callers without a key have no more than their share, whichever networks they are from; keys have the rest", async () => {
  await openWith();
  expect(await statuses(ofManyNetworks(PLACES + 5))).toEqual({ 200: PLACES / 2, 503: 15 });
  const refused = await ask(from("203.0.113.1"));
  expect(refused.headers.get("retry-after")).toBe("30");
  expect(refused.body).toMatchObject({ result: "error", code: "service_unavailable" });
  expect(refused.body.message).toContain("API key");
  for (let nth = 0; nth < PLACES / 2; nth++) {
    const { key } = await join(replica.url);
    expect((await ask(bearer(key))).status).toBe(200);
  }
  const { key } = await join(replica.url);
  expect((await ask(bearer(key))).status).toBe(503);
});

test("one key has no more than one address; keys may take every slot, and then leave none for other callers", async () => {
  await openWith();
  const { key } = await join(replica.url);
  for (const status of [200, 200, 200, 429]) expect((await ask(bearer(key))).status).toBe(status);
  for (let nth = 3; nth < PLACES; nth++)
    expect((await ask(bearer((await join(replica.url)).key))).status).toBe(200);
  expect((await ask(from("192.0.2.1"))).status).toBe(503);
});

test("without accounts nothing is reserved: any caller may have every slot", async () => {
  await openWith({ ACCESS: "open" });
  expect(await statuses(ofManyNetworks(PLACES + 3))).toEqual({ 200: PLACES, 503: 3 });
});

test("a share of nothing reserves nothing, and one of everything leaves nothing to callers without a key", async () => {
  await openWith({ STREAM_KEY_SHARE: "0" });
  expect(await statuses(ofManyNetworks(PLACES + 1))).toEqual({ 200: PLACES, 503: 1 });
  await replica.close();
  await openWith({ STREAM_KEY_SHARE: "100" });
  expect(await statuses(ofManyNetworks(2))).toEqual({ 503: 2 });
  expect((await ask(bearer((await join(replica.url)).key))).status).toBe(200);
});

test("the metrics name the bound that refused", async () => {
  await openWith();
  await statuses(ofOneSite(9));
  await statuses(numbers(5, () => "192.0.2.1"));
  await statuses(ofManyNetworks(3));
  const url = /"metrics","url":"(http:\/\/[\w.:]+\/metrics)/.exec(JSON.stringify(replica.emitted))?.[1];
  const families = parseExposition(await (await fetch(url ?? "")).text());
  const refused = (reason: string) => sampleOf(families, "crossrate_stream_refused_total", { reason });
  expect([refused("network"), refused("caller"), refused("keyless"), refused("full")]).toEqual([3, 2, 2, 0]);
});
