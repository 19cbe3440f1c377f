/** How one feed does for one currency: its newest believed quote, what it is doubted for, its row of successes or failures. */

import type { Instant } from "#domain/day.ts";
import { marketSession } from "#domain/session.ts";
import type { FeedId, LiveQuote } from "./live-quote.ts";
import { openMilliseconds } from "./market-time.ts";
import { agree, type Believed, type Doubt, doubtOf, perDollar } from "./quote-plausibility.ts";

export interface FeedStanding {
  readonly feed: FeedId;
  /** Beyond this age, counted in open market, a quote of this feed is no longer fresh. */
  readonly oldestSeconds: number;
  /** Newest quote that is believed. */
  readonly newest: LiveQuote | null;
  /** A newer one that is held; `polls` is how many polls in a row have agreed on it. */
  readonly doubted: (Doubt & { readonly quote: LiveQuote; readonly polls: number }) | null;
  /** Polls in a row that ended without a fresh believed quote, while the market was open. */
  readonly failures: number;
  /** Polls in a row that ended with one, and when the first of them was. */
  readonly successes: number;
  readonly succeedingSince: Instant | null;
}

/** What a quote is held against. */
export interface Evidence {
  /** The last quote shown, of whichever feed. */
  readonly last: LiveQuote | null;
  /** Units of the currency per dollar by the newest daily reference; null where there is none. */
  readonly reference: number | null;
  /** The other feeds on this currency. */
  readonly others: readonly FeedStanding[];
}

/** Polls in a row after which a feed that nobody contradicts is believed, whatever it says short of a decimal slip. */
export const CONVINCING_POLLS = 3;

export function newStanding(feed: FeedId, oldestSeconds: number): FeedStanding {
  return {
    feed,
    oldestSeconds,
    newest: null,
    doubted: null,
    failures: 0,
    successes: 0,
    succeedingSince: null,
  };
}

/** The standing after a poll at `at` that brought `quote`; null when the poll brought none or said "unchanged". */
export function afterPoll(
  standing: FeedStanding,
  quote: LiveQuote | null,
  evidence: Evidence,
  at: Instant,
): FeedStanding {
  const heard = quote === null ? standing : weigh(standing, quote, evidence, at);
  // A held quote is newer than the believed one: the feed is not delivering, however fresh the latter still is.
  if (heard.doubted === null && isFresh(heard, at)) {
    return {
      ...heard,
      failures: 0,
      successes: heard.successes + 1,
      succeedingSince: heard.succeedingSince ?? at,
    };
  }
  // While the market is closed nothing is due.
  const failures = heard.failures + (marketSession(at) === "open" ? 1 : 0);
  return { ...heard, failures, successes: 0, succeedingSince: null };
}

/** The standing after a poll that failed: the feed said nothing. */
export function afterFailure(standing: FeedStanding, at: Instant): FeedStanding {
  const failures = standing.failures + (marketSession(at) === "open" ? 1 : 0);
  const doubted = standing.doubted === null ? null : { ...standing.doubted, polls: 0 };
  return { ...standing, doubted, failures, successes: 0, succeedingSince: null };
}

/** True when the feed's newest believed quote is young enough, in open market, to speak; or, of that age, within a share. */
export function isFresh({ newest, oldestSeconds }: FeedStanding, at: Instant, share = 1): boolean {
  return newest !== null && isYoung(newest, oldestSeconds * share, at);
}

function weigh(standing: FeedStanding, quote: LiveQuote, evidence: Evidence, at: Instant): FeedStanding {
  const { newest, doubted } = standing;
  const value = perDollar(quote);
  // The same observation again, or an older one, is no news: neither a new quote nor another vote for a held one.
  if (newest !== null && quote.observedAt <= newest.observedAt) return standing;
  if (doubted !== null && isRepeat(doubted.quote, quote)) return standing;
  const { last, reference, others } = evidence;
  const doubt = doubtOf(comparable(quote), last === null ? null : comparable(last), reference);
  if (doubt === null) return { ...standing, newest: quote, doubted: null };
  const words = others.flatMap((other) => latestWord(other, at));
  const polls = doubted !== null && agree(perDollar(doubted.quote), value) ? doubted.polls + 1 : 1;
  const convinced =
    words.some((word) => agree(word, value)) ||
    (words.length === 0 && doubt.rule !== "decimal_slip" && polls >= CONVINCING_POLLS);
  if (convinced) return { ...standing, newest: quote, doubted: null };
  return { ...standing, doubted: { ...doubt, quote, polls } };
}

/** A held value may be taken back under the same time. */
function isRepeat(held: LiveQuote, quote: LiveQuote): boolean {
  if (quote.observedAt !== held.observedAt) return quote.observedAt < held.observedAt;
  return agree(perDollar(held), perDollar(quote));
}

/** What another feed says now, held or believed; nothing when that is no longer fresh. */
function latestWord({ newest, doubted, oldestSeconds }: FeedStanding, at: Instant): readonly number[] {
  const quote = doubted?.quote ?? newest;
  return quote !== null && isYoung(quote, oldestSeconds, at) ? [perDollar(quote)] : [];
}

function isYoung({ observedAt }: LiveQuote, oldestSeconds: number, at: Instant): boolean {
  const oldest = oldestSeconds * 1000;
  return at - observedAt <= oldest || openMilliseconds(observedAt, at) <= oldest;
}

function comparable(quote: LiveQuote): Believed {
  return { perDollar: perDollar(quote), observedAt: quote.observedAt };
}
