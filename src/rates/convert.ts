/** Conversion of one amount, or of a batch, at the latest rates or at a past day's. */

import { type CurrencyIndex, currencyCode } from "#domain/currency/currency.ts";
import { provenanceOf } from "#domain/dataset/provenance.ts";
import { crossRate, derivationBound } from "#domain/history/cross.ts";
import { refuseDamaged } from "#domain/history/damage.ts";
import { CONVERTED_DIGITS } from "#domain/number/amount.ts";
import { type Decimal, multiplyRounded, parseDecimal, withDecimals } from "#domain/number/decimal.ts";
import type { Conversion, ConversionBatch } from "#domain/rates/rates.ts";
import { spotBound, spotOrigin } from "#domain/spot/rates.ts";
import { COVERAGE_START, type Day, dayAt } from "#domain/time/day.ts";
import { marketSession } from "#domain/time/session.ts";
import { noRateOn } from "./no-rate.ts";
import { refusePendingDays } from "./pending.ts";
import { isSuspended, openView, type RatesDeps, withoutRate } from "./query.ts";
import { knownRate, spotPair } from "./quote.ts";

export interface ConvertQuery {
  readonly from: CurrencyIndex;
  readonly to: CurrencyIndex;
  readonly amount: Decimal;
  /** null: the latest rates. */
  readonly day: Day | null;
  readonly dp: number | null;
  /** Minutes that live rates are held back; absent: what holds for the server. */
  readonly delayMinutes?: number | undefined;
}

/** The rate times the amount, exactly, to at most 15 significant digits; the rate is rounded first where `dp` says so. */
export function convert(deps: RatesDeps, query: ConvertQuery): Conversion {
  const { from, to, amount, day, dp } = query;
  if (day !== null) return convertOn(deps, query, day);
  const pair = spotPair(deps.spot(query.delayMinutes), { base: from, quote: to, dp });
  return { ...pair, amount, converted: times(pair.rate, amount), day: null };
}

/** At the rate of a past day, filled where nothing was published on it. */
function convertOn(deps: RatesDeps, { from, to, amount, dp }: ConvertQuery, day: Day): Conversion {
  const view = openView(deps);
  const { history, simulated } = view.dataset;
  refuseDamaged(view.dataset, day, day);
  refusePendingDays(view, { base: from, symbols: [to], start: day, end: day });
  const isCovered = day >= COVERAGE_START && day <= dayAt(view.now);
  const cross = isCovered ? crossRate(history, day, from, to) : null;
  if (cross === null) throw noRateOn(view, day);
  const { source, sources, dataUpdatedAt, effectiveAt, stale, forwardFilled } = provenanceOf(
    view,
    day,
    from,
    [[to, cross]],
  );
  const rate = withDecimals(cross.text, dp);
  return {
    base: from,
    quote: to,
    rate,
    amount,
    converted: times(rate, amount),
    day: { date: day, forwardFilled },
    derived: cross.derived,
    boundBps: derivationBound(history, cross),
    source,
    sources,
    dataUpdatedAt,
    effectiveAt,
    stale: stale[currencyCode(to)] === true,
    isReference: true,
    session: marketSession(view.now),
    simulated,
  };
}

export interface BatchQuery {
  readonly from: CurrencyIndex;
  readonly pairs: readonly (readonly [to: CurrencyIndex, amount: Decimal])[];
  /** Minutes that live rates are held back; absent: what holds for the server. */
  readonly delayMinutes?: number | undefined;
}

/** Every pair at the same rates and instant, in the order given. A suspended target is left out, and named; where there is no other it is refused. */
export function convertBatch(
  deps: Pick<RatesDeps, "spot">,
  { from, pairs, delayMinutes }: BatchQuery,
): ConversionBatch {
  const table = deps.spot(delayMinutes);
  const isLeftOut = (to: CurrencyIndex) => isSuspended(table, to) && !isSuspended(table, from);
  const missing = new Set(pairs.map(([to]) => to).filter(isLeftOut));
  const left = pairs.filter(([to]) => !missing.has(to));
  if (left.length === 0) throw withoutRate(table, [from, ...missing]);
  const conversions = left.map(([to, amount]) => {
    const rate = knownRate(table, from, to);
    return { rate, amount, converted: times(rate.text, amount), boundBps: spotBound(rate) };
  });
  return {
    from,
    missing: [...missing],
    conversions,
    origin: spotOrigin(
      from,
      conversions.map(({ rate }) => rate),
    ),
    session: table.session,
    simulated: table.simulated,
  };
}

function times(rate: string, amount: Decimal): string {
  return multiplyRounded(parseDecimal(rate) as Decimal, amount, CONVERTED_DIGITS);
}
