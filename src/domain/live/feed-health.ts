/** The health of one feed for one currency: its newest accepted quote, its doubts, its successes or failures in a row. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { Instant } from "#domain/time/day.ts";
import { marketSession } from "#domain/time/session.ts";
import { currencyOf, type FeedOutcome } from "./feed-outcome.ts";
import { type FeedId, isAhead, type LiveQuote } from "./live-quote.ts";
import { type Evidence, isCredible, isYoung, judgeByEvidence, supports } from "./quote-evidence.ts";
import { AGREEMENT_RATIO, type Doubt, doubtOf, perDollar } from "./quote-plausibility.ts";
import { type QuoteRelease, type References, ratioOf } from "./reference.ts";

export interface FeedHealth {
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

export function newFeedHealth(feed: FeedId, oldestSeconds: number): FeedHealth {
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

/** The health after a poll at `at` that brought `quote`; null when the poll brought none or answered "unchanged". */
function afterPoll(health: FeedHealth, quote: LiveQuote | null, evidence: Evidence, at: Instant): FeedHealth {
  const judged = rejudge(quote === null ? health : weigh(health, quote, evidence, at), evidence, at);
  // A held quote is newer than the believed one: the feed is not delivering, however fresh the latter still is.
  if (judged.doubted === null && isFresh(judged, at)) return succeeding(judged, at);
  // While the market is closed nothing is due.
  const failures = judged.failures + (marketSession(at) === "open" ? 1 : 0);
  return { ...judged, failures, successes: 0, succeedingSince: null };
}

/** The health after a poll that failed. */
function afterFailure(health: FeedHealth, at: Instant): FeedHealth {
  const failures = health.failures + (marketSession(at) === "open" ? 1 : 0);
  const doubted = health.doubted === null ? null : { ...health.doubted, polls: 0 };
  return { ...health, doubted, failures, successes: 0, succeedingSince: null };
}

/**
 * The health when the evidence has changed without a poll of this feed: another feed's quote, a newer reference, a
 * release. What was held may be believed now, and what was believed may be beyond a newer reference. The same object
 * when nothing follows.
 */
function reweigh(health: FeedHealth, evidence: Evidence, at: Instant): FeedHealth {
  const judged = rejudge(health, evidence, at);
  const isBelieved = health.doubted !== null && judged.doubted === null;
  return isBelieved && isFresh(judged, at) ? succeeding(judged, at) : judged;
}

function rejudge(health: FeedHealth, evidence: Evidence, at: Instant): FeedHealth {
  const { newest, doubted } = health;
  const { last, reference, releases } = evidence;
  if (doubted !== null) {
    // A present quote does not support a price that was held long ago.
    const isOld = !isYoung(doubted.quote, health.oldestSeconds, at);
    const others = isOld
      ? evidence.others.filter((other) => !supports(other, doubted.quote))
      : evidence.others;
    const verdict = judgeByEvidence(doubted.quote, doubted.polls, { ...evidence, others });
    if ("rule" in verdict) {
      return verdict.reason === doubted.reason ? health : { ...health, doubted: { ...doubted, ...verdict } };
    }
    return { ...health, newest: verdict, doubted: null };
  }
  if (newest === null || reference === null || isCredible(newest, reference, releases)) return health;
  const doubt = doubtOf(newest, last, reference);
  return doubt === null
    ? health
    : { ...health, newest: null, doubted: { ...doubt, quote: newest, polls: 0, since: at } };
}

/** The feed's latest quote, held or believed; null when it is no longer fresh. */
function latestQuote({ newest, doubted, oldestSeconds }: FeedHealth, at: Instant): LiveQuote | null {
  const quote = doubted?.quote ?? newest;
  return quote !== null && isYoung(quote, oldestSeconds, at) ? quote : null;
}

/** True when the feed's newest believed quote is young enough, in open market, to be served; or, of that age, within a share. */
export function isFresh({ newest, oldestSeconds }: FeedHealth, at: Instant, share = 1): boolean {
  return newest !== null && isYoung(newest, oldestSeconds * share, at);
}

