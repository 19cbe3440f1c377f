/** How daily rates changed between two days: both ends with their own dates, the change, and the extremes between them. */

import type { CurrencyIndex } from "#domain/currency/currency.ts";
import { type Provenance, provenanceOf, simulatedOnDays } from "#domain/dataset/dataset.ts";
import { crossRate } from "#domain/history/cross.ts";
import type { AsOf } from "#domain/history/observation.ts";
import { type DatedRate, ratesBetween } from "#domain/history/series.ts";
import {
  type Decimal,
  formatShortest,
  parseDecimal,
  powerOfTen,
  roundSignificant,
} from "#domain/number/decimal.ts";
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

export interface FluctuationQuery {
  readonly base: CurrencyIndex;
  /** null: every other currency. */
  readonly symbols: readonly CurrencyIndex[] | null;
  readonly start: Day;
  readonly end: Day;
  /** Limits the answer to what was known then; null: no limit. */
  readonly asOf: AsOf | null;
}

export interface Fluctuation {
  readonly to: CurrencyIndex;
  /** Their figures are at most 14 days older. */
  readonly start: DatedRate;
  readonly end: DatedRate;
  /** End minus start, exact. */
  readonly change: string;
  /** Change in percent of the start, half-even to six significant digits. */
  readonly changePct: string;
  /** Over the start and all days published since. */
  readonly low: DatedRate;
  readonly high: DatedRate;
}

export interface Fluctuations extends Omit<FluctuationQuery, "symbols" | "asOf"> {
  readonly asOf: KnownAsOf | null;
  readonly rates: readonly Fluctuation[];
  /** Without a rate on one of the two days. */
  readonly missing: readonly CurrencyIndex[];
  /** Of the rates on the last day. */
  readonly origin: Provenance;
  readonly session: MarketSession;
}

/**
 * Failures `invalid_request` for a reversed window, `no_data_for_date` where no currency has a rate on both days,
 * `data_unavailable` where a source was not collected or a file is damaged.
 */
export function fluctuation(
  deps: WindowDeps,
  { base, symbols, start, end, asOf }: FluctuationQuery,
): Fluctuations {
  const opened = openWindow(deps, { base, symbols, start, end, asOf });
  const { view, present } = opened;
  const { dataset } = view;
  const series = seriesFor(deps, opened);
  const { history } = dataset;
  const wanted = symbols ?? everyOther(base);
  const ends = wanted.flatMap((to) => {
    const [first, last] = [crossRate(history, start, base, to), crossRate(history, end, base, to)];
    return first === null || last === null ? [] : [{ to, first, last }];
  });
  if (ends.length === 0) {
    const hasStart = wanted.some((to) => crossRate(history, start, base, to) !== null);
    throw noRateOn(present, hasStart ? end : start, asOf);
  }
  const dayOf = (rows: readonly number[]): Day =>
    Math.min(...rows.map((row) => history.observations.date[row] as Day));
  const rates = ends.map(({ to, first, last }): Fluctuation => {
    const dated = (cross: typeof first): DatedRate => ({ day: dayOf(cross.rows), text: cross.text });
    let [low, high] = [dated(first), dated(first)];
    const between = { pair: [base, to], fill: "none", start, end } as const;
    for (const value of ratesBetween(series, history, between)) {
      if (Number(value.text) < Number(low.text)) low = value;
      if (Number(value.text) > Number(high.text)) high = value;
    }
    return { to, start: dated(first), end: dated(last), ...changeOf(first.text, last.text), low, high };
  });
  const origin = provenanceOf(
    view,
    end,
    base,
    ends.map(({ to, last }) => [to, last] as const),
  );
  const targets = rates.map(({ to }) => to);
  function* figures() {
    for (const { to, first, last } of ends) {
      yield* [...first.rows, ...last.rows];
      for (const { day } of ratesBetween(series, history, { pair: [base, to], fill: "none", start, end }))
        yield* crossRate(history, day, base, to)?.rows ?? [];
    }
  }
  // Earlier rates may be simulated: H.10's, before the ECB had the currency.
  const simulated = simulatedOnDays(dataset, base, targets, function* () {
    for (let day = start; day <= end; day++) yield day;
  });
  return {
    ...{ base, start, end, rates },
    asOf: knownAsOf(asOf, dataset, figures()),
    missing: missingOf(wanted, targets),
    origin: { ...origin, simulated },
    session: marketSession(present.now),
  };
}

const PERCENT_DIGITS = 6;

function changeOf(from: string, to: string): Pick<Fluctuation, "change" | "changePct"> {
  const [first, last] = [parseDecimal(from) as Decimal, parseDecimal(to) as Decimal];
  const scale = Math.max(first.scale, last.scale);
  const start = first.units * powerOfTen(scale - first.scale);
  const change = last.units * powerOfTen(scale - last.scale) - start;
  return {
    change: formatShortest(change, scale),
    changePct: roundSignificant(change * 100n, start, PERCENT_DIGITS),
  };
}
