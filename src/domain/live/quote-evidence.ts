/** Decides whether a live quote is credible: by itself, by another feed, by an operator's release, or because no feed contradicts it. */

import type { Instant } from "#domain/time/day.ts";
import { openMilliseconds } from "#domain/time/session.ts";
import { type FeedId, isAhead, type LiveQuote } from "./live-quote.ts";
import {
  type Doubt,
  doubtOf,
  isOff,
  MOST_BEYOND_RATIO,
  MOST_JUMP_RATIO,
  NEEDS_SUPPORT,
  perDollar,
  SUPPORT_RATIO,
} from "./quote-plausibility.ts";
import { isReleased, type QuoteRelease, type Reference, ratioOf } from "./reference.ts";

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
