/** Late October into November: one keyless feed without a fall-back, and two long outages, while Frankfurt and New York change their clocks a week apart. */

import { afterAll, expect, test } from "bun:test";
import { LIVE } from "./fixture.ts";
import type { Look } from "./look.ts";
import { openWeek } from "./week.ts";

/** Frankfurt is back on standard time since Sunday; New York follows on Sunday 2 November, before the opening. */
const CLOSE = "2025-10-31T21:00:00Z";
const OPENING = "2025-11-02T22:00:00Z";
/** The feed prints the króna in whole units, which is too coarse. */
const DELIVERED = LIVE.filter((code) => code !== "ISK");

const sourcesOf = ({ dollar }: Look) => new Set(DELIVERED.map((code) => dollar.sources[code]));
const staleOf = ({ dollar }: Look) => new Set(DELIVERED.map((code) => dollar.stale[code]));
const live = ({ status }: Look) => status.checks.live_data;

const week = await openWeek({
  from: "2025-10-27T00:00:00Z",
  until: "2025-11-03T12:00:00Z",
  feeds: ["coinbase"],
  pollSeconds: 300,
  sessions: [
    ["", "open"],
    [CLOSE, "weekend"],
    [OPENING, "open"],
  ],
});
afterAll(() => week.end());

test("a week of one feed: fresh, stale after its window, replaced by the daily figure after 24 hours, served over the weekend", async () => {
  const { until, trouble, polls } = week;
  /** While nothing is wrong every rate is of the last poll. */
  const fresh = ({ dollar }: Look, now: number) => {
    for (const code of DELIVERED) {
      expect([code, dollar.sources[code], dollar.stale[code]]).toEqual([code, "live", false]);
      expect(now - Date.parse(dollar.effective_at[code] as string)).toBeLessThan(305_000);
    }
    expect(dollar.sources["ISK"]).toBe("ecb_daily");
  };
  let seen = await until("2025-10-27T00:01:00Z");
  expect(sourcesOf(seen)).toEqual(new Set(["live"]));
  seen = await until("2025-10-28T10:00:00Z", fresh);
  expect([live(seen).status, live(seen).source]).toEqual(["ok", "coinbase"]);

  // Three hours without the feed: its window is 15 minutes after the quotes of 9:55.
  trouble("coinbase", { status: 503 });
  seen = await until("2025-10-28T10:10:00Z");
  expect(staleOf(seen)).toEqual(new Set([false]));
  seen = await until("2025-10-28T10:10:04Z");
  expect([staleOf(seen), sourcesOf(seen)]).toEqual([new Set([true]), new Set(["live"])]);
  expect([live(seen).status, seen.status.status]).toEqual(["stale", "degraded"]);
  expect(live(seen).stale).toEqual(DELIVERED);
  expect(live(seen).feeds).toMatchObject([{ feed: "coinbase", outcome: "failed" }]);
  seen = await until("2025-10-28T13:00:00Z");
  expect(sourcesOf(seen)).toEqual(new Set(["live"]));
  trouble("coinbase", null);
  seen = await until("2025-10-28T13:00:05Z");
  fresh(seen, Date.parse("2025-10-28T13:00:05Z"));

  // Thirty hours: 24 hours after the quotes of 9:55 the ECB's figures of 14:15 Frankfurt replace them under their own name.
  await until("2025-10-29T10:00:00Z", fresh);
  trouble("coinbase", { status: 500 });
  seen = await until("2025-10-30T09:55:00Z");
  expect([sourcesOf(seen), staleOf(seen)]).toEqual([new Set(["live"]), new Set([true])]);
  seen = await until("2025-10-30T09:55:04Z");
  expect([sourcesOf(seen), staleOf(seen)]).toEqual([new Set(["ecb_daily"]), new Set([false])]);
  expect(seen.dollar.effective_at["JPY"]).toBe("2025-10-29T13:15:00Z");
  expect([live(seen).status, live(seen).live_currencies]).toEqual(["stale", "0"]);
  await until("2025-10-30T16:00:00Z");
  trouble("coinbase", null);
  fresh(await until("2025-10-30T16:00:05Z"), Date.parse("2025-10-30T16:00:05Z"));

  await until("2025-10-31T20:59:59Z", fresh);
  seen = await until(OPENING, ({ dollar }, now) => {
    if (now >= Date.parse(OPENING)) return;
    expect(DELIVERED.map((code) => dollar.stale[code])).toEqual(DELIVERED.map(() => false));
    expect(dollar.effective_at["EUR"]?.slice(0, 16)).toBe("2025-10-31T20:55");
  });
  // Two polls an hour for 49 hours, although this venue never closes.
  expect(polls("coinbase", CLOSE, OPENING)).toBeGreaterThan(90);
  expect(polls("coinbase", CLOSE, OPENING)).toBeLessThan(102);
  seen = await until("2025-11-02T22:00:05Z");
  expect(seen.dollar.effective_at["EUR"]?.slice(0, 16)).toBe("2025-11-02T22:00");
  await until("2025-11-03T12:00:00Z", fresh);
  expect(polls("coinbase", "2025-11-03T00:00Z", "2025-11-03T12:00Z")).toBe(144);
  await week.assertArchived();
}, 60_000);
