/** Decides whether a live quote is credible (by itself, by another feed, by an operator's release, or because no feed contradicts it), and names the doubts about it with their numbers. */

import type { Instant } from "#domain/time/day.ts";
import { openMilliseconds } from "#domain/time/session.ts";
import {
  type FeedId,
  isAhead,
  isReleased,
  type LiveQuote,
  type QuoteRelease,
  type Reference,
  ratioOf,
} from "./live-quote.ts";

/** What a quote is held against. */
export interface Evidence {
  /** The last quote served, of any feed. */
  readonly last: LiveQuote | null;
  /** The newest daily reference of the currency; null where there is none. */
  readonly reference: Reference | null;
  /** The quotes of the other feeds now, believed or held. */
  readonly others: readonly LiveQuote[];
  readonly releases: readonly QuoteRelease[];
}

/** Polls in a row after which a feed that no other contradicts is believed, short of what needs support. */
const CONVINCING_POLLS = 3;

/**
 * The quote as it is to be believed, with who supports it where it is far from its reference; or the doubt for which it
 * is held. `polls` is how many polls in a row have agreed on it.
 */
export function judgeByEvidence(quote: LiveQuote, polls: number, evidence: Evidence): LiveQuote | Doubt {
  const { last, reference, others, releases } = evidence;
  const doubt = doubtOf(quote, last, reference);
  if (doubt === null) return quote;
  const witness = others.find((other) => supports(other, quote));
  if (witness !== undefined) return doubt.rule === "jump" ? quote : supported(quote, witness.feed);
  if (isReleased(quote, reference, releases)) return quote;
  if (NEEDS_SUPPORT.has(doubt.rule) || reference === null) return doubt;
  // A quote that is itself beyond the reference does not contradict another.
  if (others.some((other) => ratioOf(perDollar(other), reference.perDollar) <= MOST_BEYOND_RATIO))
    return doubt;
  // A break of the market that has convinced goes on.
  const goesOn =
    doubt.rule === "off_reference" &&
    last !== null &&
    isOff(last, reference) &&
    ratioOf(perDollar(last), perDollar(quote)) <= MOST_JUMP_RATIO;
  return goesOn || polls >= CONVINCING_POLLS ? quote : doubt;
}

/** True when two quotes of one currency confirm each other. */
export function supports(other: LiveQuote, quote: LiveQuote): boolean {
  return ratioOf(perDollar(other), perDollar(quote)) <= SUPPORT_RATIO;
}

/**
 * The rule for every quote that is about to be served, wherever it was stored: within 1.3 of its reference, or supported
 * by another feed when it was taken in, or released. Where there is no reference the other two count.
 */
export function isCredible(
  quote: LiveQuote,
  reference: Reference | null,
  releases: readonly QuoteRelease[],
): boolean {
  if (reference !== null && ratioOf(perDollar(quote), reference.perDollar) <= MOST_BEYOND_RATIO) return true;
  return quote.supportedBy !== undefined || isReleased(quote, reference, releases);
}

/** True when a quote is served on the evidence of one feed although it is far from its reference. */
export function isUnconfirmed(quote: LiveQuote, reference: Reference | null): boolean {
  return quote.supportedBy === undefined && (reference === null || isOff(quote, reference));
}

/** True when a quote is young enough, in open market, to count as its feed's present quote. */
export function isYoung({ observedAt }: LiveQuote, oldestSeconds: number, at: Instant): boolean {
  if (isAhead(observedAt, at)) return false;
  const oldest = oldestSeconds * 1000;
  return at - observedAt <= oldest || openMilliseconds(observedAt, at) <= oldest;
}

function supported(quote: LiveQuote, by: FeedId): LiveQuote {
  return quote.supportedBy === by ? quote : { ...quote, supportedBy: by };
}

export const QUOTE_DOUBTS = [
  /** There is no daily reference to hold the quote against. */
  "no_reference",
  /** Beyond the reference, and close to a power of ten of it. */
  "decimal_slip",
  "beyond_reference",
  /** Away from the reference, but not beyond it. */
  "off_reference",
  /** Away from a quote of a few minutes before. */
  "jump",
] as const;
export type QuoteDoubt = (typeof QUOTE_DOUBTS)[number];

