/**
 * Business days of the authorities (TARGET for the ECB, the US federal calendar for H.10), the wall clocks of their cities, and
 * the hours of the interbank market.
 */

import {
  type Day,
  dayAt,
  dayOf,
  formatDay,
  type Instant,
  MILLISECONDS_PER_DAY,
  weekdayOf,
  yearOf,
} from "./day.ts";

// ── TARGET ───────────────────────────────────────────────────────────────────────────────────────

/**
 * True when the ECB publishes on the day. Verified against every date since 1999: weekends, 1 January and 25 December; from 2000
 * also Good Friday, Easter Monday, 1 May and 26 December; and 1999-12-31 and 2001-12-31.
 */
export function isTargetDay(day: Day): boolean {
  const weekday = weekdayOf(day);
  if (weekday === 0 || weekday === 6) return false;
  const year = yearOf(day);
  const on = (month: number, date: number) => day === dayOf(year, month, date);
  if (on(1, 1) || on(12, 25)) return false;
  if (year === 1999 || year === 2001) {
    if (on(12, 31)) return false;
  }
  if (year < 2000) return true;
  const easter = easterSunday(year);
  return !(day === easter - 2 || day === easter + 1 || on(5, 1) || on(12, 26));
}

/** Gregorian Easter Sunday (Meeus/Jones/Butcher). */
export function easterSunday(year: number): Day {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const g = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 19 * l) / 433);
  const month = Math.floor((h + l - 7 * m + 90) / 25);
  const date = (h + l - 7 * m + 33 * month + 19) % 32;
  return dayOf(year, month, date) as Day;
}

// ── US federal holidays ──────────────────────────────────────────────────────────────────────────

/** True when H.10 has a figure for the day as far as a calendar shows; snow and days of mourning cannot be predicted. */
export function isUsFederalDay(day: Day): boolean {
  const weekday = weekdayOf(day);
  return weekday !== 0 && weekday !== 6 && !isUsFederalHoliday(day);
}

/** As H.10 observes it: a holiday on a Sunday moves to the Monday after; on a Saturday, since 2010, to the Friday before. */
export function isUsFederalHoliday(day: Day): boolean {
  // New Year's Day of the next year can be observed on 31 December.
  return [yearOf(day), yearOf(day) + 1].some((year) => federalHolidays(year).includes(day));
}

function federalHolidays(year: number): readonly Day[] {
  const fixed = (month: number, date: number) => observed(dayOf(year, month, date) as Day);
  return [
    fixed(1, 1),
    nthWeekday(year, 1, 1, 3),
    nthWeekday(year, 2, 1, 3),
    lastMonday(year, 5),
    ...(year >= 2021 ? [fixed(6, 19)] : []),
    fixed(7, 4),
    nthWeekday(year, 9, 1, 1),
    nthWeekday(year, 10, 1, 2),
    fixed(11, 11),
    nthWeekday(year, 11, 4, 4),
    fixed(12, 25),
  ];
}

const FRIDAY_RULE_SINCE = 2010;

function observed(day: Day): Day {
  const weekday = weekdayOf(day);
  if (weekday === 6 && yearOf(day) >= FRIDAY_RULE_SINCE) return day - 1;
  return weekday === 0 ? day + 1 : day;
}

/** The nth given weekday (0 Sunday … 6 Saturday) of a month. */
export function nthWeekday(year: number, month: number, weekday: number, nth: number): Day {
  const first = dayOf(year, month, 1) as Day;
  return first + ((weekday - weekdayOf(first) + 7) % 7) + 7 * (nth - 1);
}

function lastMonday(year: number, month: number): Day {
  const last = (dayOf(year, month + 1, 1) as Day) - 1;
  return last - ((weekdayOf(last) - 1 + 7) % 7);
}

// ── Wall clocks ──────────────────────────────────────────────────────────────────────────────────

/** Local wall time minus UTC in milliseconds. `zone` is an IANA name; RangeError for an unknown one. */
export function zoneOffset(zone: string, instant: Instant): number {
  const whole = Temporal.Instant.fromEpochMilliseconds(Math.floor(instant));
  return whole.toZonedDateTimeISO(zone).offsetNanoseconds / 1e6;
}

/** The instant at which a zone's wall clock shows `hour:minute` on a day; the hours used here never fall into a clock change. */
export function atWallTime(zone: string, day: Day, hour: number, minute: number): Instant {
  const wall = day * MILLISECONDS_PER_DAY + (hour * 60 + minute) * 60_000;
  return wall - zoneOffset(zone, wall - zoneOffset(zone, wall));
}

/** The calendar day a zone's wall clock shows at an instant. */
export function dayInZone(zone: string, instant: Instant): Day {
  return dayAt(instant + zoneOffset(zone, instant));
}

const NEW_YORK = "America/New_York";

// ── Observation and release instants ─────────────────────────────────────────────────────────────

/** ECB concertation: 14:15 Frankfurt on the day. */
export const ecbObservedAt = perDay((day) => atWallTime("Europe/Berlin", day, 14, 15));

/** H.10: noon buying rates in New York. */
export const fredObservedAt = perDay((day) => atWallTime(NEW_YORK, day, 12, 0));

/** Remembers the value of each day: a history needs each day many times, and a wall clock or a holiday costs a microsecond. */
export function perDay<T extends Instant | boolean>(compute: (day: Day) => T): (day: Day) => T {
  const values = new Map<Day, T>();
  return (day) => {
    const value = values.get(day) ?? compute(day);
    values.set(day, value);
    return value;
  };
}

export const MARKET_SESSIONS = ["open", "weekend", "interbank_closed"] as const;
export type MarketSession = (typeof MARKET_SESSIONS)[number];

const SEVEN_HOURS = 7 * 3_600_000;

/**
 * The trade date turns at 17:00 New York. Saturdays and Sundays are the weekend; 25 December and 1 January are closed between
 * banks; the weekend wins.
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
  // Added to the wall clock, so a clock change in between does not matter.
  return sessionOfTradeDate(dayAt(instant + zoneOffset(NEW_YORK, instant) + SEVEN_HOURS));
}

function sessionOfTradeDate(tradeDate: Day): MarketSession {
  const weekday = weekdayOf(tradeDate);
  if (weekday === 0 || weekday === 6) return "weekend";
  const monthDay = formatDay(tradeDate).slice(5);
  return monthDay === "12-25" || monthDay === "01-01" ? "interbank_closed" : "open";
}

/** The end of a trade date, which is the only time of a day at which sessions turn. */
const endOfTradeDate = perDay((day) => atWallTime(NEW_YORK, day, 17, 0));

/** Milliseconds of open market from `from` to `to`; 0 when `to` is not later. Costs one step per day in between. */
export function openMilliseconds(from: Instant, to: Instant): number {
  let open = 0;
  let at = from;
  for (let tradeDate = dayAt(from); at < to; tradeDate++) {
    const until = Math.min(to, endOfTradeDate(tradeDate));
    if (until <= at) continue;
    if (sessionOfTradeDate(tradeDate) === "open") open += until - at;
    at = until;
  }
  return open;
}

/** When the session changes next, and to what. A holiday inside a weekend changes nothing. */
export function nextTurn(from: Instant): { readonly at: Instant; readonly session: MarketSession } {
  const now = marketSession(from);
  for (let tradeDate = dayAt(from); ; tradeDate++) {
    const at = endOfTradeDate(tradeDate);
    const session = sessionOfTradeDate(tradeDate + 1);
    if (at > from && session !== now) return { at, session };
  }
}
