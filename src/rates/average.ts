/** Means of daily rates over a period: of the published days, or of every calendar day with the rate in force. */

import type { CurrencyIndex } from "#domain/currency/currency.ts";
import { type Provenance, provenanceOf, simulatedOnDays } from "#domain/dataset/dataset.ts";
import { crossRate } from "#domain/history/cross.ts";
import type { History } from "#domain/history/history.ts";
import type { AsOf } from "#domain/history/observation.ts";
import { type MeanMethod, meanOfDigits, type PrintedDigits } from "#domain/history/periods.ts";
import type { Fill } from "#domain/history/rate-columns.ts";
import { type DatedRate, ratesBetween, type SeriesCache } from "#domain/history/series.ts";
import type { KnownAsOf } from "#domain/rates/rates.ts";
import { type MarketSession, marketSession } from "#domain/time/calendar.ts";
import type { Day } from "#domain/time/day.ts";
import {
  everyOther,
  knownAsOf,
  missingOf,
  noRateOn,
  openWindow,
  seriesFor,
  type WindowDeps,
} from "./query.ts";

export interface AverageQuery {
  readonly base: CurrencyIndex;
  /** null: every other currency. */
  readonly symbols: readonly CurrencyIndex[] | null;
  readonly start: Day;
  readonly end: Day;
  readonly method: MeanMethod;
  /** Limits the answer to what was known then; null: no limit. */
  readonly asOf: AsOf | null;
}

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

export interface Averages extends Omit<AverageQuery, "symbols" | "asOf"> {
  readonly asOf: KnownAsOf | null;
  readonly rates: readonly Average[];
  /** Without a rate in the period. */
  readonly missing: readonly CurrencyIndex[];
  /** Of the last rate of each currency. */
  readonly origin: Provenance;
  readonly session: MarketSession;
}

/**
 * Failures `invalid_request` for a reversed window, `no_data_for_date` where no currency has a rate in it, `data_unavailable`
 * where a source was not collected or a file is damaged.
 */
export function average(
  deps: WindowDeps,
  { base, symbols, start, end, method, asOf }: AverageQuery,
): Averages {
  const opened = openWindow(deps, { base, symbols, start, end, asOf });
  const { view, present } = opened;
  const { dataset } = view;
  const series = seriesFor(deps, opened);
  const { history } = dataset;
  const wanted = symbols ?? everyOther(base);
  const fill = method === "published" ? "none" : "previous";
  const rates = wanted.flatMap((to) => averageOf(series, history, { base, to, start, end, fill }) ?? []);
  if (rates.length === 0) throw noRateOn(present, end, asOf);
  // Each currency's origin is that of its own last day: another may have ended earlier.
  const crosses = rates.flatMap(({ to, last }) => {
    const cross = crossRate(history, last.day, base, to);
    return cross === null ? [] : [[to, cross] as const];
  });
  const origin = provenanceOf(view, end, base, crosses);
  const targets = rates.map(({ to }) => to);
  function* figures() {
    for (const to of targets)
      for (const { day } of ratesBetween(series, history, { pair: [base, to], fill, start, end }))
        yield* crossRate(history, day, base, to)?.rows ?? [];
  }
  const simulated = simulatedOnDays(dataset, base, targets, function* () {
    for (let day = start; day <= end; day++) yield day;
  });
  return {
    ...{ base, start, end, method, rates },
    asOf: knownAsOf(asOf, dataset, figures()),
    missing: missingOf(wanted, targets),
    origin: { ...origin, simulated },
    session: marketSession(present.now),
  };
}

function averageOf(
  series: SeriesCache,
  history: History,
  { base, to, ...window }: { base: CurrencyIndex; to: CurrencyIndex; start: Day; end: Day; fill: Fill },
): Average | null {
  const values: PrintedDigits[] = [];
  let extremes: Extremes | null = null;
  for (const { day, text, digits } of ratesBetween(series, history, { ...window, pair: [base, to] })) {
    values.push(digits);
    extremes = withRate(extremes, { day, text });
  }
  return extremes === null ? null : { to, mean: meanOfDigits(values), days: values.length, ...extremes };
}

type Extremes = Pick<Average, "first" | "last" | "low" | "high">;

function withRate(before: Extremes | null, rate: DatedRate): Extremes {
  if (before === null) return { first: rate, last: rate, low: rate, high: rate };
  const { first, low, high } = before;
  return {
    first,
    last: rate,
    low: Number(rate.text) < Number(low.text) ? rate : low,
    high: Number(rate.text) > Number(high.text) ? rate : high,
  };
}
