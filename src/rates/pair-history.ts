/** The whole daily history of one pair, the days on which an authority corrected a figure behind it, and those with a simulated one. */

import type { CurrencyIndex } from "#domain/currency/currency.ts";
import { isSimulatedRow } from "#domain/dataset/dataset.ts";
import { crossRate } from "#domain/history/cross.ts";
import { refuseDamaged } from "#domain/history/damage.ts";
import type { History, Row } from "#domain/history/history.ts";
import { ratesBetween, type SeriesCache } from "#domain/history/series.ts";
import { COVERAGE_START, type Day } from "#domain/time/day.ts";
import { type DailyDeps, openView, refusePendingDays } from "./query.ts";
import { seriesEnd } from "./range/range.ts";

export interface PairHistoryDeps extends DailyDeps {
  readonly series: SeriesCache;
}

/** `corrected` and `simulated` are the days with such a figure. Failure `data_unavailable` before the first collection, and for damaged files. */
export function pairHistory(deps: PairHistoryDeps, base: CurrencyIndex, quote: CurrencyIndex) {
  const view = openView(deps);
  const { dataset, now } = view;
  const { history } = dataset;
  const end = seriesEnd(dataset, now);
  refuseDamaged(dataset, COVERAGE_START, end);
  refusePendingDays(view, { base, symbols: [quote], start: COVERAGE_START, end });
  const days: Day[] = [];
  const rates: string[] = [];
  const window = { pair: [base, quote], fill: "none", start: history.firstDay, end } as const;
  for (const { day, text } of ratesBetween(deps.series, history, window)) {
    days.push(day);
    rates.push(text);
  }
  const revised = revisedDays(history);
  const isAny = (day: Day, is: (row: Row) => boolean) =>
    crossRate(history, day, base, quote)?.rows.some(is) === true;
  const isCorrected = (row: Row) => (history.observations.revision[row] as number) > 1;
  const corrected = days.filter((day) => revised.has(day) && isAny(day, isCorrected));
  const isSimulated = (row: Row) => isSimulatedRow(dataset, row);
  const simulated = dataset.simulated ? days.filter((day) => isAny(day, isSimulated)) : [];
  return { version: history.version, days, rates, corrected, simulated };
}

/** Days with any corrected figure. They are few: only these are checked pair by pair. */
function revisedDays({ observations }: History): ReadonlySet<Day> {
  const days = new Set<Day>();
  for (let row = 0; row < observations.count; row++) {
    if ((observations.revision[row] as number) > 1) days.add(observations.date[row] as number);
  }
  return days;
}
