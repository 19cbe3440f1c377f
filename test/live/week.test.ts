/** March: days that end with New York's change of clocks, in which every fault happens at some hour, on either feed, also through the close and the opening. */

import { expect, test } from "bun:test";
import { seededRandom } from "#test/support/seeded-random.ts";
import { LIVE } from "./fixture.ts";
import type { Look } from "./look.ts";
import { CASES } from "./troubles.ts";
import { openWeek } from "./week.ts";

/** New York closes on standard time and opens on summer time: at 22:00 and at 21:00 UTC. */
const CLOSE = "2026-03-06T22:00:00Z";
const OPENING = "2026-03-08T21:00:00Z";

const week = await openWeek({
  from: "2026-03-05T00:00:00Z",
  until: "2026-03-10T00:00:00Z",
  feeds: ["massive", "oxr"],
  pollSeconds: 600,
  sessions: [
    ["", "open"],
    [CLOSE, "weekend"],
    [OPENING, "open"],
  ],
});

const sources = ({ dollar }: Look) => new Set(LIVE.map((code) => dollar.sources[code]));
const stale = ({ dollar }: Look) => new Set(LIVE.map((code) => dollar.stale[code]));
const iso = (at: number) => new Date(at).toISOString();

test("days full of troubles: every number was delivered or published, nothing goes back in time, the weekend is quiet", async () => {
  const random = seededRandom(77);
  const { until, trouble, polls, time } = week;
  /** A trouble now and then until a moment: of the primary mostly, some of both feeds, some of them with a restart in between. */
  const livelyUntil = async (end: string) => {
    for (let at = time.clock.now(); at < Date.parse(end); at = time.clock.now()) {
      const { trouble: made } = CASES[Math.floor(random() * CASES.length)] as (typeof CASES)[number];
      const lasts = (20 + Math.floor(random() * 80)) * 60_000;
      trouble("massive", made(at));
      if (random() < 0.3) trouble("oxr", random() < 0.5 ? { status: 500 } : { standsStillAt: at });
      await until(iso(Math.min(at + lasts / 2, Date.parse(end))));
      if (random() < 0.15) await week.restart();
      await until(iso(Math.min(at + lasts, Date.parse(end))));
      trouble("massive", null);
      trouble("oxr", null);
      await until(iso(Math.min(at + lasts + random() * 5_400_000, Date.parse(end))));
    }
  };
  let seen = await until("2026-03-05T00:01:00Z");
  expect(sources(seen)).toEqual(new Set(["live"]));
  await livelyUntil("2026-03-06T18:00:00Z");

  seen = await until("2026-03-06T21:59:59Z");
  expect([sources(seen), stale(seen)]).toEqual([new Set(["live"]), new Set([false])]);
  const kept = (weekend: Look, now: number) => {
    if (now >= Date.parse(OPENING)) return;
    expect([weekend.dollar.market_session, stale(weekend)]).toEqual(["weekend", new Set([false])]);
    for (const code of LIVE) expect(weekend.dollar.effective_at[code]?.slice(0, 14)).toBe("2026-03-06T21:");
  };
  await until(iso(Date.parse(CLOSE)));
  await until("2026-03-07T12:00:00Z", kept);
  const before = await until("2026-03-07T12:00:00Z");
  await week.restart();
  expect((await until("2026-03-07T12:00:00Z")).dollar).toEqual(before.dollar);
  seen = await until(OPENING, kept);
  // The weekend is 47 hours long in this one week.
  for (const feed of ["massive", "oxr"] as const) {
    expect(polls(feed, CLOSE, OPENING)).toBeGreaterThan(90);
    expect(polls(feed, CLOSE, OPENING)).toBeLessThan(98);
  }
  seen = await until("2026-03-08T21:00:05Z");
  expect([seen.dollar.market_session, stale(seen)]).toEqual(["open", new Set([false])]);
  for (const code of LIVE) expect(seen.dollar.effective_at[code]?.slice(0, 16)).toBe("2026-03-08T21:00");
  await livelyUntil("2026-03-09T20:00:00Z");
  seen = await until("2026-03-10T00:00:00Z");
  expect([sources(seen), stale(seen)]).toEqual([new Set(["live"]), new Set([false])]);
  expect(seen.status.checks.live_data).toMatchObject({ status: "ok", source: "massive" });
  await week.assertArchived();
  expect(week.served.size).toBeGreaterThan(1_500);
  expect(week.looks()).toBeGreaterThan(150);
});
