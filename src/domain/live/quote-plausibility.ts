/** Whether a live quote can be believed beside what is known: named doubts, each with its numbers. Used by feed-standing.ts. */

import type { Instant } from "#domain/day.ts";
import type { LiveQuote } from "./live-quote.ts";

export const QUOTE_DOUBTS = ["decimal_slip", "off_reference", "jump"] as const;
export type QuoteDoubt = (typeof QUOTE_DOUBTS)[number];

/** Why a quote is held: the rule and one sentence. */
export interface Doubt {
  readonly rule: QuoteDoubt;
  readonly reason: string;
}

/**
 * Between two daily fixings a few per cent are ordinary. Real moves beyond this (CHF 17 % on 2015-01-15, TRY 36 % on
 * 2021-12-21) are rare enough to wait for a second opinion.
 */
export const MOST_OFF_REFERENCE = 0.1;
/** Within minutes only such a day moves so far. */
export const MOST_JUMP = 0.05;
/** How near two quotes must be for MOST_JUMP to apply: a few polls, so that a missed one does not matter. */
export const JUMP_WINDOW_SECONDS = 300;
/** Two feeds, or two polls, that differ by less say the same. */
export const AGREEMENT = 0.01;
/** A ratio this close to a power of ten is read as a misplaced decimal point. */
const SLIP_TOLERANCE = 0.25;

/** A value to compare with, in units of the currency per dollar. */
export interface Believed {
  readonly perDollar: number;
  readonly observedAt: Instant;
}

/** Units of the currency per dollar, as a double: for comparing only, never to be kept or shown. */
export function perDollar(quote: Pick<LiveQuote, "base" | "mid">): number {
  return quote.base === "USD" ? Number(quote.mid) : 1 / Number(quote.mid);
}

/**
 * Null when the value can be believed. It is compared with the daily reference where there is one, and with the last
 * accepted quote. Where that is itself far from the reference, because a break of the market has convinced, values
 * near either of the two are believed: the break goes on, or it was none. A decimal slip against the reference never
 * is. With neither to compare with a value is believed.
 */
export function doubtOf(value: Believed, last: Believed | null, reference: number | null): Doubt | null {
  const broken =
    last !== null && reference !== null && deviation(last.perDollar, reference) > MOST_OFF_REFERENCE;
  if (reference !== null) {
    const doubt = doubtBy(value.perDollar, reference, MOST_OFF_REFERENCE, "off_reference", "the reference");
    const goesOn = broken && deviation(value.perDollar, last.perDollar) <= MOST_JUMP;
    if (doubt !== null) return doubt.rule === "off_reference" && goesOn ? null : doubt;
  }
  if (last === null || broken) return null;
  const near = Math.abs(value.observedAt - last.observedAt) <= JUMP_WINDOW_SECONDS * 1000;
  // After a longer time the reference alone decides; without one the last quote stands in for it.
  if (!near && reference !== null) return null;
  return doubtBy(
    value.perDollar,
    last.perDollar,
    near ? MOST_JUMP : MOST_OFF_REFERENCE,
    "jump",
    "the last quote",
  );
}

/** True when two values of the same currency say the same. */
export function agree(a: number, b: number): boolean {
  return deviation(a, b) <= AGREEMENT;
}

function doubtBy(value: number, known: number, most: number, rule: QuoteDoubt, as: string): Doubt | null {
  const ratio = value / known;
  if (deviation(value, known) <= most) return null;
  const told = `${value.toPrecision(6)} per dollar is ${ratio.toPrecision(4)} times ${as} ${known.toPrecision(6)}`;
  const power = Math.round(Math.log10(ratio));
  if (power !== 0 && Math.abs(ratio / 10 ** power - 1) <= SLIP_TOLERANCE) {
    return { rule: "decimal_slip", reason: `${told}: close to a power of ten` };
  }
  return { rule, reason: `${told}: more than ${most * 100} % away` };
}

/** Relative distance, the same whichever way round. */
function deviation(a: number, b: number): number {
  return Math.max(a / b, b / a) - 1;
}
