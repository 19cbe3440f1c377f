/** Misprints: once a year a reference rate is published with two digits swapped, and corrected the next day. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import { type Day, dayOf, yearOf } from "#domain/time/day.ts";
import { nextTargetDay } from "./publication.ts";
import { hash } from "./random.ts";

export interface Misprint {
  readonly day: Day;
  readonly currency: CurrencyCode;
}

/** Currencies that have figures in every year. */
const CANDIDATES: readonly CurrencyCode[] = ["NOK", "SEK", "CZK", "HUF", "CHF", "CAD", "JPY", "ZAR"];
const STREAM = 103;

/** The one misprint of a year: between February and November, so that its correction falls into the same year. */
export function misprintOf(seed: number, year: number): Misprint {
  const first = dayOf(year, 2, 1) as Day;
  const chance = hash(seed, STREAM, year);
  return {
    day: nextTargetDay(first + (chance % 290)),
    currency: CANDIDATES[(chance >>> 12) % CANDIDATES.length] as CurrencyCode,
  };
}

/** True when a day's first figure of a currency was the year's misprint. */
export function isMisprint(seed: number, day: Day, currency: CurrencyCode): boolean {
  const year = yearOf(day);
  let misprint = known.get(seed * 10_000 + year);
  if (misprint === undefined) {
    misprint = misprintOf(seed, year);
    known.set(seed * 10_000 + year, misprint);
  }
  return misprint.day === day && misprint.currency === currency;
}

const known = new Map<number, Misprint>();

/**
 * Swaps the first two neighbouring digits that change the value by 0.3 % to 10 %; where none do, the first that change
 * it by less; where all digits are alike, the last one is off by one. What is not a number stays as it is.
 */
export function misprinted(printed: string): string {
  if (!(Number(printed) > 0)) return printed;
  return swapped(printed, 0.003) ?? swapped(printed, 0) ?? lastDigitOff(printed);
}

function swapped(printed: string, leastChange: number): string | null {
  for (let at = 0; at < printed.length - 1; at++) {
    const left = printed.charAt(at);
    const right = printed.charAt(at + 1);
    if (left === "." || right === "." || left === right) continue;
    const text = printed.slice(0, at) + right + left + printed.slice(at + 2);
    const change = Math.abs(Number(text) / Number(printed) - 1);
    if (change >= leastChange && change <= 0.1) return text;
  }
  return null;
}

function lastDigitOff(printed: string): string {
  const last = Number(printed.at(-1));
  return printed.slice(0, -1) + (last === 9 ? 8 : last + 1);
}