/** However often a feed repeats such a quote, only another witness or an operator makes it believed. */
const NEEDS_SUPPORT: ReadonlySet<QuoteDoubt> = new Set(["no_reference", "decimal_slip", "beyond_reference"]);

/** Why a quote is held: the rule and one sentence. */
export interface Doubt {
  readonly rule: QuoteDoubt;
  readonly reason: string;
}

/** A quote more than so many times its reference, either way, is beyond it. */
const MOST_BEYOND_RATIO = 1.3;
/**
 * Between two daily fixings a few per cent are ordinary. Real moves beyond this (CHF 17 % on 2015-01-15, TRY 36 % on
 * 2021-12-21) are rare enough to wait for a second opinion.
 */
const MOST_OFF_RATIO = 1.1;
/** Within minutes only such a day moves so far. */
const MOST_JUMP_RATIO = 1.05;
/** How near two quotes must be for MOST_JUMP_RATIO to apply: a few polls, so that a missed one does not matter. */
const JUMP_WINDOW_SECONDS = 300;
/** Two polls of one feed that differ by no more agree. */
export const AGREEMENT_RATIO = 1.01;
/** Two feeds that differ by no more support each other: their polls may be minutes apart. */
const SUPPORT_RATIO = 1.02;
/** A ratio this close to a power of ten is read as a misplaced decimal point. */
const SLIP_TOLERANCE = 0.25;

/** Units of the currency per dollar, as a double: for comparing only, never to be stored or served. */
export function perDollar(quote: Pick<LiveQuote, "base" | "mid">): number {
  return quote.base === "USD" ? Number(quote.mid) : 1 / Number(quote.mid);
}

/**
 * Null when the quote can be believed by itself: it is near the daily reference, and near the last quote served where
 * that is of the same minutes. Where the last quote is itself far from the reference it is no measure of a jump.
 */
export function doubtOf(quote: LiveQuote, last: LiveQuote | null, reference: Reference | null): Doubt | null {
  const value = perDollar(quote);
  if (reference === null) {
    return {
      rule: "no_reference",
      reason: `${digits(value)} per dollar: there is no daily reference to hold it against`,
    };
  }
  const off = doubtOfReference(value, reference.perDollar);
  if (off !== null || last === null || isOff(last, reference)) return off;
  if (Math.abs(quote.observedAt - last.observedAt) > JUMP_WINDOW_SECONDS * 1000) return null;
  const before = perDollar(last);
  if (ratioOf(value, before) <= MOST_JUMP_RATIO) return null;
  return { rule: "jump", reason: sentence(value, before, "the last quote", MOST_JUMP_RATIO) };
}

/** True when a quote is further from the reference than an ordinary day brings it. */
function isOff(quote: Pick<LiveQuote, "base" | "mid">, reference: Reference): boolean {
  return ratioOf(perDollar(quote), reference.perDollar) > MOST_OFF_RATIO;
}

function doubtOfReference(value: number, reference: number): Doubt | null {
  const ratio = ratioOf(value, reference);
  if (ratio <= MOST_OFF_RATIO) return null;
  const isBeyond = !(ratio <= MOST_BEYOND_RATIO);
  const most = isBeyond ? MOST_BEYOND_RATIO : MOST_OFF_RATIO;
  const reason = sentence(value, reference, "the reference", most);
  if (!isBeyond) return { rule: "off_reference", reason };
  const power = Math.round(Math.log10(value / reference));
  const isSlip = power !== 0 && Math.abs(value / reference / 10 ** power - 1) <= SLIP_TOLERANCE;
  return isSlip
    ? { rule: "decimal_slip", reason: `${reason}, close to a power of ten` }
    : { rule: "beyond_reference", reason };
}

function sentence(value: number, known: number, as: string, most: number): string {
  const ratio = (value / known).toPrecision(4);
  return `${digits(value)} per dollar is ${ratio} times ${as} ${digits(known)}: beyond ${most} either way`;
}

function digits(value: number): string {
  return value.toPrecision(6);
}
