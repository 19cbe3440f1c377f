/** The reference rates in force on a day, each with its publication day. All Frankfurter answers use it. */

import type { Origin } from "#api/compat/compat.ts";
import { type CurrencyCode, type CurrencyIndex, currencyCode } from "#domain/currency/currency.ts";
import type { DailySource, Source } from "#domain/currency/source.ts";
import { provenanceOf } from "#domain/dataset/dataset.ts";
import { type Cross, crossRate } from "#domain/history/cross.ts";
import { FILL_DAYS, rowSource } from "#domain/history/history.ts";
import { COVERAGE_START, type Day, dayAt } from "#domain/time/day.ts";
import { type DailyDeps, forSource, viewsOfDays } from "#rates/query.ts";

export interface DatedRate {
  readonly code: CurrencyCode;
  readonly text: string;
  /** The day of its figures. */
  readonly day: Day;
  readonly source: Source | null;
}

export interface Snapshot {
  /** In the requested order. */
  readonly rates: readonly DatedRate[];
  readonly origin: Origin;
}

const NOTHING: Snapshot = { rates: [], origin: { source: null, dataUpdatedAt: null } };

/**
 * Returns the rates in force on the day, of one source where `only` is set. All figures of a rate are of the rate's
 * date: a pair has one value for each date, whichever day was requested. A future day is read as today while a fill
 * would reach it. Empty before coverage and when no rate is in force. Fails with `data_unavailable` before the first
 * ingest.
 */
export function snapshot(
  deps: DailyDeps,
  day: Day,
  base: CurrencyIndex,
  symbols: readonly CurrencyIndex[],
  only: DailySource | null,
): Snapshot {
  const today = dayAt(deps.clock.now());
  const newest = Math.min(day, today);
  const oldest = Math.max(COVERAGE_START, newest - FILL_DAYS);
  if (symbols.length === 0 || day > today + FILL_DAYS || newest < oldest) return NOTHING;
  const sourced = forSource(deps, only);
  const viewOn = (at: Day, of: readonly CurrencyIndex[]) =>
    viewsOfDays(sourced, { base, symbols: of, start: at, end: at, asOf: null }).view;
  const view = viewOn(newest, symbols);
  const { history } = view.dataset;
  const { date } = history.observations;
  /** Returns the newest rate on or before `at` that has all its figures of one day; null without one. */
  const lastRate = (symbol: CurrencyIndex, at: Day): Cross | null => {
    const cross = crossRate(history, at, base, symbol);
    if (cross === null) return null;
    if (only !== null && cross.rows.some((row) => rowSource(history, row) !== only)) return null;
    const before = Math.min(...cross.rows.map((row) => date[row] as Day));
    if (before === at) return cross;
    if (before < oldest) return null;
    // Fails where that day is damaged.
    viewOn(before, [symbol]);
    return lastRate(symbol, before);
  };
  const crosses = symbols.flatMap((symbol) => {
    const cross = lastRate(symbol, newest);
    return cross === null ? [] : [[symbol, cross] as const];
  });
  if (crosses.length === 0) return NOTHING;
  const { sources, source, dataUpdatedAt, simulated } = provenanceOf(view, newest, base, crosses);
  const rates = crosses.map(([symbol, { text, rows }]) => {
    const code = currencyCode(symbol);
    return { code, text, day: date[rows[0] as number] as Day, source: sources[code] ?? null };
  });
  return { rates, origin: { source, dataUpdatedAt, simulated } };
}
