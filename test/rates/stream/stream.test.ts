/** How the stream deals with an outlet: shared bytes, waiting, catching up, disconnecting. */

import { describe, expect, test } from "bun:test";
import { type CurrencyIndex, currencyCode, currencyIndex, USD } from "#domain/currency/currency.ts";
import { type Frames, type Outlet, openStream, type StreamEvent } from "#rates/stream/stream.ts";
import { openStreamFixture } from "#test/api/stream/streaming.ts";

/** Describes a written message as text, so that no test needs to parse it. */
function newFixture() {
  const fixture = openStreamFixture();
  const written = new Map<Uint8Array, string>();
  const frame = (text: string) => {
    const bytes = new TextEncoder().encode(text);
    written.set(bytes, text);
    return bytes;
  };
  let lastId = "";
  const frames: Frames = {
    event: (event: StreamEvent) => {
      lastId = event.id;
      const codes = "rates" in event ? event.rates.rates.map(({ to }) => currencyCode(to)) : [];
      return frame(`${event.name} ${codes}`);
    },
    heartbeat: () => frame("heartbeat"),
  };
  const ticks = new Set<() => void>();
  const stream = openStream({
    ...fixture.deps,
    hotBook: fixture.hotBook,
    frames,
    streamSubscribers: 10,
    every: (_, run) => {
      ticks.add(run);
      return () => void ticks.delete(run);
    },
  });
  const connect = (lastEventId: string | null = null, symbols: readonly CurrencyIndex[] | null = null) => {
    const chunks: Uint8Array[] = [];
    const outlet = { isReady: true, ended: false };
    const taking: Outlet = {
      ready: () => outlet.isReady,
      write: (bytes) => void chunks.push(bytes),
      admit: () => {},
      end: () => {
        outlet.ended = true;
      },
    };
    const query = { base: USD, symbols, dp: null };
    const subscription = stream.subscribe(query, lastEventId, taking);
    return { outlet, chunks, subscription, sent: () => chunks.map((bytes) => written.get(bytes)).slice(1) };
  };
  const pass = (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      fixture.setNow(fixture.now() + 1000);
      for (const run of [...ticks]) run();
    }
  };
  return { ...fixture, stream, connect, pass, lastId: () => lastId };
}

describe("an outlet", () => {
  test("is given the same bytes as the others of its query", async () => {
    const { connect, publish } = newFixture();
    const [one, other] = [connect(), connect()];
    await publish({ CHF: "0.7990" });
    expect(one.sent()).toEqual(["rates CHF"]);
    expect(other.chunks[1]).toBe(one.chunks[1] as Uint8Array);
  });
  test("is given the base, where that is among its symbols, with every change", async () => {
    const { connect, publish } = newFixture();
    const reader = connect(null, [USD, currencyIndex("CHF"), currencyIndex("JPY")]);
    await publish({ CHF: "0.7990" });
    expect(reader.sent()).toEqual(["rates USD,CHF"]);
  });
  test("that is ready again before it reports it gets all it missed with the next change", async () => {
    const { connect, publish, setNow, now } = newFixture();
    const reader = connect();
    reader.outlet.isReady = false;
    await publish({ CHF: "0.7990" });
    reader.outlet.isReady = true;
    setNow(now() + 1000);
    await publish({ JPY: "157.70" });
    reader.subscription.drained();
    expect(reader.sent()).toEqual(["rates CHF,JPY"]);
  });
  test("that missed a change and its reversal is sent nothing", async () => {
    const { connect, pass, setNow, now, stream } = newFixture();
    const friday = Date.parse("2026-04-10T20:59:59Z");
    setNow(friday);
    const reader = connect();
    reader.outlet.isReady = false;
    pass(2);
    expect(stream.totals().coalesced).toBe(1);
    setNow(friday - 1000);
    pass(1);
    expect(now()).toBe(friday);
    reader.outlet.isReady = true;
    reader.subscription.drained();
    expect(reader.sent()).toEqual([]);
  });
  test("that takes nothing for more than 60 seconds is ended, however little has changed", () => {
    const { connect, pass, stream } = newFixture();
    const [slow, quick] = [connect(), connect()];
    slow.outlet.isReady = false;
    pass(15 + 60);
    expect(slow.outlet.ended).toBe(false);
    pass(1);
    expect([slow.outlet.ended, quick.outlet.ended]).toEqual([true, false]);
    expect(stream.totals().dropped).toBe(1);
    expect(stream.subscribers()).toBe(1);
    slow.subscription.drained();
    slow.subscription.leave();
    expect(slow.sent()).toEqual([]);
    expect(stream.subscribers()).toBe(1);
  });
  test("gets heartbeats after the clock was set back by an hour, and is ended where it takes nothing", () => {
    const { connect, pass, setNow, now } = newFixture();
    const reader = connect();
    setNow(now() - 3_600_000);
    pass(16);
    expect(reader.sent()).toContain("heartbeat");
    reader.outlet.isReady = false;
    pass(16);
    setNow(now() - 3_600_000);
    pass(1);
    expect(reader.outlet.ended).toBe(true);
  });
  test("that takes something now and then is never ended", () => {
    const { connect, pass, stream } = newFixture();
    const reader = connect();
    for (let round = 0; round < 5; round++) {
      reader.outlet.isReady = false;
      pass(60);
      reader.outlet.isReady = true;
      reader.subscription.drained();
      pass(15);
    }
    expect(stream.totals().dropped).toBe(0);
    expect(reader.sent().length).toBeGreaterThanOrEqual(5);
  });
});

test("new, resumed and refused readers are counted", () => {
  const { connect, stream, lastId } = newFixture();
  connect().subscription.leave();
  // Of a state that is known; of one that is not, everything is sent again.
  connect(lastId());
  connect("nothing-known");
  expect(stream.totals()).toMatchObject({ begun: 2, resumed: 1, refused: { full: 0 } });
  for (let nth = 0; nth < 8; nth++) connect();
  for (let nth = 0; nth < 3; nth++) expect(() => connect()).toThrow("places");
  expect(stream.totals()).toMatchObject({ begun: 10, resumed: 1, refused: { full: 3 } });
  // A server that stops refuses, too, and for no want of places.
  stream.close();
  expect(() => connect()).toThrow("stopping");
  expect(stream.totals().refused).toEqual({ full: 3, caller: 0, network: 0, keyless: 0 });
  stream.refused("network");
  expect(stream.totals().refused).toEqual({ full: 3, caller: 0, network: 1, keyless: 0 });
});
