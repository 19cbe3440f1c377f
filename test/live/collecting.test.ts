/** What a feed's plan and a second feed's clock do to collection over time: quotas respected, rounds of pairs, and the return to the primary. */

import { afterEach, describe, expect, test } from "bun:test";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { FeedOutcome, LiveQuote } from "#domain/live/live-quote.ts";
import { type LiveCollector, startLive } from "#ingest/live.ts";
import type { Feed, FeedPoll } from "#ports.ts";
import { COINBASE } from "#sources/live/coinbase.ts";
import { oxrFeed } from "#sources/live/oxr.ts";
import { AGAINST_DOLLAR } from "#sources/live/reading.ts";
import { twelveDataFeed } from "#sources/live/twelve-data.ts";
import type { TelemetryEvent } from "#telemetry.ts";
import { FALLBACK, FeedRun, MINUTE, PRIMARY, poll, START } from "#test/domain/live/feed-polls.ts";
import { virtualTime } from "./virtual-time.ts";

const DAY = 86_400_000;
const KEY = "0123456789abcdef0123456789abcdef";
let running: LiveCollector | null = null;
afterEach(() => {
  running?.stop();
  running = null;
});

interface Setting {
  readonly feeds: readonly Feed[];
  readonly currencies: readonly CurrencyCode[];
  readonly start: number;
  readonly answer: (feed: Feed, poll: FeedPoll, at: number) => FeedOutcome | Promise<FeedOutcome>;
}

function collecting({ feeds, currencies, start, answer }: Setting) {
  const time = virtualTime(start);
  const { clock, later } = time;
  const requested: { readonly feed: Feed["id"]; readonly at: number; readonly pairs: number }[] = [];
  const emitted: TelemetryEvent[] = [];
  const kept: LiveQuote[] = [];
  running = startLive(
    {
      clock,
      later,
      emit: (event) => emitted.push(event),
      ask: async (feed, one) => {
        requested.push({ feed: feed.id, at: clock.now(), pairs: one.requested.length });
        return await answer(feed, one, clock.now());
      },
      archive: { append: async (quotes) => void kept.push(...quotes) },
      publish: async () => {},
      references: () =>
        new Map(AGAINST_DOLLAR.map((code) => [code, { perDollar: 9.12345, observedAt: start - DAY }])),
      releases: () => [],
      random: () => 0.5,
    },
    { feeds, currencies, pollSeconds: 60 },
  );
  time.pollers = feeds.length;
  return { time, requested, emitted, kept, collector: running };
}

/** Everything requested, observed at that very moment. */
function good(feed: Feed, { requested }: FeedPoll, at: number): FeedOutcome {
  const quotes = requested.map(
    (code): LiveQuote => ({
      feed: feed.id,
      base: "USD",
      quote: code,
      bid: null,
      ask: null,
      mid: "9.12345",
      observedAt: at,
      retrievedAt: at,
    }),
  );
  return { kind: "quotes", feed: feed.id, at, requested, quotes, refusals: [], pauseUntil: null };
}

