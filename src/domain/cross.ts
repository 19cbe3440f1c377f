/** The rate of any pair on any day: direct as published, inverted, or triangulated through EUR and USD; with its error bound. */

import { type CurrencyIndex, EUR, USD } from "./currency.ts";
import type { Day } from "./day.ts";
import type { History, Row } from "./history.ts";
import { boundInBps, errorFactor, type FigureLeg, legsText } from "./leg-digits.ts";

/** One observation inside a rate. */
export interface Leg extends FigureLeg {
  readonly row: Row;
}

export interface Cross {
  /** Units of `to` per one `from`, decimal digits. */
  readonly text: string;
  /** Observations the rate rests on: those of its legs, or for a currency against itself the one that makes it known. */
  readonly rows: readonly Row[];
  /** Empty for a currency against itself; one leg is direct or inverse; more are triangulated. */
  readonly legs: readonly Leg[];
  readonly derived: boolean;
}

const ECB = 0;

/**
 * The rate on a day from the observations then standing (forward fill included), or null where a currency has none.
 * Every currency hangs by one observation on EUR (ECB) or on USD (H.10), USD itself on EUR: one value a currency,
 * so reciprocals and triangles close to the rounding of the last digit.
 */
export function crossRate(history: History, day: Day, from: CurrencyIndex, to: CurrencyIndex): Cross | null {
  if (from === to) return identity(history, day, from);
  const below = chainToRoot(history, day, from);
  const above = chainToRoot(history, day, to);
  if (below === null || above === null) return null;
  // Legs that both chains share cancel out exactly: TWD→MXN of H.10 never meets the ECB's dollar.
  while (below.length > 0 && above.length > 0 && below[below.length - 1] === above[above.length - 1]) {
    below.pop();
    above.pop();
  }
  const legs: Leg[] = [
    ...above.map((row) => legOf(history, row, isPerPivot(history, row))),
    ...below.map((row) => legOf(history, row, !isPerPivot(history, row))),
  ];
  return { text: legsText(legs), rows: legs.map(({ row }) => row), legs, derived: legs.length > 1 };
}

/** 1, wherever the currency is known: by its own observation, or as the pivot that the dollar (or then the euro) hangs on. */
function identity(history: History, day: Day, currency: CurrencyIndex): Cross | null {
  const row = knowingRow(history, day, currency);
  return row < 0 ? null : { text: "1", rows: [row], legs: [], derived: false };
}

/** The observation by which a currency is known on a day, or -1. */
export function knowingRow(history: History, day: Day, currency: CurrencyIndex): Row {
  const isPivot = currency === EUR || currency === USD;
  const first = history.standing(day, isPivot ? USD : currency);
  return first >= 0 || !isPivot ? first : history.standing(day, EUR);
}

/**
 * Observations from a currency to the root of the day: its own first; empty for the root itself, null where the currency
 * is not known. EUR is the root while the ECB's dollar stands, USD when only H.10 is left.
 */
export function chainToRoot(history: History, day: Day, currency: CurrencyIndex): Row[] | null {
  const dollar = history.standing(day, USD);
  const root = dollar >= 0 ? EUR : USD;
  const chain: Row[] = [];
  for (let at = currency; at !== root; ) {
    const row = history.standing(day, at);
    if (row < 0 || chain.length > 2) return null;
    chain.push(row);
    at = history.observations.source[row] === ECB ? EUR : USD;
  }
  return chain;
}

/** True when the figure says "currency per one pivot" (EUR/NOK, USD/JPY); false for "pivot per one currency" (GBP/USD of H.10). */
export function isPerPivot(history: History, row: Row): boolean {
  const { base, source } = history.observations;
  return base[row] === (source[row] === ECB ? EUR : USD);
}

function legOf({ observations }: History, row: Row, multiplies: boolean): Leg {
  return {
    row,
    units: observations.units[row] as number,
    scale: observations.scale[row] as number,
    multiplies,
  };
}

/** True when everything the rate rests on was observed on the day itself: nothing forward-filled. */
export function isUnfilled(history: History, day: Day, cross: Cross): boolean {
  return cross.rows.every((row) => history.observations.date[row] === day);
}

/**
 * Ceiling of the derivation error of a triangulated rate in basis points, rounded up to 0.01; null when the rate is
 * not triangulated, or when its legs differ in source or observation time, where rounding bounds nothing.
 *
 * A leg printed x with d decimals is known to ±e, e = 0.5×10^-d, so r = e/x. Multiplying legs contribute (1 + r),
 * dividing legs 1/(1 - r), and our own output half a unit of its tenth digit.
 */
export function derivationBound(history: History, cross: Cross): number | null {
  if (!cross.derived) return null;
  const { source, observedAt } = history.observations;
  const first = (cross.legs[0] as Leg).row;
  let factor = 1;
  for (const { row, multiplies } of cross.legs) {
    if (source[row] !== source[first] || observedAt[row] !== observedAt[first]) return null;
    factor *= errorFactor(relativeError(history, row), multiplies);
  }
  return boundInBps(factor);
}

/** Half a unit of the last decimal that the authority publishes, relative to the figure. */
export function relativeError({ observations }: History, row: Row): number {
  const value = (observations.units[row] as number) / 10 ** (observations.scale[row] as number);
  return (0.5 * 10 ** -(observations.decimals[row] as number)) / value;
}
