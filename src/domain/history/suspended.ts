/** Currencies whose figures have ended while the source that had them goes on: asking again brings no rate of them. */

import {
  CURRENCY_CODES,
  CURRENCY_COUNT,
  type CurrencyCode,
  type CurrencyIndex,
  currencyIndex,
} from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource, PIVOT } from "#domain/currency/source.ts";
import type { Day } from "#domain/time/day.ts";
import { FILL_DAYS, type History, type Row } from "./history.ts";

export interface SuspendedCurrency {
  readonly currency: CurrencyIndex;
  /** Date of its last figure. */
  readonly lastDate: Day;
}

/**
 * Currencies with figures, but with none of the last 14 days up to `today`, although a source that has had them published others in
 * these days. While the source itself is silent nothing is suspended.
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

/** A currency of which a source has figures, but not of its newest day. */
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

/** By source: the newest figure of the currency, -1 without one. Looked for once a history. */
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

function newestDateOf(history: History, source: number): Day | null {
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
