/** The publication times of each authority: what is due, what is stale, the assumed time of an undated document, and ended currencies. */

import {
  CURRENCY_CODES,
  CURRENCY_COUNT,
  type CurrencyCode,
  type CurrencyIndex,
  currencyIndex,
} from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource, PIVOT } from "#domain/currency/source.ts";
import {
  atWallTime,
  dayInZone,
  isTargetDay,
  isUsFederalDay,
  isUsFederalHoliday,
  perDay,
} from "#domain/time/calendar.ts";
import { type Day, dayAt, type Instant, weekdayOf } from "#domain/time/day.ts";
import { currencyOfRow, FILL_DAYS, type History, type Row } from "./history.ts";

/** ECB: around 16:00 Frankfurt on every TARGET day; two hours of grace. */
const ECB_DUE_HOUR = 16;
const ECB_GRACE_HOURS = 2;
/** H.10: Mondays 16:15 New York, Tuesday after a holiday, with figures through the Friday before; three hours of grace. */
const FRED_DUE_HOUR = 16;
const FRED_DUE_MINUTE = 15;
const FRED_GRACE_HOURS = 3;
const HOUR = 3_600_000;
const MINUTE = 60_000;

/** The newest day with figures that must have been published by `now`, grace included. */
export function newestDueDay(source: DailySource, now: Instant): Day {
  // Every release is at a whole minute, so the zone tables are read once per minute.
  const minute = Math.floor(now / MINUTE);
  const cached = lastDue.get(source);
  if (cached?.minute === minute) return cached.day;
  const day =
    source === "ecb_daily"
      ? newestEcbDay(now - ECB_GRACE_HOURS * HOUR)
      : newestFredDay(now - FRED_GRACE_HOURS * HOUR);
  lastDue.set(source, { minute, day });
  return day;
}

const lastDue = new Map<DailySource, { readonly minute: number; readonly day: Day }>();

export function nextPublication(source: DailySource, now: Instant): Instant {
  const isEcb = source === "ecb_daily";
  for (let day = dayAt(now) - 1; ; day++) {
    const at = isEcb ? ecbReleaseAt(day) : fredReleaseAt(day);
    if (at > now && (isEcb ? isTargetDay(day) : isFredReleaseDay(day))) return at;
  }
}

/**
 * True when a newer figure than that of `date` is overdue. `coveredThrough` is the last day that the source's documents cover: H.10
 * marks closed days with a dot, which is no delay.
 */
export function isStale(source: DailySource, date: Day, coveredThrough: Day, now: Instant): boolean {
  // Documents of a day to come: our clock was set back since, and what is due is unknown.
  if (coveredThrough > dayAt(now)) return true;
  const due = newestDueDay(source, now);
  if (source === "ecb_daily") return date < due;
  const answered = coveredThrough - date <= 7 ? Math.max(date, coveredThrough) : date;
  return answered < due;
}

function newestEcbDay(at: Instant): Day {
  let day = dayInZone("Europe/Berlin", at);
  if (at < ecbReleaseAt(day)) day -= 1;
  while (!isTargetDay(day)) day -= 1;
  return day;
}

function newestFredDay(at: Instant): Day {
  let release = dayInZone("America/New_York", at);
  while (!isFredReleaseDay(release) || fredReleaseAt(release) > at) release -= 1;
  // Figures reach through the Friday before the release's Monday.
  let day = release - ((weekdayOf(release) + 6) % 7) - 3;
  while (!isUsFederalDay(day)) day -= 1;
  return day;
}

function isFredReleaseDay(day: Day): boolean {
  const weekday = weekdayOf(day);
  return (weekday === 1 && !isUsFederalHoliday(day)) || (weekday === 2 && isUsFederalHoliday(day - 1));
}

function ecbReleaseAt(day: Day): Instant {
  return atWallTime("Europe/Berlin", day, ECB_DUE_HOUR, 0);
}

function fredReleaseAt(day: Day): Instant {
  return atWallTime("America/New_York", day, FRED_DUE_HOUR, FRED_DUE_MINUTE);
}

const SCHEDULED: Readonly<Record<DailySource, (date: Day) => Instant>> = {
  ecb_daily: perDay(ecbReleaseAt),
  /** On the Monday after the day, on the Tuesday where that Monday is a federal holiday. */
  fred_daily: perDay((date) => {
    const monday = date + ((8 - weekdayOf(date)) % 7 || 7);
    return fredReleaseAt(isUsFederalHoliday(monday) ? monday + 1 : monday);
  }),
};

/** The scheduled publication of a source's figures of `date`, without the grace that staleness allows. */
export function scheduledPublication(source: DailySource, date: Day): Instant {
  return SCHEDULED[source](date);
}

const OPEN: Readonly<Record<DailySource, (date: Day) => boolean>> = {
  ecb_daily: perDay(isTargetDay),
  fred_daily: perDay(isUsFederalDay),
};

/** Whether the source has figures of a date. Correct for every date since 1999. */
export function isPublicationDay(source: DailySource, date: Day): boolean {
  return OPEN[source](date);
}

