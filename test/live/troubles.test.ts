/** One fault of the primary feed at a time, with a fall-back beside it: which feed is active, what is held, and that no wrong quote is ever served. */

import { describe, expect, test } from "bun:test";
import { LIVE } from "./fixture.ts";
import type { Look } from "./look.ts";
import { CASES } from "./troubles.ts";
import { openWeek, type Week } from "./week.ts";

/** A Monday morning on which the market is open. */
const START = "2026-03-02T10:00:00Z";
const at = (minutes: number, seconds = 30) =>
  new Date(Date.parse(START) + minutes * 60_000 + seconds * 1000).toISOString();

async function aMorning(feeds: Parameters<typeof openWeek>[0]["feeds"], run: (week: Week) => Promise<void>) {
  const week = await openWeek({
    from: START,
    until: "2026-03-03T00:00:00Z",
    feeds,
    pollSeconds: 60,
    sessions: [["", "open"]],
  });
  await run(week);
  await week.assertArchived();
}

const spokenFor = ({ status }: Look) =>
  Object.fromEntries(status.checks.live_data.feeds.map(({ feed, speaks_for }) => [feed, Number(speaks_for)]));
const feedOf = ({ status }: Look, name: string) =>
  status.checks.live_data.feeds.find(({ feed }) => feed === name);
/** No answer about a rate changes. */
const unharmed = ({ dollar, status }: Look) => {
  for (const code of LIVE)
    expect([code, dollar.sources[code], dollar.stale[code]]).toEqual([code, "live", false]);
  expect(status.checks.live_data.status).toBe("ok");
};
/** Changes of speaker after the first, each `JPY oxr`. */
function switchesIn({ emitted }: Week): string[] {
  return emitted
    .flatMap((one) =>
      one.kind === "feed_switched" && one.from !== null ? [`${one.currency} ${one.to}`] : [],
    )
    .sort();
}

async function everyMinute(week: Week, from: number, to: number, each: (seen: Look) => void): Promise<Look> {
  let seen = await week.until(at(from));
  each(seen);
  for (let minute = from + 1; minute <= to; minute++) {
    seen = await week.until(at(minute));
    each(seen);
  }
  return seen;
}

describe("a primary that", () => {
  for (const { name, trouble, lost, outcome, detail, doubt, minutes = 8 } of CASES) {
    test(`${name} loses what it does not deliver to the fall-back after three polls, and has it back after five good ones`, async () => {
      await aMorning(["massive", "oxr"], async (week) => {
        const all = { massive: LIVE.length, oxr: 0 };
        const isPart = (seen: Look) => {
          if (lost !== null)
            expect(spokenFor(seen)).toEqual({ massive: LIVE.length - lost.length, oxr: lost.length });
        };
        let seen = await everyMinute(week, 0, 3, unharmed);
        expect(spokenFor(seen)).toEqual(all);
        const ends = 3 + minutes;
        week.trouble("massive", trouble(Date.parse(at(3, 0))));
        seen = await everyMinute(week, 4, 5, unharmed);
        expect(spokenFor(seen)).toEqual(all);
        // A feed that repeats itself is left when its quotes have grown too old, three polls after the first repetition.
        seen = await everyMinute(week, 6, ends, unharmed);
        isPart(seen);
        expect(feedOf(seen, "massive")).toMatchObject({ outcome });
        if (detail !== undefined) expect(feedOf(seen, "massive")?.detail).toMatch(detail);
        const held = week.emitted.flatMap((one) => (one.kind === "quote_held" ? [one.rule] : []));
        expect([...new Set(held)]).toEqual(doubt === undefined ? [] : [doubt]);

        week.trouble("massive", null);
        seen = await everyMinute(week, ends + 1, ends + 5, unharmed);
        isPart(seen);
        seen = await everyMinute(week, ends + 6, ends + 8, unharmed);
        expect(spokenFor(seen)).toEqual(all);
        if (lost !== null)
          expect(switchesIn(week)).toEqual(lost.flatMap((code) => [`${code} oxr`, `${code} massive`]).sort());
      });
    });
  }

  test("answers 429 is not requested again before the time it names, however short its interval", async () => {
    await aMorning(["massive", "oxr"], async (week) => {
      await week.until(at(4));
      week.trouble("massive", { status: 429, headers: { "retry-after": "900" } });
      const seen = await week.until(at(5, 10));
      week.trouble("massive", null);
      const pausedUntil = Date.parse(feedOf(seen, "massive")?.paused_until as string);
      expect(pausedUntil).toBeGreaterThan(Date.parse(at(20, 0)) - 1);
      await everyMinute(week, 6, 22, unharmed);
      const [next] = week.server.requested.massive.filter((one) => one > Date.parse(at(5, 10)));
      expect(next).toBeGreaterThanOrEqual(pausedUntil);
      expect(next).toBeLessThan(pausedUntil + 5_000);
      expect(spokenFor(await week.until(at(31)))).toEqual({ massive: LIVE.length, oxr: 0 });
    });
  });

  test("is down together with its fall-back leaves the last quotes, which become stale after their window", async () => {
    await aMorning(["massive", "oxr"], async (week) => {
      await week.until(at(4));
      for (const feed of ["massive", "oxr"] as const) week.trouble(feed, { status: 500 });
      unharmed(await week.until(at(9, 0)));
      const { dollar, convert, status } = await week.until(at(9, 5));
      expect(LIVE.map((code) => [dollar.sources[code], dollar.stale[code]])).toEqual(
        LIVE.map(() => ["live", true]),
      );
      expect([convert?.stale, status.checks.live_data.stale]).toEqual([true, [...LIVE]]);
      week.server.troubles.clear();
      unharmed(await week.until(at(10, 5)));
    });
  });
});

test("a process that ends in the middle of a fault leaves the same quotes to the next one, which rejects the false price too", async () => {
  await aMorning(["massive", "oxr"], async (week) => {
    const { trouble } = CASES.find(
      ({ name }) => name === "says ten times everything",
    ) as (typeof CASES)[number];
    await week.until(at(4));
    week.trouble("massive", trouble(0));
    const before = await week.until(at(8));
    await week.restart();
    const after = await week.until(at(8));
    expect(after.dollar).toEqual(before.dollar);
    await everyMinute(week, 9, 15, unharmed);
    week.trouble("massive", null);
    expect(spokenFor(await week.until(at(30)))).toEqual({ massive: LIVE.length, oxr: 0 });
  });
});
