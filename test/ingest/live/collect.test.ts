/** Live collection: durable before it is published, at each feed's interval, one poll at a time, nearly silent while the market is shut. */

import { describe, expect, test } from "bun:test";
import type { FeedOutcome, LiveQuote } from "#domain/live/live-quote.ts";
import { startLive } from "#ingest/live.ts";
import type { Feed } from "#ports.ts";
import { COINBASE } from "#sources/live/coinbase.ts";
import type { TelemetryEvent } from "#telemetry.ts";
import { FALLBACK, MINUTE, PRIMARY, poll, quoteOf, START } from "#test/domain/live/feed-polls.ts";

/** A feed of the given name that can be requested every 15 seconds; what it answers is the test's business. */
function feed(id: Feed["id"]): Feed {
  return { ...COINBASE, id };
}

/** A clock and its timers that the test moves. */
function heldTime(start: number) {
  let now = start;
  const timers = new Set<{ due: number; run: () => void }>();
  return {
    clock: { now: () => now },
    /** Sets the clock back; timers run on as they would in real time. */
    setBack: (milliseconds: number) => {
      now -= milliseconds;
      for (const timer of [...timers]) {
        timers.delete(timer);
        timers.add({ ...timer, due: timer.due - milliseconds });
      }
    },
    later: (milliseconds: number, run: () => void) => {
      const timer = { due: now + milliseconds, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async advance(to: number) {
      for (;;) {
        for (let turn = 0; turn < 20; turn++) await Promise.resolve();
        const next = [...timers].sort((a, b) => a.due - b.due)[0];
        if (next === undefined || next.due > to) break;
        now = Math.max(now, next.due);
        timers.delete(next);
        next.run();
      }
      now = to;
    },
  };
}

interface Setting {
  readonly feeds?: readonly Feed[];
  readonly start?: number;
  readonly answer: (feed: Feed["id"], at: number) => FeedOutcome | Promise<FeedOutcome>;
  readonly append?: (quotes: readonly LiveQuote[]) => Promise<void>;
}

function collecting({ feeds = [feed(PRIMARY)], start = START, answer, append }: Setting) {
  const time = heldTime(start);
  const requested: string[] = [];
  const events: string[] = [];
  const emitted: TelemetryEvent[] = [];
  const live = startLive(
    {
      ...time,
      emit: (event) => emitted.push(event),
      ask: async ({ id }) => {
        requested.push(`${id} ${new Date(time.clock.now()).toISOString().slice(5, 19)}`);
        return await answer(id, time.clock.now());
      },
      archive: {
        append: async (quotes) => {
          await append?.(quotes);
          for (const { mid } of quotes) events.push(`durable ${mid}`);
        },
      },
      publish: async (quotes) => events.push(...quotes.map(({ mid }) => `published ${mid}`)),
      references: () => new Map([["JPY", { perDollar: 150, observedAt: start - 86_400_000 }]]),
      releases: () => [],
      random: () => 0,
    },
    { feeds, currencies: ["JPY"], pollSeconds: 60 },
  );
  return { live, time, requested, events, emitted };
}

describe("a quote", () => {
  test("is durable before it is published, and is published once", async () => {
    const { time, events, live } = collecting({ answer: (id, at) => poll(id, at, "150.10") });
    await time.advance(START + 1_000);
    expect(events).toEqual(["durable 150.10", "published 150.10"]);
    live.stop();
  });
  test("that cannot be made durable is not published, and comes again with the next poll", async () => {
    let full = true;
    const { time, events, emitted, live } = collecting({
      answer: (id, at) => poll(id, at, "150.10"),
      append: async (quotes) => {
        if (full && quotes.length > 0) throw new Error("no space left on device");
      },
    });
    await time.advance(START + 1_000);
    expect(events).toEqual([]);
    expect(emitted.map(({ kind }) => kind)).toEqual(["job_failed"]);
    full = false;
    await time.advance(START + MINUTE + 1_000);
    expect(events).toEqual(["durable 150.10", "published 150.10"]);
    live.stop();
  });
  test("ten times too high is held and reported, not published", async () => {
    const { time, events, emitted, live } = collecting({ answer: (id, at) => poll(id, at, "1501.0") });
    await time.advance(START + 10 * MINUTE);
    expect(events).toEqual([]);
    expect(emitted.some((event) => event.kind === "quote_held")).toBe(true);
    live.stop();
  });
});

describe("polls", () => {
  test("fall on the multiples of the interval", async () => {
    const { time, requested, live } = collecting({
      start: START + 7_000,
      answer: (id, at) => poll(id, at, "150.10"),
    });
    await time.advance(START + 3 * MINUTE);
    expect(requested).toEqual([
      `${PRIMARY} 04-14T12:00:07`,
      `${PRIMARY} 04-14T12:01:00`,
      `${PRIMARY} 04-14T12:02:00`,
      `${PRIMARY} 04-14T12:03:00`,
    ]);
    live.stop();
  });
  test("never overlap: the next one is planned when the last has ended", async () => {
    const slow = Promise.withResolvers<FeedOutcome>();
    const { time, requested, live } = collecting({ answer: () => slow.promise });
    await time.advance(START + 5 * MINUTE);
    expect(requested).toHaveLength(1);
    slow.resolve(poll(PRIMARY, START + 5 * MINUTE, "150.10"));
    await time.advance(START + 6 * MINUTE);
    expect(requested).toHaveLength(2);
    live.stop();
  });
  test("are left out while the feed requests a pause", async () => {
    const { time, requested, live } = collecting({
      answer: (id, at) => ({
        kind: "failed",
        feed: id,
        at,
        requested: ["JPY"],
        fault: "rate_limited",
        detail: "429",
        pauseUntil: at + 10 * MINUTE,
      }),
    });
    await time.advance(START + 10 * MINUTE - 1);
    expect(requested).toHaveLength(1);
    expect(live.states()).toMatchObject([{ outcome: "failed", pausedUntil: START + 10 * MINUTE }]);
    await time.advance(START + 10 * MINUTE);
    expect(requested).toHaveLength(2);
    live.stop();
  });
  test("are two an hour over the weekend, and on time at the opening", async () => {
    // Friday 24 April 2026: the market closes at 21:00 UTC, and opens on Sunday at 21:00.
    const close = Date.parse("2026-04-24T21:00:00Z");
    const open = Date.parse("2026-04-26T21:00:00Z");
    const { time, requested, live } = collecting({
      start: close - 2 * MINUTE,
      answer: (id, at) => poll(id, at, "150.10"),
    });
    await time.advance(open - 1);
    const shut = requested.filter((line) => line.includes("04-25")).length;
    expect(shut).toBeGreaterThan(40);
    expect(shut).toBeLessThan(60);
    const before = requested.length;
    await time.advance(open + 3 * MINUTE);
    expect(requested.slice(before)).toEqual(
      ["21:00:00", "21:01:00", "21:02:00", "21:03:00"].map((at) => `${PRIMARY} 04-26T${at}`),
    );
    live.stop();
  });
  test("continue within a minute or two when the clock is set back an hour, also after a pause that was requested", async () => {
    const { time, requested, live } = collecting({ answer: (id, at) => poll(id, at, "150.10") });
    await time.advance(START + 2 * MINUTE);
    time.setBack(60 * MINUTE);
    const before = requested.length;
    await time.advance(START - 55 * MINUTE);
    expect(requested.length - before).toBeGreaterThanOrEqual(2);
    live.stop();
  });
  test("end with the collector", async () => {
    const { time, requested, live } = collecting({ answer: (id, at) => poll(id, at, "150.10") });
    await time.advance(START + 1_000);
    live.stop();
    await time.advance(START + 10 * MINUTE);
    expect(requested).toHaveLength(1);
  });
});

test("the fall-back is used when the primary fails, and the switch is reported", async () => {
  const { time, emitted, events, live } = collecting({
    feeds: [feed(PRIMARY), feed(FALLBACK)],
    answer: (id, at) =>
      id === FALLBACK || at < START + 2 * MINUTE
        ? {
            ...poll(id, at, null),
            kind: "quotes",
            quotes: [quoteOf(id, id === PRIMARY ? "150.10" : "150.20", at - 1000)],
            refusals: [],
            pauseUntil: null,
          }
        : poll(id, at, "down"),
  });
  await time.advance(START + 10 * MINUTE);
  expect(events.at(-1)).toBe("published 150.20");
  expect(emitted.filter(({ kind }) => kind === "feed_switched")).toMatchObject([
    { from: null, to: PRIMARY, reason: "first" },
    { from: PRIMARY, to: FALLBACK },
  ]);
  expect(live.states().map(({ feed: id, outcome }) => `${id} ${outcome}`)).toEqual([
    `${PRIMARY} failed`,
    `${FALLBACK} quotes`,
  ]);
  live.stop();
});