describe("a plan's quota", () => {
  test("of a thousand requests a month is respected over 31 days, weekends included", async () => {
    const feeds = [oxrFeed({ appId: KEY })];
    const start = Date.parse("2026-03-01T00:00:00Z");
    const { time, requested } = collecting({ feeds, currencies: ["EUR", "JPY"], start, answer: good });
    await time.advance(start + 31 * DAY - 1);
    // The first poll comes at once, outside the interval.
    expect(requested.length).toBeLessThanOrEqual(1000 + 1);
    expect(requested.length).toBeGreaterThan(700);
  });

  test("of 800 pairs a day and 8 a minute is respected, with the whole catalog requested in rounds", async () => {
    const feeds = [twelveDataFeed({ apiKey: KEY })];
    const start = Date.parse("2026-03-03T00:00:00Z");
    const { time, requested, emitted } = collecting({
      feeds,
      currencies: AGAINST_DOLLAR,
      start,
      answer: good,
    });
    await time.advance(start + DAY - 1);
    expect(requested.reduce((sum, { pairs }) => sum + pairs, 0)).toBeLessThanOrEqual(800 + 8);
    expect(Math.max(...requested.map(({ pairs }) => pairs))).toBeLessThanOrEqual(8);
    expect(emitted.some(({ kind }) => kind === "job_failed")).toBe(false);
  });

  test("that makes a feed come round to a currency every few polls only does not make the feed seem to fail", async () => {
    const feeds = [twelveDataFeed({ apiKey: KEY }), COINBASE];
    const start = Date.parse("2026-03-03T00:00:00Z");
    const { time, emitted, collector } = collecting({
      feeds,
      currencies: AGAINST_DOLLAR,
      start,
      answer: good,
    });
    await time.advance(start + DAY);
    const switched = emitted.flatMap((one) =>
      one.kind === "feed_switched" && one.from === "twelvedata" ? [one] : [],
    );
    expect(switched).toEqual([]);
    expect(new Set(collector.choice().currencies.map(({ activeFeed }) => activeFeed))).toEqual(
      new Set(["twelvedata"]),
    );
  });
});

test("what arrives after the end is discarded: nothing is written to stores that are being closed", async () => {
  const slow = Promise.withResolvers<FeedOutcome>();
  const { collector, kept, emitted } = collecting({
    feeds: [COINBASE],
    currencies: ["JPY"],
    start: START,
    answer: () => slow.promise,
  });
  collector.stop();
  slow.resolve(good(COINBASE, COINBASE.polls(["JPY"])[0] as FeedPoll, START));
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  expect([kept, emitted]).toEqual([[], []]);
});

describe("the primary is active again after five good polls", () => {
  /** Both feeds every minute, one before the other; the primary's prices are `behind` milliseconds old, the fall-back's new. */
  function recovering(primaryFirst: boolean, behind: number, minutes: number): FeedRun {
    const polls = new FeedRun();
    const price = (minute: number) => (150 + minute / 1000).toFixed(3);
    for (let minute = 0; minute < minutes; minute++) {
      const at = START + minute * MINUTE;
      const down = minute >= 5 && minute < 15;
      const pollPrimary = (when: number) =>
        polls.take(poll(PRIMARY, when, down ? "down" : price(minute), behind));
      if (primaryFirst) pollPrimary(at);
      polls.take(poll(FALLBACK, at + 400, price(minute), 0));
      if (!primaryFirst) pollPrimary(at + 800);
    }
    return polls;
  }

  for (const primaryFirst of [true, false]) {
    for (const behind of [0, 400, 5_000, 90_000]) {
      test(`requested ${primaryFirst ? "before" : "after"} the fall-back, with prices ${behind} ms old, and no served quote goes back in time`, () => {
        const polls = recovering(primaryFirst, behind, 40);
        expect(polls.switches.map(({ to }) => to)).toEqual([PRIMARY, FALLBACK, PRIMARY]);
        expect(polls.switches.at(-1)).toMatchObject({ reason: "recovered" });
        expect(((polls.switches.at(-1)?.at ?? 0) - START) / MINUTE).toBeCloseTo(20, 1);
        const served = polls.steps.flatMap((step) => step.served);
        for (const [place, { observedAt }] of served.entries())
          expect(observedAt).toBeGreaterThan(served[place - 1]?.observedAt ?? 0);
        expect(served.at(-1)?.feed).toBe(PRIMARY);
      });
    }
  }

  test("but not while its prices are so old that it would have to leave before its next poll", () => {
    for (const primaryFirst of [true, false]) {
      const polls = recovering(primaryFirst, 150_000, 120);
      // Left once for good, not again and again.
      expect(polls.switches.filter(({ from }) => from === PRIMARY).length).toBeLessThanOrEqual(1);
    }
  });
});
