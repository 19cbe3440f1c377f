/** Computes crosses in bulk with doubles. The result has the digits of crossRate at a fraction of its cost. */

import { type CurrencyIndex, EUR, USD } from "#domain/currency/currency.ts";
import { boundInBps, errorFactor } from "#domain/number/leg-digits.ts";
import type { Day } from "#domain/time/day.ts";
import { type Cross, crossRate, derivationBound, isPerPivot, isUnfilled, relativeError } from "./cross.ts";
import { currencyRow, type History, leastFreshRow, pivotOfRow, type Row } from "./history.ts";
import {
  AS_PUBLISHED,
  DERIVED,
  FILLED,
  type Fill,
  type RateColumns,
  setDigits,
  setQuotient,
  TENS,
} from "./rate-columns.ts";

/**
 * Appends a pair's rows of the days from `first` to `last`, ascending: those with a value, with fill "none" only where
 * every leg was published that day.
 */
export function appendCrosses(
  into: RateColumns,
  history: History,
  base: CurrencyIndex,
  symbol: CurrencyIndex,
  [first, last]: readonly [Day, Day],
  fill: Fill,
): void {
  const { date } = history.observations;
  for (let day = first; day <= last; day++) {
    const root = history.inForce(day, USD) >= 0 ? EUR : USD;
    const down = legOf(history, day, base, root);
    const up = legOf(history, day, symbol, root);
    // A currency against itself can be known by an observation that hangs on no root.
    if (base !== symbol && (down === UNKNOWN || up === UNKNOWN)) continue;
    // Two figures that are not of one date: crossRate goes back to the newest one that both have.
    const isUneven = down >= 0 && up >= 0 && date[down] !== date[up];
    if (base === symbol || down === COMPOUND || up === COMPOUND || isUneven) {
      const cross = crossRate(history, day, base, symbol);
      if (cross !== null) appendCross(into, history, day, symbol, cross, fill);
      continue;
    }
    const fresh = (down === ROOT || date[down] === day) && (up === ROOT || date[up] === day);
    if (!fresh && fill === "none") continue;
    const row = into.count++;
    into.symbol[row] = symbol;
    into.date[row] = day;
    into.flags[row] = setLegs(into, row, history, up, down) | (fresh ? 0 : FILLED);
    if (into.scale[row] === UNDECIDED)
      setDigits(into, row, (crossRate(history, day, base, symbol) as Cross).text);
  }
}

/** The currency is not known that day. */
const UNKNOWN = -1;
/** It is the root itself: no leg. */
const ROOT = -2;
/** It is connected with the root by more than one figure, or by another way: crossRate decides. */
const COMPOUND = -3;

/**
 * The observation that quotes a currency against the root, or one of the three above. The root is EUR while the ECB's dollar is
 * in force, else USD. The euro needs no figure to be crossed with those of the ECB.
 */
function legOf(
  history: History,
  day: Day,
  currency: CurrencyIndex,
  root: CurrencyIndex,
): Row | typeof UNKNOWN | typeof ROOT | typeof COMPOUND {
  if (currency === root) return ROOT;
  const row = history.inForce(day, currency);
  if (row < 0) return currency === EUR ? COMPOUND : UNKNOWN;
  return pivotOfRow(history, row) === root ? row : COMPOUND;
}

/** No decimal has so many places. */
const UNDECIDED = 255;

/**
 * Sets rate, scale, origin and error bound from one leg or two, `up` that of the symbol and `down` that of the base, and returns
 * DERIVED and AS_PUBLISHED. The scale is UNDECIDED where doubles cannot decide the last digit.
 */
function setLegs(into: RateColumns, row: number, history: History, up: Row, down: Row): number {
  const { units, scale, source, observedAt } = history.observations;
  const derived = up >= 0 && down >= 0;
  const upMultiplies = up >= 0 && isPerPivot(history, up);
  const downMultiplies = down >= 0 && !isPerPivot(history, down);
  let numerator = 1;
  let denominator = 1;
  if (up >= 0) {
    const power = TENS[scale[up] as number] as number;
    numerator = upMultiplies ? (units[up] as number) : power;
    denominator = upMultiplies ? power : (units[up] as number);
  }
  if (down >= 0) {
    const power = TENS[scale[down] as number] as number;
    numerator *= downMultiplies ? (units[down] as number) : power;
    denominator *= downMultiplies ? power : (units[down] as number);
  }
  // USD and a currency of H.10 where the dollar is the root: one leg, printed as it is.
  const direct = !derived && (upMultiplies || downMultiplies);
  if (direct) {
    into.rate[row] = numerator / denominator;
    into.scale[row] = scale[up >= 0 ? up : down] as number;
  } else if (!setQuotient(into, row, numerator, denominator)) into.scale[row] = UNDECIDED;

  const ofBase = down >= 0 ? (observedAt[down] as number) : Number.POSITIVE_INFINITY;
  const ofSymbol = up >= 0 ? (observedAt[up] as number) : Number.POSITIVE_INFINITY;
  const baseSource = down >= 0 ? (source[down] as number) : 0;
  const symbolSource = up >= 0 ? (source[up] as number) : 0;
  into.observedAt[row] = Math.min(ofBase, ofSymbol);
  into.source[row] =
    ofSymbol < ofBase ? symbolSource : ofBase < ofSymbol ? baseSource : Math.max(baseSource, symbolSource);
  into.ownSource[row] = up >= 0 ? symbolSource : baseSource;
  into.bound[row] =
    derived && ofBase === ofSymbol && baseSource === symbolSource
      ? boundInBps(
          errorFactor(relativeError(history, up), upMultiplies) *
            errorFactor(relativeError(history, down), downMultiplies),
        )
      : Number.NaN;
  return (derived ? DERIVED : 0) | (direct ? AS_PUBLISHED : 0);
}

/** Appends one cross as its row; false where fill "none" has no place for it. */
export function appendCross(
  into: RateColumns,
  history: History,
  day: Day,
  symbol: CurrencyIndex,
  cross: Cross,
  fill: Fill,
): boolean {
  const fresh = isUnfilled(history, day, cross);
  if (!fresh && fill === "none") return false;
  const row = into.count++;
  const least = leastFreshRow(history, cross.rows);
  const direct = cross.legs.length === 1 && cross.legs[0]?.multiplies === true;
  setDigits(into, row, cross.text);
  into.symbol[row] = symbol;
  into.date[row] = day;
  into.source[row] = history.observations.source[least] as number;
  into.ownSource[row] = history.observations.source[currencyRow(history, symbol, cross.rows)] as number;
  into.observedAt[row] = history.observations.observedAt[least] as number;
  into.bound[row] = derivationBound(history, cross) ?? Number.NaN;
  into.flags[row] = (cross.derived ? DERIVED : 0) | (fresh ? 0 : FILLED) | (direct ? AS_PUBLISHED : 0);
  return true;
}
