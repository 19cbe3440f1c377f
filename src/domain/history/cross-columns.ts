/** Computes crosses in bulk with doubles. The result has the digits of crossRate at a fraction of its cost. */

import type { CurrencyIndex } from "#domain/currency/currency.ts";
import { leastFreshRow } from "#domain/history/history.ts";
import { boundInBps } from "#domain/number/leg-digits.ts";
import type { Day } from "#domain/time/day.ts";
import { type Cross, crossRate, derivationBound, isUnfilled } from "./cross.ts";
import type { History } from "./history.ts";
import { AS_PUBLISHED, type RateColumns, setDigits, setQuotient } from "./rate-columns.ts";
import { DERIVED, FILLED, type Fill } from "./series.ts";
import { COMPOUND, type LegsCache, ROOT, SINGLE, singleLegs, UNKNOWN } from "./single-legs.ts";

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
  cache: LegsCache | null = null,
): void {
  const below = singleLegs(history, base, cache);
  const above = singleLegs(history, symbol, cache);
  for (let day = first; day <= last; day++) {
    const at = day - history.firstDay;
    const [down, up] = [below.kind[at] as number, above.kind[at] as number];
    // A currency against itself can be known by an observation that hangs on no root.
    if (base !== symbol && (down === UNKNOWN || up === UNKNOWN)) continue;
    const derived = down === SINGLE && up === SINGLE;
    // Two figures that are not of one date: crossRate goes back to the newest one that both have.
    const isUneven = derived && below.age[at] !== above.age[at];
    if (base === symbol || down === COMPOUND || up === COMPOUND || isUneven) {
      const cross = crossRate(history, day, base, symbol);
      if (cross !== null) appendCross(into, history, day, symbol, cross, fill);
      continue;
    }
    const fresh = (down === ROOT || below.age[at] === 0) && (up === ROOT || above.age[at] === 0);
    if (!fresh && fill === "none") continue;

    const row = into.count;
    // USD and a currency of H.10 where the dollar is the root: the two kinds above; all else has one leg or two.
    const direct = !derived && (up === SINGLE ? above.multiplies[at] === 1 : below.multiplies[at] === 0);
    if (direct) {
      const leg = up === SINGLE ? above : below;
      const multiplied = up === SINGLE;
      into.rate[row] =
        ((multiplied ? leg.numerator[at] : leg.denominator[at]) as number) /
        ((multiplied ? leg.denominator[at] : leg.numerator[at]) as number);
      into.scale[row] = leg.scale[at] as number;
    } else {
      const numerator =
        (up === ROOT ? 1 : (above.numerator[at] as number)) *
        (down === ROOT ? 1 : (below.denominator[at] as number));
      const denominator =
        (up === ROOT ? 1 : (above.denominator[at] as number)) *
        (down === ROOT ? 1 : (below.numerator[at] as number));
      if (!setQuotient(into, row, numerator, denominator)) {
        setDigits(into, row, (crossRate(history, day, base, symbol) as Cross).text);
      }
    }
    const ofBase = down === ROOT ? Number.POSITIVE_INFINITY : (below.observedAt[at] as number);
    const ofSymbol = up === ROOT ? Number.POSITIVE_INFINITY : (above.observedAt[at] as number);
    const [baseSource, symbolSource] = [below.source[at] as number, above.source[at] as number];
    into.source[row] =
      ofSymbol < ofBase ? symbolSource : ofBase < ofSymbol ? baseSource : Math.max(baseSource, symbolSource);
    into.observedAt[row] = Math.min(ofBase, ofSymbol);
    into.bound[row] =
      derived && ofBase === ofSymbol && baseSource === symbolSource
        ? boundInBps((above.asSymbol[at] as number) * (below.asBase[at] as number))
        : Number.NaN;
    into.symbol[row] = symbol;
    into.date[row] = day;
    into.flags[row] = (derived ? DERIVED : 0) | (fresh ? 0 : FILLED) | (direct ? AS_PUBLISHED : 0);
    into.count += 1;
  }
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
  into.observedAt[row] = history.observations.observedAt[least] as number;
  into.bound[row] = derivationBound(history, cross) ?? Number.NaN;
  into.flags[row] = (cross.derived ? DERIVED : 0) | (fresh ? 0 : FILLED) | (direct ? AS_PUBLISHED : 0);
  return true;
}
