/** Live quotes, step three: the active feed of each currency, primary or fall-back, with hysteresis, from the health of each feed. The state is data. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { Instant } from "#domain/time/day.ts";
import { marketSession } from "#domain/time/session.ts";
import {
  currencyOf,
  type FeedId,
  type FeedOutcome,
  isAhead,
  type LiveQuote,
  type QuoteRelease,
  type References,
  ratioOf,
} from "./live-quote.ts";
import {
  AGREEMENT_RATIO,
  type Doubt,
  doubtOf,
  type Evidence,
  isCredible,
  isYoung,
  judgeByEvidence,
  perDollar,
  supports,
} from "./quote-evidence.ts";

interface ChoicePolicy {
  /** So many polls in a row without a good quote, and another feed becomes active. */
  readonly failuresToLeave: number;
  /** So many good polls in a row, over at least so many seconds, and a preferred feed becomes active again. */
  readonly successesToReturn: number;
  readonly returnAfterSeconds: number;
  /** And its quote's age is at most this share of the allowed one, so that it does not have to leave before its next poll. */
  readonly returnShare: number;
  /** Least time between two changes of a currency's feed, for any reason. */
  readonly leastSeconds: number;
  /** How long a fall-back that has a first quote waits for feeds placed before it that have not answered yet. */
  readonly firstWaitSeconds: number;
}

/** For polls every minute: leaves after three minutes without a quote, returns after five good ones. */
export const CHOICE_POLICY: ChoicePolicy = {
  failuresToLeave: 3,
  successesToReturn: 5,
  returnAfterSeconds: 300,
  returnShare: 2 / 3,
  leastSeconds: 120,
  firstWaitSeconds: 60,
};

export interface CurrencyChoice {
  readonly currency: CurrencyCode;
  /** The active feed; null before the first. */
  readonly activeFeed: FeedId | null;
  /** Since when it is active; before that, since when a first quote is waiting. */
  readonly since: Instant | null;
  /** The last quote served. It is only ever replaced by a newer one. */
  readonly served: LiveQuote | null;
  /** In order of preference, primary first. */
  readonly feeds: readonly FeedHealth[];
}

export interface FeedChoice {
  readonly policy: ChoicePolicy;
  readonly currencies: readonly CurrencyChoice[];
}

interface FeedSwitch {
  readonly currency: CurrencyCode;
  readonly from: FeedId | null;
  readonly to: FeedId;
  readonly at: Instant;
  readonly reason: "first" | "failing" | "too_old" | "recovered";
}

/** A quote with which a doubt about its feed begins, or changes its rule; those that repeat it are none. */
interface HeldQuote {
  readonly quote: LiveQuote;
  readonly rule: string;
  readonly reason: string;
}

export interface ChoiceStep {
  readonly state: FeedChoice;
  /** What to serve from now on: at most one for each currency, each newer than the one served before. */
  readonly served: readonly LiveQuote[];
  readonly switches: readonly FeedSwitch[];
  readonly held: readonly HeldQuote[];
}

/**
 * The state before any poll. `feeds` are in order of preference, each with the age in seconds of open market up to
 * which its quotes may be served (such as three of its poll intervals). `known` is what was served before a restart.
 */
export function startChoice(
  feeds: readonly { readonly feed: FeedId; readonly oldestSeconds: number }[],
  currencies: readonly CurrencyCode[],
  known: ReadonlyMap<CurrencyCode, LiveQuote> = new Map(),
  policy: ChoicePolicy = CHOICE_POLICY,
): FeedChoice {
  const health = feeds.map(({ feed, oldestSeconds }) => newFeedHealth(feed, oldestSeconds));
  return {
    policy,
    currencies: currencies.map((currency) => ({
      currency,
      activeFeed: null,
      since: null,
      served: known.get(currency) ?? null,
      feeds: health,
    })),
  };
}

/**
 * One poll's outcome taken in, judged by the newest daily references and the operator's releases. Outcomes must come in
 * order of time; a feed that is not in the state is ignored, so are currencies.
 */
export function choose(
  state: FeedChoice,
  outcome: FeedOutcome,
  references: References,
  releases: readonly QuoteRelease[] = [],
): ChoiceStep {
  return stepOf(state, outcome.at, (choice) => afterOutcome(choice, outcome, references, releases));
}