function succeeding(health: FeedHealth, at: Instant): FeedHealth {
  const succeedingSince = health.succeedingSince ?? at;
  return { ...health, failures: 0, successes: health.successes + 1, succeedingSince };
}

function weigh(health: FeedHealth, quote: LiveQuote, evidence: Evidence, at: Instant): FeedHealth {
  // A quote that a wrong clock dated ahead does not decide what is newer.
  const newest = health.newest !== null && isAhead(health.newest.observedAt, at) ? null : health.newest;
  const doubted =
    health.doubted !== null && isAhead(health.doubted.quote.observedAt, at) ? null : health.doubted;
  // The same observation again, or an older one, is no news: neither a new quote nor another vote for a held one.
  if (newest !== null && quote.observedAt <= newest.observedAt) return health;
  if (doubted !== null && isRepeat(doubted.quote, quote)) return health;
  const agrees = doubted !== null && ratioOf(perDollar(doubted.quote), perDollar(quote)) <= AGREEMENT_RATIO;
  const polls = agrees ? doubted.polls + 1 : 1;
  const verdict = judgeByEvidence(quote, polls, evidence);
  if (!("rule" in verdict)) return { ...health, newest: verdict, doubted: null };
  return { ...health, doubted: { ...verdict, quote, polls, since: doubted?.since ?? at } };
}

/** A held value may be taken back under the same time. */
function isRepeat(held: LiveQuote, quote: LiveQuote): boolean {
  if (quote.observedAt !== held.observedAt) return quote.observedAt < held.observedAt;
  return ratioOf(perDollar(held), perDollar(quote)) <= AGREEMENT_RATIO;
}

/** The part of a currency's choice that judgements rest on. */
interface CurrencyFeeds {
  readonly currency: CurrencyCode;
  /** The last quote served, of any feed. */
  readonly served: LiveQuote | null;
  readonly feeds: readonly FeedHealth[];
}

/** The currency after a poll; the same object where the poll did not request it. */
export function afterOutcome<C extends CurrencyFeeds>(
  choice: C,
  outcome: FeedOutcome,
  references: References,
  releases: readonly QuoteRelease[],
): C {
  if (!outcome.requested.includes(choice.currency)) return choice;
  const feeds = choice.feeds.map((health) => {
    if (health.feed !== outcome.feed) return health;
    if (outcome.kind === "failed") return afterFailure(health, outcome.at);
    const quotes = outcome.kind === "quotes" ? outcome.quotes : [];
    const quote = quotes.find((one) => currencyOf(one) === choice.currency) ?? null;
    // In an intact document without the currency the feed has no quote; "unchanged" repeats its last one.
    if (quote === null && outcome.kind === "quotes") return afterFailure(health, outcome.at);
    const evidence = evidenceOf(choice, health, outcome.at, references, releases);
    return afterPoll(health, quote, evidence, outcome.at);
  });
  return reweighed({ ...choice, feeds }, outcome.at, references, releases);
}

/** Each feed judged by the present quotes of the others: a new quote may confirm or contradict another feed. The same object when nothing follows. */
export function reweighed<C extends CurrencyFeeds>(
  choice: C,
  at: Instant,
  references: References,
  releases: readonly QuoteRelease[],
): C {
  const feeds = choice.feeds.map((health) =>
    reweigh(health, evidenceOf(choice, health, at, references, releases), at),
  );
  return feeds.every((feed, place) => feed === choice.feeds[place]) ? choice : { ...choice, feeds };
}

function evidenceOf(
  { currency, served, feeds }: CurrencyFeeds,
  { feed }: FeedHealth,
  at: Instant,
  references: References,
  releases: readonly QuoteRelease[],
): Evidence {
  const others = feeds.filter((other) => other.feed !== feed);
  return {
    last: served,
    reference: references.get(currency) ?? null,
    others: others.flatMap((other) => latestQuote(other, at) ?? []),
    releases,
  };
}
