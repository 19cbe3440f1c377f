/** Christmas and New Year: two closed days inside the week, a feed that is out across one of them while the ECB is silent too, and a restart in the other. */

import { expect, test } from "bun:test";
import { LIVE } from "./fixture.ts";
import { type Look, refusalOf } from "./look.ts";
import { openWeek } from "./week.ts";

const week = await openWeek({
  from: "2025-12-23T12:00:00Z",
  until: "2026-01-02T03:00:00Z",
  feeds: ["massive"],
  pollSeconds: 600,
  sessions: [
    ["", "open"],
    ["2025-12-24T22:00Z", "interbank_closed"],
    ["2025-12-25T22:00Z", "open"],
    ["2025-12-26T22:00Z", "weekend"],
    ["2025-12-28T22:00Z", "open"],
    ["2025-12-31T22:00Z", "interbank_closed"],
    ["2026-01-01T22:00Z", "open"],
  ],
});

const sources = ({ dollar }: Look) => new Set(LIVE.map((code) => dollar.sources[code] ?? "absent"));
const stale = ({ dollar }: Look) => new Set(LIVE.map((code) => dollar.stale[code] ?? "absent"));

test("ten days over Christmas and New Year: closed days are quiet, and what has died is absent, not made up", async () => {
  const { until, trouble, polls } = week;
  await until("2025-12-23T12:01:00Z");
  const alive = (seen: Look) =>
    expect([sources(seen), stale(seen)]).toEqual([new Set(["live"]), new Set([false])]);
  alive(await until("2025-12-24T14:00:00Z", alive));

  // The last quotes are of 13:50 on the 24th: later than the ECB's last figures before the holidays, of 13:15 UTC.
  trouble("massive", { status: 502 });
  let seen = await until("2025-12-25T12:00:00Z");
  expect([seen.dollar.market_session, sources(seen), stale(seen)]).toEqual([
    "interbank_closed",
    new Set(["live"]),
    new Set([true]),
  ]);
  expect(polls("massive", "2025-12-24T22:00Z", "2025-12-25T22:00Z")).toBeLessThan(52);
  // Eight hours until the holiday, and sixteen after it, are 24 hours of open market.
  seen = await until("2025-12-26T13:50:00Z");
  expect([sources(seen), seen.convert?.stale]).toEqual([new Set(["live"]), true]);
  const dead = (silent: Look) => {
    expect(sources(silent)).toEqual(new Set(["absent"]));
    expect([silent.euro, silent.yen, silent.convert, silent.rate]).toEqual([null, null, null, null]);
    // What never was live continues with the daily figures.
    expect([silent.dollar.sources["NOK"], silent.dollar.sources["TWD"]]).toEqual(["ecb_daily", "fred_daily"]);
    expect(silent.status.checks.live_data.stale).toEqual([...LIVE]);
  };
  dead(await until("2025-12-26T13:50:04Z"));
  for (const path of [
    "/v1/latest/EUR",
    "/v1/convert/EUR/JPY",
    "/v1/rate/usd-mxn",
    "/v1/latest?symbols=JPY",
  ]) {
    const { status, code, retryAfter, message } = await refusalOf(week, path);
    expect([path, status, code]).toEqual([path, 503, "live_unavailable"]);
    expect(retryAfter).toBeGreaterThan(0);
    expect(message).toMatch(/24 hours of open market/);
  }
  // The ECB's next figures are of Monday the 29th, and published after 16:00 in Frankfurt.
  await until("2025-12-29T15:02:59Z", dead);
  seen = await until("2025-12-29T15:03:00Z");
  expect(sources(seen)).toEqual(new Set(["ecb_daily"]));
  expect(seen.dollar.effective_at["SEK"]).toBe("2025-12-29T13:15:00Z");
  expect(seen.convert?.source).toBe("ecb_daily");
  await until("2025-12-29T18:00:00Z");
  trouble("massive", null);
  alive(await until("2025-12-29T18:00:05Z"));

  await until("2025-12-31T22:00:00Z", alive);
  seen = await until("2026-01-01T12:00:00Z", alive);
  // Polled again after the close, this feed repeats the last price before it.
  expect(seen.dollar.effective_at["EUR"]?.slice(0, 16)).toBe("2025-12-31T21:59");
  // Another process on the same archive has the same quotes before its first poll.
  await week.restart();
  const { status: before, ...rates } = seen;
  const { status: after, ...again } = await until("2026-01-01T12:00:00Z");
  expect(again).toEqual(rates);
  expect(after.checks.live_data).toMatchObject({
    status: "ok",
    live_currencies: before.checks.live_data.live_currencies,
  });
  expect(polls("massive", "2025-12-31T22:00Z", "2026-01-01T22:00Z")).toBeLessThan(54);
  seen = await until("2026-01-01T22:00:05Z", alive);
  expect(seen.dollar.effective_at["EUR"]?.slice(0, 16)).toBe("2026-01-01T22:00");
  await until("2026-01-02T03:00:00Z", alive);
  await week.assertArchived();
});