/** The step that follows when references or releases have changed without a poll. */
export function reconsider(
  state: FeedChoice,
  at: Instant,
  references: References,
  releases: readonly QuoteRelease[],
): ChoiceStep {
  return stepOf(state, at, (choice) => reweighed(choice, at, references, releases));
}

function stepOf(
  state: FeedChoice,
  at: Instant,
  update: (choice: CurrencyChoice) => CurrencyChoice,
): ChoiceStep {
  const served: LiveQuote[] = [];
  const switches: FeedSwitch[] = [];
  const held: HeldQuote[] = [];
  const currencies = state.currencies.map((before) => {
    const after = update(before);
    for (const [index, { doubted }] of after.feeds.entries()) {
      if (doubted !== null && doubted.rule !== before.feeds[index]?.doubted?.rule) held.push(doubted);
    }
    const change = changeOf(after, state.policy, at);
    const settled = settle(after, change, at);
    if (change !== null) switches.push(change);
    if (settled.served !== null && settled.served !== before.served) served.push(settled.served);
    return settled;
  });
  return { state: { ...state, currencies }, served, switches, held };
}

/** The change of the active feed that is due, or null. */
function changeOf(choice: CurrencyChoice, policy: ChoicePolicy, at: Instant): FeedSwitch | null {
  const { currency, activeFeed, since, feeds } = choice;
  const to = (found: FeedHealth | undefined, reason: FeedSwitch["reason"]): FeedSwitch | null =>
    found === undefined ? null : { currency, from: activeFeed, to: found.feed, at, reason };
  const canServe = (health: FeedHealth) =>
    health.failures === 0 && isFresh(health, at) && isNews(health, choice, at);
  const place = feeds.findIndex((health) => health.feed === activeFeed);
  const active = feeds[place];
  if (active === undefined) {
    const first = feeds.findIndex(canServe);
    const waited = since !== null && elapsed(since, at) >= policy.firstWaitSeconds * 1000;
    const isUnrivalled = feeds.slice(0, Math.max(first, 0)).every(({ failures }) => failures > 0);
    return isUnrivalled || waited ? to(feeds[first], "first") : null;
  }
  if (since !== null && elapsed(since, at) < policy.leastSeconds * 1000) return null;
  const failing = active.failures >= policy.failuresToLeave;
  if (failing || !isFresh(active, at)) {
    const other = feeds.find((health) => health !== active && canServe(health));
    return to(other, failing ? "failing" : "too_old");
  }
  // It need not have a newer quote than the one served: where its times are a little behind the other feed's it never
  // would. The served quote stays until it has.
  const recovered = feeds.slice(0, place).find((health) => {
    const { successes, succeedingSince, failures } = health;
    if (succeedingSince === null || successes < policy.successesToReturn) return false;
    if (elapsed(succeedingSince, at) < policy.returnAfterSeconds * 1000) return false;
    return failures === 0 && isFresh(health, at, policy.returnShare);
  });
  return to(recovered, "recovered");
}

function settle(choice: CurrencyChoice, change: FeedSwitch | null, at: Instant): CurrencyChoice {
  const activeFeed = change?.to ?? choice.activeFeed;
  const active = choice.feeds.find((health) => health.feed === activeFeed);
  if (active === undefined) {
    const waiting = choice.feeds.some((health) => health.newest !== null);
    return waiting && choice.since === null ? { ...choice, since: at } : choice;
  }
  return {
    ...choice,
    activeFeed,
    since: change === null ? choice.since : at,
    served: isNews(active, choice, at) ? active.newest : choice.served,
  };
}

/** True when the feed has a newer quote than the one served, or the one served is dated by a wrong clock. */
function isNews({ newest }: FeedHealth, { served }: CurrencyChoice, at: Instant): boolean {
  if (newest === null || served === null) return newest !== null;
  return (
    newest.observedAt > served.observedAt ||
    (isAhead(served.observedAt, at) && !isAhead(newest.observedAt, at))
  );
}

/** Milliseconds since an instant; endless for one that the clock was set back behind. */
function elapsed(since: Instant, at: Instant): number {
  return isAhead(since, at) ? Number.POSITIVE_INFINITY : at - since;
}

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

function newFeedHealth(feed: FeedId, oldestSeconds: number): FeedHealth {
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
function isFresh({ newest, oldestSeconds }: FeedHealth, at: Instant, share = 1): boolean {
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
function afterOutcome<C extends CurrencyFeeds>(
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
function reweighed<C extends CurrencyFeeds>(
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
