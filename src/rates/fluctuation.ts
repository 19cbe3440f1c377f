/** How daily rates changed between two days: both ends with their own dates, the change, and the extremes between them. */

import type { Cross } from "#domain/history/cross.ts";
import type { DatedRate } from "#domain/history/series.ts";
import {
  type Decimal,
  formatShortest,
  parseDecimal,
  powerOfTen,
  roundSignificant,
} from "#domain/number/decimal.ts";
import type { Day } from "#domain/time/day.ts";
import { extremesOf } from "./average.ts";
import { noRateOn } from "./query.ts";
import { ratesOfWindow, type WindowDeps, type WindowQuery } from "./window.ts";

/**
 * For each currency: end minus start, exact, and in percent of the start (half-even, six significant digits). The figures of both
 * ends are at most 14 days older. The extremes cover the start, all days published since, and the end. Fails as ratesOfWindow;
 * `no_data_for_date` when no currency has a rate on both days.
 */
export function fluctuation(deps: WindowDeps, query: WindowQuery) {
  const window = ratesOfWindow(deps, query, "none");
  const { date } = window.history.observations;
  const datedOf = ({ rows, text }: Cross): DatedRate => ({
    day: Math.min(...rows.map((row) => date[row] as Day)),
    text,
  });
  let hasStart = false;
  const made = window.requested.flatMap((to) => {
    const [first, last] = [window.crossOn(query.start, to), window.crossOn(query.end, to)];
    hasStart ||= first !== null;
    if (first === null || last === null) return [];
    const [start, end] = [datedOf(first), datedOf(last)];
    // Where two sources have no day in common, the end is not among the published days.
    const rates = window.ratesOf(to);
    const extremes = extremesOf([start, ...rates, end]);
    const rate = { to, start, end, ...changeOf(first.text, last.text), ...extremes };
    const ends: [Cross, Cross] = [first, last];
    return [{ rate, ends, rates }];
  });
  if (made.length === 0) throw noRateOn(window.present, hasStart ? query.end : query.start, query.asOf);
  return window.answer(made);
}

export type Fluctuation = ReturnType<typeof fluctuation>["rates"][number];

const PERCENT_DIGITS = 6;

function changeOf(from: string, to: string) {
  const [first, last] = [parseDecimal(from) as Decimal, parseDecimal(to) as Decimal];
  const scale = Math.max(first.scale, last.scale);
  const start = first.units * powerOfTen(scale - first.scale);
  const change = last.units * powerOfTen(scale - last.scale) - start;
  return {
    change: formatShortest(change, scale),
    changePct: roundSignificant(change * 100n, start, PERCENT_DIGITS),
  };
}
