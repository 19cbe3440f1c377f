/** Means of daily rates over a period: of the published days, or of every calendar day with the rate in force. */

import type { CurrencyIndex } from "#domain/currency/currency.ts";
import type { Cross } from "#domain/history/cross.ts";
import { type MeanMethod, meanOfDigits } from "#domain/history/periods.ts";
import type { DatedRate } from "#domain/history/series.ts";
import { noRateOn } from "./query.ts";
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
  const window = ratesOfWindow(deps, query, method === "published" ? "none" : "previous");
  const made = window.wanted.flatMap((to) => {
    const rates = [...window.ratesOf(to)];
    const [first, last] = [rates[0], rates.at(-1)];
    if (first === undefined || last === undefined) return [];
    const mean = meanOfDigits(rates.map(({ digits }) => digits));
    const rate: Average = { to, mean, days: rates.length, first, last, ...extremesOf(rates) };
    // Each currency's origin is that of its own last day: another may have ended earlier.
    return [{ rate, ends: [window.crossOn(last.day, to) as Cross] }];
  });
  if (made.length === 0) throw noRateOn(window.present, query.end, query.asOf);
  return { ...window.answer(made), method };
}

/** The first of the smallest and of the largest rates, of at least one. */
export function extremesOf(rates: readonly DatedRate[]) {
  return {
    low: rates.reduce((low, rate) => (Number(rate.text) < Number(low.text) ? rate : low)),
    high: rates.reduce((high, rate) => (Number(rate.text) > Number(high.text) ? rate : high)),
  };
}
