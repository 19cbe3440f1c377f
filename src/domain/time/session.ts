/** The hours of the interbank market, by the New York clock, and the open time between two instants. */

import { atWallTime, dayInZone, zoneOffset } from "./calendar.ts";
import { dayAt, formatDay, type Instant, weekdayOf } from "./day.ts";

export const MARKET_SESSIONS = ["open", "weekend", "interbank_closed"] as const;
export type MarketSession = (typeof MARKET_SESSIONS)[number];

const SEVEN_HOURS = 7 * 3_600_000;

/**
 * The trade date turns at 17:00 New York: wall time + 7 h. On a Saturday or Sunday trade date it is the weekend;
 * 25 December and 1 January are closed between banks; the weekend wins when both apply.
 */
export function marketSession(instant: Instant): MarketSession {
  // Sessions turn on whole minutes, so the zone tables are read once a minute.
  const minute = Math.floor(instant / MINUTE);
  if (minute !== last.minute) last = { minute, session: sessionAt(instant) };
  return last.session;
}

const MINUTE = 60_000;
let last: { readonly minute: number; readonly session: MarketSession } = {
  minute: Number.NaN,
  session: "open",
};

function sessionAt(instant: Instant): MarketSession {
  // The shift is added to the wall clock, not to the instant, so that a clock change in between does not matter.
  const tradeDate = dayAt(instant + zoneOffset("America/New_York", instant) + SEVEN_HOURS);
  const weekday = weekdayOf(tradeDate);
  if (weekday === 0 || weekday === 6) return "weekend";
  const monthDay = formatDay(tradeDate).slice(5);
  return monthDay === "12-25" || monthDay === "01-01" ? "interbank_closed" : "open";
}

const NEW_YORK = "America/New_York";

/** Milliseconds of open market from `from` to `to`; 0 when `to` is not later. Costs one step a day in between. */
export function openMilliseconds(from: Instant, to: Instant): number {
  let open = 0;
  let at = from;
  // Sessions only turn at 17:00 New York, so each stretch up to the next such instant is open or closed as a whole.
  for (let day = dayInZone(NEW_YORK, from); at < to; day++) {
    const until = Math.min(to, atWallTime(NEW_YORK, day, 17, 0));
    if (until <= at) continue;
    if (marketSession(at) === "open") open += until - at;
    at = until;
  }
  return open;
}

/** When the session changes next, and to what. A holiday inside a weekend changes nothing. */
export function nextTurn(from: Instant): { readonly at: Instant; readonly session: MarketSession } {
  const now = marketSession(from);
  for (let day = dayInZone(NEW_YORK, from); ; day++) {
    const at = atWallTime(NEW_YORK, day, 17, 0);
    if (at <= from) continue;
    const session = marketSession(at);
    if (session !== now) return { at, session };
  }
}
