/** How one feed does for one currency: its newest believed quote, what it is doubted for, its row of successes or failures. */

import type { Instant } from "#domain/time/day.ts";
import { marketSession } from "#domain/time/session.ts";
import { type FeedId, isAhead, type LiveQuote } from "./live-quote.ts";
import { type Evidence, isCredible, isYoung, judgeByEvidence, supports } from "./quote-evidence.ts";
import { AGREEMENT_RATIO, type Doubt, doubtOf, perDollar } from "./quote-plausibility.ts";
import { ratioOf } from "./reference.ts";

export interface FeedStanding {
  readonly feed: FeedId;
  /** Beyond this age, counted in open market, a quote of this feed is no longer fresh. */
  readonly oldestSeconds: number;
  /** Newest quote that is believed. */
  readonly newest: LiveQuote | null;
  /** A newer one that is held, since when one has been, and how many polls in a row have agreed on it. */
  readonly doubted:
    | (Doubt & { readonly quote: LiveQuote; readonly polls: number; readonly since: Instant })
    | null;
  /** Polls in a row that ended without a fresh believed quote, while the market was open. */
  readonly failures: number;
  /** Polls in a row that ended with one, and when the first of them was. */
  readonly successes: number;
  readonly succeedingSince: Instant | null;
}

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
  const heard = rejudge(quote === null ? standing : weigh(standing, quote, evidence, at), evidence, at);
  // A held quote is newer than the believed one: the feed is not delivering, however fresh the latter still is.
  if (heard.doubted === null && isFresh(heard, at)) return succeeding(heard, at);
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

/**
 * The standing when the evidence has changed without a poll of this feed: another feed's word, a newer reference, a
 * release. What was held may be believed now, and what was believed may be beyond a newer reference. The same object
 * when nothing follows.
 */
export function reweigh(standing: FeedStanding, evidence: Evidence, at: Instant): FeedStanding {
  const judged = rejudge(standing, evidence, at);
  const isBelieved = standing.doubted !== null && judged.doubted === null;
  return isBelieved && isFresh(judged, at) ? succeeding(judged, at) : judged;
}

function rejudge(standing: FeedStanding, evidence: Evidence, at: Instant): FeedStanding {
  const { newest, doubted } = standing;
  const { last, reference, releases } = evidence;
  if (doubted !== null) {
    // What is fresh supports what is fresh: a word of now says nothing of a price that was held long ago.
    const isOld = !isYoung(doubted.quote, standing.oldestSeconds, at);
    const words = isOld ? evidence.words.filter((word) => !supports(word, doubted.quote)) : evidence.words;
    const verdict = judgeByEvidence(doubted.quote, doubted.polls, { ...evidence, words });
    if ("rule" in verdict) {
      return verdict.reason === doubted.reason
        ? standing
        : { ...standing, doubted: { ...doubted, ...verdict } };
    }
    return { ...standing, newest: verdict, doubted: null };
  }
  if (newest === null || reference === null || isCredible(newest, reference, releases)) return standing;
  const doubt = doubtOf(newest, last, reference);
  return doubt === null
    ? standing
    : { ...standing, newest: null, doubted: { ...doubt, quote: newest, polls: 0, since: at } };
}

/** What the feed says now, held or believed; null when that is no longer fresh. */
export function latestWord({ newest, doubted, oldestSeconds }: FeedStanding, at: Instant): LiveQuote | null {
  const quote = doubted?.quote ?? newest;
  return quote !== null && isYoung(quote, oldestSeconds, at) ? quote : null;
}

/** True when the feed's newest believed quote is young enough, in open market, to speak; or, of that age, within a share. */
export function isFresh({ newest, oldestSeconds }: FeedStanding, at: Instant, share = 1): boolean {
  return newest !== null && isYoung(newest, oldestSeconds * share, at);
}

function succeeding(standing: FeedStanding, at: Instant): FeedStanding {
  const succeedingSince = standing.succeedingSince ?? at;
  return { ...standing, failures: 0, successes: standing.successes + 1, succeedingSince };
}

function weigh(standing: FeedStanding, quote: LiveQuote, evidence: Evidence, at: Instant): FeedStanding {
  // What a clock that was wrong has dated ahead says nothing about what is newer.
  const newest = standing.newest !== null && isAhead(standing.newest.observedAt, at) ? null : standing.newest;
  const doubted =
    standing.doubted !== null && isAhead(standing.doubted.quote.observedAt, at) ? null : standing.doubted;
  // The same observation again, or an older one, is no news: neither a new quote nor another vote for a held one.
  if (newest !== null && quote.observedAt <= newest.observedAt) return standing;
  if (doubted !== null && isRepeat(doubted.quote, quote)) return standing;
  const agrees = doubted !== null && ratioOf(perDollar(doubted.quote), perDollar(quote)) <= AGREEMENT_RATIO;
  const polls = agrees ? doubted.polls + 1 : 1;
  const verdict = judgeByEvidence(quote, polls, evidence);
  if (!("rule" in verdict)) return { ...standing, newest: verdict, doubted: null };
  return { ...standing, doubted: { ...verdict, quote, polls, since: doubted?.since ?? at } };
}

/** A held value may be taken back under the same time. */
function isRepeat(held: LiveQuote, quote: LiveQuote): boolean {
  if (quote.observedAt !== held.observedAt) return quote.observedAt < held.observedAt;
  return ratioOf(perDollar(held), perDollar(quote)) <= AGREEMENT_RATIO;
}
