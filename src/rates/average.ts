/** Means of daily rates over a period: of the published days, or of every calendar day with the rate in force. */

import type { Cross } from "#domain/history/cross.ts";
import { type MeanMethod, meanOfDigits } from "#domain/history/periods.ts";
import { isPublishedThrough } from "#domain/history/schedule.ts";
import type { DatedRate } from "#domain/history/series.ts";
import { COVERAGE_START } from "#domain/time/day.ts";
import { nothingPublished } from "./query.ts";
import { ratesOfWindow, type WindowDeps, type WindowQuery } from "./window.ts";

/**
 * For each currency: the exact mean of the printed rates (half-even, ten significant digits), the number of days, and the first day
 * of the smallest and of the largest rate. `isPublished` is false while a source has figures of the window to publish. Fails as
 * ratesOfWindow, and with `no_data_for_date` when no currency has a rate.
 */
export function average(
  deps: WindowDeps,
  { method, ...query }: WindowQuery & { readonly method: MeanMethod },
) {
  const fill = method === "published" ? "none" : "previous";
  const { base, end, asOf } = query;
  // The year 1999 begins before coverage does.
  const start = Math.max(query.start, Math.min(end, COVERAGE_START));
  const window = ratesOfWindow(deps, { ...query, start }, fill);
  const made = window.requested.flatMap((to) => {
    const rates = window.ratesOf(to);
    const [first, last] = [rates[0], rates.at(-1)];
    if (first === undefined || last === undefined) return [];
    const mean = meanOfDigits(rates.map(({ digits }) => digits));
    const rate = { to, mean, days: rates.length, first, last, ...extremesOf(rates) };
    // The ends are the currency's own days: its series may end before others.
    const ends: [Cross, Cross] = [
      window.crossOn(first.day, to) as Cross,
      window.crossOn(last.day, to) as Cross,
    ];
    return [{ rate, ends, rates }];
  });
  const { present, view, history, requested } = window;
  if (made.length === 0)
    throw nothingPublished(present, view, { base, symbols: requested, start, end, fill, asOf });
  const isPublished = made.every(({ ends: [, last] }) =>
    last.rows.every((row) => isPublishedThrough(history, row, end)),
  );
  return { ...window.answer(made), start: query.start, method, isPublished };
}

export type Average = ReturnType<typeof average>["rates"][number];

/** The first smallest and the first largest rate. `rates` must not be empty. */
export function extremesOf(rates: readonly DatedRate[]) {
  return {
    low: rates.reduce((low, rate) => (Number(rate.text) < Number(low.text) ? rate : low)),
    high: rates.reduce((high, rate) => (Number(rate.text) > Number(high.text) ? rate : high)),
  };
}
