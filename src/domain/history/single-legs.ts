/** The common case of a cross, precomputed: currencies with one observation against the root, day by day in typed arrays. */

import type { Cache, CacheBudget } from "#domain/cache/budget.ts";
import { type CurrencyIndex, EUR, USD } from "#domain/currency/currency.ts";
import { errorFactor } from "#domain/number/leg-digits.ts";
import { isPerPivot, relativeError } from "./cross.ts";
import { FILL_DAYS, type History, pivotOfRow, type Row } from "./history.ts";

/** The currency is not known that day. */
export const UNKNOWN = 0;
/** It is the root itself: no leg. */
export const ROOT = 1;
/** One leg, in the arrays. */
export const SINGLE = 2;
/** Anything else: go the general way. */
export const COMPOUND = 3;

/** Columns over the calendar days from the history's first; numbers mean something where `kind` is SINGLE. */
interface SingleLegs {
  readonly kind: Uint8Array;
  /** The leg's value is numerator / denominator, units of the currency per root, both whole. */
  readonly numerator: Float64Array;
  readonly denominator: Float64Array;
  readonly scale: Uint8Array;
  /** 1 where the printed figure is per root, so that it multiplies when the currency is quoted. */
  readonly multiplies: Uint8Array;
  readonly source: Uint8Array;
  readonly observedAt: Float64Array;
  /** Days since the observation: 0 on the day itself. Two legs make a rate as they are where they are equally old. */
  readonly age: Uint8Array;
  /** errorFactor as the quoted and as the base side of a pair. */
  readonly asSymbol: Float64Array;
  readonly asBase: Float64Array;
}

/** Of the cache budget: a currency of 27 years is about half a megabyte. */
const SHARE = 0.4;
const DAY_BYTES = 45;

/** Legs of currencies by version of the data; those of 31 currencies are about 14 MB. */
export type LegsCache = Cache<string, SingleLegs>;

export function legsCacheOf(caches: CacheBudget | undefined): LegsCache | null {
  return caches?.cache("legs", { share: SHARE }) ?? null;
}

/** Made with the first use of a currency. */
export function singleLegs(
  history: History,
  currency: CurrencyIndex,
  cache: LegsCache | null = null,
): SingleLegs {
  const key = `${history.version} ${currency}`;
  let legs = cache?.get(key);
  if (legs === undefined) {
    legs = prepare(history, currency);
    cache?.set(key, legs, legs.kind.length * DAY_BYTES);
  }
  return legs;
}

function prepare(history: History, currency: CurrencyIndex): SingleLegs {
  const days = history.lastDay - history.firstDay + 1 + FILL_DAYS;
  const legs: SingleLegs = {
    kind: new Uint8Array(days),
    numerator: new Float64Array(days),
    denominator: new Float64Array(days),
    scale: new Uint8Array(days),
    multiplies: new Uint8Array(days),
    source: new Uint8Array(days),
    observedAt: new Float64Array(days),
    age: new Uint8Array(days),
    asSymbol: new Float64Array(days),
    asBase: new Float64Array(days),
  };
  const { units, scale, source, observedAt, date } = history.observations;
  for (let at = 0; at < days; at++) {
    const day = history.firstDay + at;
    const row = history.inForce(day, currency);
    const root = history.inForce(day, USD) >= 0 ? EUR : USD;
    legs.kind[at] = kindOf(history, currency, row, root);
    if (legs.kind[at] !== SINGLE) continue;
    const multiplies = isPerPivot(history, row);
    const power = 10 ** (scale[row] as number);
    legs.numerator[at] = multiplies ? (units[row] as number) : power;
    legs.denominator[at] = multiplies ? power : (units[row] as number);
    legs.scale[at] = scale[row] as number;
    legs.multiplies[at] = multiplies ? 1 : 0;
    legs.source[at] = source[row] as number;
    legs.observedAt[at] = observedAt[row] as number;
    legs.age[at] = day - (date[row] as number);
    legs.asSymbol[at] = errorFactor(relativeError(history, row), multiplies);
    legs.asBase[at] = errorFactor(relativeError(history, row), !multiplies);
  }
  return legs;
}

/** `root`: EUR while the ECB's dollar is in force, else USD. The euro needs no figure to be crossed with those of the ECB. */
function kindOf(history: History, currency: CurrencyIndex, row: Row, root: CurrencyIndex): number {
  if (currency === root) return ROOT;
  if (row < 0) return currency === EUR ? COMPOUND : UNKNOWN;
  return pivotOfRow(history, row) === root ? SINGLE : COMPOUND;
}
