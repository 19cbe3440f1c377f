/** Live collection: durable before it is published, at each feed's interval and within its plan, one poll at a time, nearly silent while the market is shut. */

import { afterEach, describe, expect, test } from "bun:test";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { FeedOutcome, LiveQuote } from "#domain/live/live-quote.ts";
import { type LiveCollector, startLive } from "#ingest/live.ts";
import type { Feed } from "#ports.ts";
import { COINBASE } from "#sources/live/coinbase.ts";
import { AGAINST_DOLLAR } from "#sources/live/reading.ts";
import { twelveDataFeed } from "#sources/live/twelve-data.ts";
import type { TelemetryEvent } from "#telemetry.ts";
import { brought, MINUTE, PRIMARY, poll, quoteOf, START } from "#test/domain/live/feed-polls.ts";
import { virtualTime } from "#test/live/virtual-time.ts";

const DAY = 86_400_000;
const KEY = "0123456789abcdef0123456789abcdef";

/** A feed of the given name that can be requested every 15 seconds; what it answers is the test's business. */
const feed = (id: Feed["id"]): Feed => ({ ...COINBASE, id });
/** Every requested currency at 150.10, observed at that very moment. */
const good: Setting["answer"] = (id, at, requested) => {
  const quotes = requested.map((code) => quoteOf(id, "150.10", at, code));
  return brought(id, at, quotes, requested);
};

interface Setting {
  readonly feeds?: readonly Feed[];
  readonly currencies?: readonly CurrencyCode[];
  readonly start?: number;
  readonly answer?: (
    feed: Feed["id"],
    at: number,
    requested: readonly CurrencyCode[],
  ) => FeedOutcome | Promise<FeedOutcome>;
  readonly append?: (quotes: readonly LiveQuote[]) => Promise<void>;
  readonly random?: number;
}

let running: LiveCollector | null = null;
afterEach(() => running?.stop());

function collecting({
  feeds = [feed(PRIMARY)],
  currencies = ["JPY"],
  start = START,
  answer = good,
  append,
  random = 0,
}: Setting = {}) {
  const time = virtualTime(start);
  const requested: string[] = [];
  const pairs: number[] = [];
  const events: string[] = [];
  const emitted: TelemetryEvent[] = [];
  const { clock, later } = time;
  const live = startLive(
    {
      clock,
      later,
      emit: (event) => emitted.push(event),
      ask: async ({ id }, one) => {
        requested.push(`${id} ${new Date(clock.now()).toISOString().slice(5, 19)}`);
        pairs.push(one.requested.length);
        return await (answer as NonNullable<Setting["answer"]>)(id, clock.now(), one.requested);
      },
      archive: {
        append: async (quotes) => {
          await append?.(quotes);
          for (const { mid } of quotes) events.push(`durable ${mid}`);
        },
      },
      publish: async (quotes) => events.push(...quotes.map(({ mid }) => `published ${mid}`)),
      references: () =>
        new Map(AGAINST_DOLLAR.map((code) => [code, { perDollar: 150, observedAt: start - DAY }])),
      releases: () => [],
      random: () => random,
    },
    { feeds, currencies, pollSeconds: 60 },
  );
  running = live;
  return { live, time, requested, pairs, events, emitted };
}

describe("a quote", () => {
  test("is durable before it is published, and is published once", async () => {
    const { time, events } = collecting();
    await time.advance(START + 1_000);
    expect(events).toEqual(["durable 150.10", "published 150.10"]);
  });
  test("that cannot be made durable is not published, which the state of its feed says, and comes again with the next poll", async () => {
    let full = true;
    const { time, events, emitted, live } = collecting({
      append: async (quotes) => {
        if (full && quotes.length > 0) throw new Error("no space left on device");
      },
    });
    const before = live.choice();
    await time.advance(START + 1_000);
    expect([events, live.choice()]).toEqual([[], before]);
    expect(emitted.map(({ kind }) => kind)).toEqual(["job_failed"]);
    expect(live.states()).toMatchObject([
      {
        ...{ outcome: "failed", lastAttemptAt: START, lastSuccessAt: null },
        detail: "its quotes could not be stored here; the log says why",
      },
    ]);
    full = false;
    await time.advance(START + MINUTE + 1_000);
    expect(events).toEqual(["durable 150.10", "published 150.10"]);
    expect(live.states()).toMatchObject([{ outcome: "quotes", detail: null }]);
  });
  test("that arrives after the end is discarded: nothing is written to stores that are being closed", async () => {
    const slow = Promise.withResolvers<FeedOutcome>();
    const { live, time, events, emitted } = collecting({ answer: () => slow.promise });
    live.stop();
    slow.resolve(poll(PRIMARY, START, "150.10"));
    await time.advance(START + 10 * MINUTE);
    expect([events, emitted]).toEqual([[], []]);
  });
});

