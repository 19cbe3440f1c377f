/** The rate of one pair, latest or of a past day, and amounts converted at it. Slugs with a third part are in src/official/quote.ts. */

import { type CurrencyIndex, currencyCode, type Slug } from "#domain/currency/currency.ts";
import { type PairRate, provenanceOf, type View } from "#domain/dataset/dataset.ts";
import { type Cross, crossRate, derivationBound } from "#domain/history/cross.ts";
import { refuseDamaged } from "#domain/history/damage.ts";
import type { AsOf } from "#domain/history/observation.ts";
import { CONVERTED_DIGITS } from "#domain/number/amount.ts";
import { type Decimal, multiplyRounded, parseDecimal, withDecimals } from "#domain/number/decimal.ts";
import { type SpotRate, spotBound, spotOrigin, spotRate } from "#domain/spot/rates.ts";
import type { SpotTable } from "#domain/spot/table.ts";
import { marketSession } from "#domain/time/calendar.ts";
import { COVERAGE_START, type Day, dayAt } from "#domain/time/day.ts";
import {
  type DailyDeps,
  isSuspended,
  noRateOn,
  openView,
  type RatesDeps,
  refusePendingDays,
  refusePendingLatest,
  withoutRate,
} from "./query.ts";

export interface QuoteQuery extends Pick<Slug, "base" | "quote"> {
  readonly dp: number | null;
  /** Absent: the server's delay. */
  readonly delayMinutes?: number | undefined;
}

/** The latest rate of a pair. Failure `data_unavailable` or `live_unavailable` without one. */
export function quote(deps: Pick<RatesDeps, "spot">, query: QuoteQuery): PairRate {
  return spotPair(deps.spot(query.delayMinutes), query);
}

/** The rate of a pair from a spot table, rounded to `dp` decimals (null: all digits). Fails as `knownRate`. */
export function spotPair(table: SpotTable, { base, quote, dp }: Omit<QuoteQuery, "delayMinutes">): PairRate {
  const rate = knownRate(table, base, quote);
  const pair = pairsOf.get(rate) ?? pairOf(table, rate);
  pairsOf.set(rate, pair);
  return dp === null ? pair : { ...pair, rate: withDecimals(pair.rate, dp) };
}

/** Keyed by the rate's object in the spot table: many answers share one pair. */
const pairsOf = new WeakMap<SpotRate, PairRate>();

function pairOf(table: SpotTable, rate: SpotRate): PairRate {
  const { from: base, to: quote, text, derived } = rate;
  const { stale, ...origin } = spotOrigin(table, base, [rate]);
  return {
    ...{ base, quote, ...origin, rate: text, derived, session: table.session, boundBps: spotBound(rate) },
    stale: stale[currencyCode(quote)] === true,
  };
}

/** The unrounded rate. Failure `data_unavailable` or `live_unavailable` without one. */
export function knownRate(table: SpotTable, from: CurrencyIndex, to: CurrencyIndex): SpotRate {
  refusePendingLatest(table, { base: from, symbols: [to] });
  const rate = spotRate(table, from, to);
  if (rate === null) throw withoutRate(table, [from, to]);
  return rate;
}

/** The cross rate of a day within coverage; Failure `no_data_for_date` without one. `view` is as of `asOf`, `present` is of now. */
export function crossOn(
  view: View,
  day: Day,
  base: CurrencyIndex,
  quote: CurrencyIndex,
  { present, asOf }: { readonly present: View; readonly asOf: AsOf | null } = { present: view, asOf: null },
): Cross {
  const isCovered = day >= COVERAGE_START && day <= dayAt(view.now);
  const cross = isCovered ? crossRate(view.dataset.history, day, base, quote) : null;
  if (cross === null) throw noRateOn(present, day, asOf);
  return cross;
}

/** Failure `data_unavailable` where the rate may be in a damaged file, or needs a source that was never collected. */
export function refuseUncertain(view: View, day: Day, base: CurrencyIndex, quote: CurrencyIndex): void {
  refuseDamaged(view.dataset, day, day);
  refusePendingDays(view, { base, symbols: [quote], start: day, end: day });
}

/** The rate of a past day, filled where nothing was published on it. Fails as `historical`. */
export function pairOn(deps: DailyDeps, { base, quote, dp }: Omit<QuoteQuery, "delayMinutes">, day: Day) {
  const view = openView(deps);
  const { dataset, now } = view;
  refuseUncertain(view, day, base, quote);
  const cross = crossOn(view, day, base, quote);
  const { stale, forwardFilled, ...origin } = provenanceOf(view, day, base, [[quote, cross]]);
  const pair: PairRate = {
    ...{ base, quote, ...origin, derived: cross.derived, isReference: true, session: marketSession(now) },
    rate: withDecimals(cross.text, dp),
    boundBps: derivationBound(dataset.history, cross),
    stale: stale[currencyCode(quote)] === true,
  };
  return { pair, forwardFilled, cross, dataset };
}

export interface ConvertQuery {
  readonly from: CurrencyIndex;
  readonly to: CurrencyIndex;
  readonly amount: Decimal;
  /** null: the latest rates. */
  readonly day: Day | null;
  readonly dp: number | null;
  readonly delayMinutes?: number | undefined;
}

/** The amount at the rate, rounded to at most 15 significant digits. With `dp` the rate is rounded first. */
export function convert(deps: RatesDeps, query: ConvertQuery) {
  const { from, to, amount, day, dp } = query;
  const asked = { base: from, quote: to, dp };
  if (day === null) {
    const pair = spotPair(deps.spot(query.delayMinutes), asked);
    return { pair, amount, converted: times(pair.rate, amount), day: null };
  }
  const { pair, forwardFilled } = pairOn(deps, asked, day);
  return { pair, amount, converted: times(pair.rate, amount), day: { date: day, forwardFilled } };
}

export type Conversion = ReturnType<typeof convert>;

export interface BatchQuery {
  readonly from: CurrencyIndex;
  readonly pairs: readonly (readonly [to: CurrencyIndex, amount: Decimal])[];
  readonly delayMinutes?: number | undefined;
}

/** Converts every pair at the same rates and instant, in order. Suspended targets are named and left out; if all are, it fails. */
export function convertBatch(deps: Pick<RatesDeps, "spot">, { from, pairs, delayMinutes }: BatchQuery) {
  const table = deps.spot(delayMinutes);
  const isLeftOut = (to: CurrencyIndex) => isSuspended(table, to) && !isSuspended(table, from);
  const missing = new Set(pairs.map(([to]) => to).filter(isLeftOut));
  const left = pairs.filter(([to]) => !missing.has(to));
  if (left.length === 0) throw withoutRate(table, [from, ...missing]);
  const conversions = left.map(([to, amount]) => {
    const rate = knownRate(table, from, to);
    return { rate, amount, converted: times(rate.text, amount), boundBps: spotBound(rate) };
  });
  const origin = spotOrigin(
    table,
    from,
    conversions.map(({ rate }) => rate),
  );
  return {
    from,
    missing: [...missing],
    conversions,
    origin,
    session: table.session,
    simulated: origin.simulated,
  };
}

export type ConversionBatch = ReturnType<typeof convertBatch>;

/** The product, rounded once to at most 15 significant digits. */
export function times(rate: string, amount: Decimal): string {
  return multiplyRounded(parseDecimal(rate) as Decimal, amount, CONVERTED_DIGITS);
}
