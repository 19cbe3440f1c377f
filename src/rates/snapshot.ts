/** The rates in force on a day, each with the day of its figures. */

import { type CurrencyIndex, currencyCode } from "#domain/currency/currency.ts";
import { provenanceOf } from "#domain/dataset/dataset.ts";
import { type Cross, crossRate } from "#domain/history/cross.ts";
import { refuseDamaged } from "#domain/history/damage.ts";
import { FILL_DAYS } from "#domain/history/history.ts";
import { COVERAGE_START, type Day, dayAt } from "#domain/time/day.ts";
import { type DailyDeps, viewsOfDays } from "./query.ts";

const NOTHING = { rates: [], origin: { source: null, dataUpdatedAt: null } };

/**
 * Returns the rates in force on the day, in the requested order. All figures of a rate are of the rate's date: a pair has
 * one value for each date, whichever day was requested. A future day is read as today while a fill would reach it. Empty
 * before coverage and when no rate is in force. Fails with `data_unavailable` before the first ingest, and where a day
 * that was looked at is damaged.
 */
export function snapshot(deps: DailyDeps, day: Day, base: CurrencyIndex, symbols: readonly CurrencyIndex[]) {
  const today = dayAt(deps.clock.now());
  const newest = Math.min(day, today);
  const oldest = Math.max(COVERAGE_START, newest - FILL_DAYS);
  if (symbols.length === 0 || day > today + FILL_DAYS || newest < oldest) return NOTHING;
  const { view } = viewsOfDays(deps, { base, symbols, start: newest, end: newest, asOf: null });
  const { history } = view.dataset;
  const { date } = history.observations;
  /** Returns the newest rate on or before `at` that has all its figures of one day; null without one. */
  const lastRate = (symbol: CurrencyIndex, at: Day): Cross | null => {
    const cross = crossRate(history, at, base, symbol);
    if (cross === null) return null;
    const before = Math.min(...cross.rows.map((row) => date[row] as Day));
    if (before === at) return cross;
    if (before < oldest) return null;
    refuseDamaged(view.dataset, before, before);
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