describe("polls", () => {
  test.each([
    ["on", 0, ["12:00:07", "12:01:00", "12:02:00"]],
    ["up to three seconds after, by chance,", 0.7, ["12:00:07", "12:01:02", "12:02:02"]],
  ])("fall %s the multiples of the interval", async (_, random, expected) => {
    const { time, requested } = collecting({ start: START + 7_000, random });
    await time.advance(START + 2 * MINUTE + 3_000);
    expect(requested).toEqual(expected.map((at) => `${PRIMARY} 04-14T${at}`));
  });
  test("never overlap: the next one is planned when the last has ended", async () => {
    const slow = Promise.withResolvers<FeedOutcome>();
    const { time, requested } = collecting({ answer: () => slow.promise });
    await time.advance(START + 5 * MINUTE);
    expect(requested).toHaveLength(1);
    slow.resolve(poll(PRIMARY, START + 5 * MINUTE, "150.10"));
    await time.advance(START + 6 * MINUTE);
    expect(requested).toHaveLength(2);
  });
  test("are left out while the feed requests a pause", async () => {
    const refused = { kind: "failed", fault: "rate_limited", detail: "429", requested: ["JPY"] } as const;
    const { time, requested, live } = collecting({
      answer: (id, at) => ({ ...refused, feed: id, at, pauseUntil: at + 10 * MINUTE }),
    });
    await time.advance(START + 10 * MINUTE - 1);
    expect(requested).toHaveLength(1);
    expect(live.states()).toMatchObject([{ outcome: "failed", pausedUntil: START + 10 * MINUTE }]);
    await time.advance(START + 10 * MINUTE);
    expect(requested).toHaveLength(2);
  });
  test("that fail leave the time of the last success; one without news leaves the reason, and ends the pause", async () => {
    const failed = { kind: "failed", fault: "status", detail: "500" } as const;
    const { time, live, emitted } = collecting({
      answer: (id, at, requested) => {
        const polled = { feed: id, at, requested };
        if (at === START) return good(id, at, requested);
        if (at > START + MINUTE) return { kind: "unchanged", ...polled };
        return { ...failed, ...polled, pauseUntil: at + MINUTE };
      },
    });
    await time.advance(START + MINUTE);
    const paused = { lastAttemptAt: START + MINUTE, lastSuccessAt: START, pausedUntil: START + 2 * MINUTE };
    expect(live.states()).toMatchObject([{ outcome: "failed", detail: "500", ...paused }]);
    expect(emitted.at(-1)).toMatchObject({
      kind: "feed_failed",
      feed: PRIMARY,
      fault: "status",
      detail: "500",
    });
    await time.advance(START + 2 * MINUTE);
    const ended = { lastSuccessAt: START + 2 * MINUTE, pausedUntil: null };
    expect(live.states()).toMatchObject([{ outcome: "unchanged", detail: "500", ...ended }]);
  });
  test("say how many of their prices cannot be used, and why", async () => {
    const reason = 'USD/JPY "111" has an error of over 2 bps in its last digit';
    const refusals = [{ currency: "JPY", rule: "too_coarse", reason }] as const;
    const { time, live } = collecting({
      answer: (id, at) => ({ ...brought(id, at, []), refusals }) as FeedOutcome,
    });
    await time.advance(START + 1_000);
    expect(live.states()).toMatchObject([
      { outcome: "quotes", detail: `prices that cannot be used: 1, such as ${reason}` },
    ]);
  });
  test("of a plan that is a quarter of an hour late begin nothing, and say so; once a rate is live they are served, and it is no fault", async () => {
    let late = 15 * MINUTE;
    const { time, live, events } = collecting({ answer: (id, at) => poll(id, at, "150.10", late) });
    await time.advance(START + 1_000);
    expect(live.states()[0]?.detail).toBe(
      "prices that cannot be used: 1, such as USD/JPY is of 2026-04-14T11:45:00Z, older than three polls: a longer LIVE_POLL_SECONDS takes prices that are late",
    );
    expect(events).toEqual([]);
    late = 1_000;
    await time.advance(START + 2 * MINUTE);
    late = 4 * MINUTE;
    await time.advance(START + 9 * MINUTE);
    expect(live.states()[0]?.detail).toBeNull();
    expect(live.choice()[0]?.served?.observedAt).toBe(START + 5 * MINUTE);
  });
  test.each([
    ["the weekend", "2026-04-24T20:58:00Z", "04-25", "2026-04-26T21:00:00Z"],
    ["a weekend in which the server starts", "2026-04-25T00:10:00Z", "04-25", "2026-04-26T21:00:00Z"],
    ["Christmas Day", "2025-12-24T21:58:00Z", "12-25", "2025-12-25T22:00:00Z"],
  ])("are two an hour over %s, and on time at the opening", async (_, start, closed, opening) => {
    const open = Date.parse(opening);
    const { time, requested } = collecting({ start: Date.parse(start) });
    await time.advance(open - 1);
    const shut = requested.filter((line) => line.includes(closed)).length;
    expect(shut).toBeGreaterThan(40);
    expect(shut).toBeLessThan(60);
    const before = requested.length;
    await time.advance(open + 3 * MINUTE);
    const onTime = [0, 1, 2, 3].map((minute) => new Date(open + minute * MINUTE).toISOString().slice(5, 19));
    expect(requested.slice(before)).toEqual(onTime.map((at) => `${PRIMARY} ${at}`));
  });
  test("continue within a minute or two when the clock is set back an hour", async () => {
    const { time, requested } = collecting();
    await time.advance(START + 2 * MINUTE);
    time.setBack(60 * MINUTE);
    const before = requested.length;
    await time.advance(START - 55 * MINUTE);
    expect(requested.length - before).toBeGreaterThanOrEqual(2);
  });
  test("continue as soon when it is set back from a weekend to a working day, but not before a pause that the feed asked for", async () => {
    const saturday = Date.parse("2026-04-25T12:00:00Z");
    const afterward = async (pause: number) => {
      const { time, requested, live } = collecting({
        start: saturday,
        answer: (id, at) => ({ ...poll(id, at, "150.10"), pauseUntil: at + pause }),
      });
      await time.advance(saturday + 2 * MINUTE);
      time.setBack(2 * DAY);
      const before = requested.length;
      await time.advance(saturday - 2 * DAY + 6 * MINUTE);
      live.stop();
      return requested.length - before;
    };
    expect(await afterward(0)).toBeGreaterThanOrEqual(2);
    expect(await afterward(10 * MINUTE)).toBe(0);
  });
  test("end with the collector", async () => {
    const { time, requested, live } = collecting();
    await time.advance(START + 1_000);
    live.stop();
    await time.advance(START + 10 * MINUTE);
    expect(requested).toHaveLength(1);
  });
});

describe("a plan's quota", () => {
  test("of 800 pairs a day and 8 a minute is respected, with the whole catalog in rounds, which do not make the feed seem to fail", async () => {
    const start = Date.parse("2026-03-03T00:00:00Z");
    const feeds = [twelveDataFeed({ apiKey: KEY }), COINBASE];
    const { time, requested, pairs, emitted, live } = collecting({
      feeds,
      currencies: AGAINST_DOLLAR,
      start,
    });
    await time.advance(start + DAY - 1);
    const rounds = pairs.filter((_, at) => requested[at]?.startsWith("twelvedata"));
    expect(rounds.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(800 + 8);
    expect(Math.max(...rounds)).toBeLessThanOrEqual(8);
    expect(emitted.some(({ kind }) => kind === "job_failed")).toBe(false);
    expect(emitted.filter((one) => one.kind === "feed_switched" && one.from === "twelvedata")).toEqual([]);
    const active = new Set(live.choice().map(({ activeFeed }) => activeFeed));
    expect(active).toEqual(new Set(["twelvedata"]));
  });
});
