/** Means of daily rates over a period: of the published days, or of every calendar day with the rate in force. */

import type { CurrencyIndex } from "#domain/currency/currency.ts";
import type { Cross } from "#domain/history/cross.ts";
import { type MeanMethod, meanOfDigits } from "#domain/history/periods.ts";
import type { DatedRate } from "#domain/history/series.ts";
import { COVERAGE_START } from "#domain/time/day.ts";
import { nothingPublished } from "./query.ts";
import { ratesOfWindow, type WindowDeps, type WindowQuery, type WindowRates } from "./window.ts";

export interface Average {
  readonly to: CurrencyIndex;
  /** The exact mean of the printed rates, half-even to ten significant digits. */
  readonly mean: string;
  /** Days that are in the mean. */
  readonly days: number;
  readonly first: DatedRate;
  readonly last: DatedRate;
  /** The first day of the smallest and of the largest rate. */
  readonly low: DatedRate;
  readonly high: DatedRate;
}

export interface Averages extends WindowRates<Average> {
  readonly method: MeanMethod;
}

/** Failures as of ratesOfWindow; `no_data_for_date` where no currency has a rate in the window. */
export function average(
  deps: WindowDeps,
  { method, ...query }: WindowQuery & { readonly method: MeanMethod },
): Averages {
  const fill = method === "published" ? "none" : "previous";
  const { base, end, asOf } = query;
  // The year 1999 begins before its first figure, as a period does in which a currency is new.
  const start = Math.max(query.start, Math.min(end, COVERAGE_START));
  const window = ratesOfWindow(deps, { ...query, start }, fill);
  const made = window.wanted.flatMap((to) => {
    const rates = [...window.ratesOf(to)];
    const [first, last] = [rates[0], rates.at(-1)];
    if (first === undefined || last === undefined) return [];
    const mean = meanOfDigits(rates.map(({ digits }) => digits));
    const rate: Average = { to, mean, days: rates.length, first, last, ...extremesOf(rates) };
    // Each currency's origin is that of its own last day: another may have ended earlier.
    return [{ rate, ends: [window.crossOn(last.day, to) as Cross] }];
  });
  const { present, view, wanted } = window;
  if (made.length === 0)
    throw nothingPublished(present, view, { base, symbols: wanted, start, end, fill, asOf });
  return { ...window.answer(made), start: query.start, method };
}

/** The first of the smallest and of the largest rates, of at least one. */
export function extremesOf(rates: readonly DatedRate[]) {
  return {
    low: rates.reduce((low, rate) => (Number(rate.text) < Number(low.text) ? rate : low)),
    high: rates.reduce((high, rate) => (Number(rate.text) > Number(high.text) ? rate : high)),
  };
}
