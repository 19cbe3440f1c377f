/** Conversion of one amount, or of a batch, at the latest rates or at a past day's. */

import type { CurrencyIndex } from "#domain/currency/currency.ts";
import { CONVERTED_DIGITS } from "#domain/number/amount.ts";
import { type Decimal, multiplyRounded, parseDecimal } from "#domain/number/decimal.ts";
import type { Conversion, ConversionBatch } from "#domain/rates/rates.ts";
import { spotBound, spotOrigin } from "#domain/spot/rates.ts";
import type { Day } from "#domain/time/day.ts";
import { isSuspended, type RatesDeps, withoutRate } from "./query.ts";
import { knownRate, pairOn, spotPair } from "./quote.ts";

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
  const wanted = { base: from, quote: to, dp };
  if (day === null) {
    const pair = spotPair(deps.spot(query.delayMinutes), wanted);
    return { ...pair, amount, converted: times(pair.rate, amount), day: null };
  }
  const { pair, forwardFilled } = pairOn(deps, wanted, day);
  return { ...pair, amount, converted: times(pair.rate, amount), day: { date: day, forwardFilled } };
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

function times(rate: string, amount: Decimal): string {
  return multiplyRounded(parseDecimal(rate) as Decimal, amount, CONVERTED_DIGITS);
}
