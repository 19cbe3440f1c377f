/** One fault of the primary feed at a time, with a fall-back beside it: which feed is active, what is held, and that no wrong quote is ever served. */

import { describe, expect, test } from "bun:test";
import { LIVE } from "./fixture.ts";
import { type Look, refusalOf } from "./look.ts";
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
  for (const { name, trouble, lost, outcome = "quotes", detail, doubt, minutes = 8 } of CASES) {
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

  test("is contradicted by its fall-back, 3 % away on one currency, is served, and /status names the currency and both prices", async () => {
    await aMorning(["massive", "oxr"], async (week) => {
      await everyMinute(week, 0, 3, unharmed);
      week.trouble("oxr", {
        rewrite: (text) => text.replace(/(?<="JPY": ?)[\d.]+/, (yen) => (Number(yen) * 1.03).toFixed(5)),
      });
      const { dollar, status } = await week.until(at(6));
      expect([status.status, dollar.sources["JPY"]]).toEqual(["degraded", "live"]);
      expect(status.checks.live_data).toMatchObject({ status: "unconfirmed", unconfirmed: ["JPY"] });
      expect(status.checks.live_data.refused).toMatchObject([
        {
          ...{ feed: "oxr", currency: "JPY", pair: "USD/JPY", rule: "contradicts" },
          reason: expect.stringMatching(
            /is 1\.0[23]\d* times the served quote of massive, 1\d+\.\d+: beyond 1\.02/,
          ),
        },
      ]);
      week.trouble("oxr", null);
      const { status: after } = await week.until(at(8));
      expect(after.checks.live_data).toMatchObject({ status: "ok", unconfirmed: [], refused: [] });
    });
  });

  test("is down together with its fall-back leaves the last quotes: stale after their window, refused after 24 hours of open market, until a daily figure is newer", async () => {
    // After the ECB's observation of Monday, so that nothing is newer until Tuesday's is published.
    const week = await openWeek({
      ...{ from: "2026-03-02T14:30:00Z", until: "2026-03-04T00:00:00Z", pollSeconds: 600 },
      ...{ feeds: ["massive", "oxr"], sessions: [["", "open"]] },
    });
    await week.until("2026-03-02T14:50:30Z");
    for (const feed of ["massive", "oxr"] as const) week.trouble(feed, { status: 500 });
    unharmed(await week.until("2026-03-02T15:19:00Z"));
    const { dollar, convert, status } = await week.until("2026-03-03T14:50:00Z");
    for (const code of LIVE) expect([dollar.sources[code], dollar.stale[code]]).toEqual(["live", true]);
    expect([convert?.stale, status.checks.live_data.stale]).toEqual([true, [...LIVE]]);
    const dead = await week.until("2026-03-03T14:51:00Z");
    for (const code of LIVE) expect(dead.dollar.rates[code]).toBeUndefined();
    for (const path of [
      "/v1/latest/EUR",
      "/v1/convert/EUR/JPY",
      "/v1/rate/usd-mxn",
      "/v1/latest?symbols=JPY",
    ])
      expect([path, await refusalOf(week, path)]).toMatchObject([
        path,
        {
          ...{ status: 503, code: "live_unavailable", retryAfter: expect.any(Number) },
          message: expect.stringMatching(/24 hours of open market/),
        },
      ]);
    // What never was live continues with the daily figures.
    expect([dead.dollar.sources["NOK"], dead.dollar.sources["TWD"]]).toEqual(["ecb_daily", "fred_daily"]);
    const daily = await week.until("2026-03-03T15:03:00Z");
    for (const code of LIVE) expect(daily.dollar.sources[code]).toBe("ecb_daily");
    week.server.troubles.clear();
    unharmed(await week.until("2026-03-03T15:20:05Z"));
    await week.assertArchived();
  });
});