/**
 * Whether the newest figure of a row's currency and source is of the source's last publication day up to `day`, or later. When other
 * currencies have newer ones, its own may be held. After 14 days without a figure the currency counts as suspended.
 */
export function isPublishedThrough(history: History, row: Row, day: Day): boolean {
  const { source, date } = history.observations;
  const number = source[row] as number;
  let last = day;
  while (!isPublicationDay(DAILY_SOURCES[number] as DailySource, last)) last -= 1;
  const newest = newestRows(history, currencyOfRow(history, row))[number] as Row;
  const [own, ofSource] = [date[newest] as Day, newestDateOf(history, number) as Day];
  return (ofSource - own > FILL_DAYS ? ofSource : own) >= last;
}

/**
 * True when a figure was due by `now` and is missing here: that of a past day, or of a day after the figure in force (`row`) and before it.
 * The source's documents have not reached it.
 */
export function isMissingOn(
  history: History,
  { row, day, coveredThrough, now }: { row: Row; day: Day; coveredThrough: Day | null; now: Instant },
): boolean {
  const source = DAILY_SOURCES[history.observations.source[row] as number] as DailySource;
  const due = Math.min(day, newestDueDay(source, now));
  return (coveredThrough ?? Number.NEGATIVE_INFINITY) < due && !isPublishedThrough(history, row, due);
}

export interface SuspendedCurrency {
  readonly currency: CurrencyIndex;
  readonly lastDate: Day;
}

/**
 * Currencies without a figure in the last 14 days up to `today`, although a source that had figures of them published other
 * currencies in these days. While the source itself is silent, no currency is suspended.
 */
export function suspendedCurrencies(history: History, today: Day): readonly SuspendedCurrency[] {
  const publishing = DAILY_SOURCES.map((_, source) => isRecent(newestDateOf(history, source), today));
  return CURRENCY_CODES.flatMap((_, currency) => {
    const rows = newestRows(history, currency);
    const lastDate = lastDateOf(history, currency);
    const goesOn = rows.some((row, source) => row >= 0 && publishing[source] === true);
    return lastDate !== null && goesOn && !isRecent(lastDate, today) ? [{ currency, lastDate }] : [];
  });
}

/** A currency with figures of a source, but not of the source's newest day. */
export interface CurrencyBehind {
  readonly code: CurrencyCode;
  readonly lastDate: Day;
  /** Days from that date to the newest one of the source. */
  readonly days: number;
  /** More than 14 days: no latest rate is made of its last figure. Fewer can be a holiday of one series. */
  readonly isSuspended: boolean;
}

/** Currencies that the newest figures of a source lack, in the order of the catalogue. */
export function currenciesBehind(history: History, source: DailySource): readonly CurrencyBehind[] {
  const number = DAILY_SOURCES.indexOf(source);
  const newest = newestDateOf(history, number);
  if (newest === null) return [];
  return CURRENCY_CODES.flatMap((code, currency) => {
    const row = newestRows(history, currency)[number] as Row;
    const lastDate = row < 0 ? newest : (history.observations.date[row] as Day);
    const days = newest - lastDate;
    return days > 0 ? [{ code, lastDate, days, isSuspended: days > FILL_DAYS }] : [];
  });
}

/** Last date with a published figure of the currency, or null; a pivot is published with every figure of its source. */
export function lastDateOf(history: History, currency: CurrencyIndex): Day | null {
  const dates = newestRows(history, currency).flatMap((row, source) => {
    const isPivot = currencyIndex(PIVOT[DAILY_SOURCES[source] as keyof typeof PIVOT]) === currency;
    const date = isPivot ? newestDateOf(history, source) : (history.observations.date[row] ?? null);
    return date === null ? [] : [date];
  });
  return dates.length === 0 ? null : Math.max(...dates);
}

const newestByHistory = new WeakMap<History, Row[][]>();

/** By source: the newest figure of the currency, or -1. Searched once per history. */
export function newestRows(history: History, currency: CurrencyIndex): readonly Row[] {
  const byCurrency = newestByHistory.get(history) ?? [];
  newestByHistory.set(history, byCurrency);
  byCurrency[currency] ??= DAILY_SOURCES.map((_, source) => {
    for (let day = history.lastDay; day >= history.firstDay; day--) {
      const row = history.row(source, day, currency);
      if (row >= 0) return row;
    }
    return -1;
  });
  return byCurrency[currency];
}

/** The newest date with a figure of the source, or null. */
export function newestDateOf(history: History, source: number): Day | null {
  const { date } = history.observations;
  const dates = Array.from({ length: CURRENCY_COUNT }, (_, currency) => {
    const row = newestRows(history, currency)[source] as Row;
    return row < 0 ? Number.NEGATIVE_INFINITY : (date[row] as Day);
  });
  const newest = Math.max(...dates);
  return Number.isFinite(newest) ? newest : null;
}

function isRecent(date: Day | null, today: Day): boolean {
  return date !== null && today - date <= FILL_DAYS;
}
