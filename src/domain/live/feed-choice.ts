/**
 * Live quotes, step three: the active feed of each currency, primary or fall-back, with hysteresis, from the health of each
 * feed; and the quotes that are refused now. The state is data.
 */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import { marketSession } from "#domain/time/calendar.ts";
import type { Instant } from "#domain/time/day.ts";
import { doubtsOfAnswer } from "./answer.ts";
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
  contradictionOf,
  DOUBTS_OF_ANSWER,
  type Doubt,
  doubtOf,
  type Evidence,
  isCredible,
  isYoung,
  judgeByEvidence,
  perDollar,
  type QuoteDoubt,
  supports,
} from "./quote-evidence.ts";

/** For polls every minute: leaves after three minutes without a quote, returns after five good ones. */
export const CHOICE_POLICY = {
  /** Polls in a row without a good quote until another feed becomes active. */
  failuresToLeave: 3,
  /** Good polls in a row, over at least these seconds, until a preferred feed becomes active again. */
  successesToReturn: 5,
  returnAfterSeconds: 300,
  /** The preferred feed's quote must be younger than this share of the allowed age: it then lasts until the next poll. */
  returnShare: 2 / 3,
  /** Least time between two changes of a currency's feed, for any reason. */
  leastSeconds: 120,
  /** How long a fall-back waits for the feeds that are preferred to it. */
  firstWaitSeconds: 60,
};

export interface CurrencyChoice {
  readonly currency: CurrencyCode;
  /** The active feed; null before the first. */
  readonly activeFeed: FeedId | null;
  /** Since when the feed is active; before the first, since when a quote is waiting. */
  readonly since: Instant | null;
  /** Only a newer quote replaces it. */
  readonly served: LiveQuote | null;
  /** In order of preference, primary first. */
  readonly feeds: readonly FeedHealth[];
}

export type FeedChoice = readonly CurrencyChoice[];

interface FeedSwitch {
  readonly currency: CurrencyCode;
  readonly from: FeedId | null;
  readonly to: FeedId;
  readonly at: Instant;
  readonly reason: "first" | "failing" | "too_old" | "recovered";
}

type DoubtedQuote = Doubt & { readonly quote: LiveQuote };

export interface ChoiceStep {
  readonly state: FeedChoice;
  /** At most one for each currency, each newer than the one before. */
  readonly served: readonly LiveQuote[];
  readonly switches: readonly FeedSwitch[];
  /** Where a doubt begins or changes its rule. */
  readonly held: readonly DoubtedQuote[];
}

/**
 * The state before any poll. `feeds` are in order of preference, each with the greatest age of its quotes in seconds of open
 * market. `lastQuotes` were served before a restart.
 */
export function startChoice(
  feeds: readonly { readonly feed: FeedId; readonly oldestSeconds: number }[],
  currencies: readonly CurrencyCode[],
  lastQuotes: ReadonlyMap<CurrencyCode, LiveQuote> = new Map(),
): FeedChoice {
  const health = feeds.map((feed): FeedHealth => ({ ...feed, ...UNPOLLED }));
  return currencies.map((currency) => ({
    currency,
    activeFeed: null,
    since: null,
    served: lastQuotes.get(currency) ?? null,
    feeds: health,
  }));
}

/**
 * Takes in one poll's outcome, judged by the newest references and releases. Outcomes come in order of time; unknown feeds and
 * currencies are ignored.
 */
export function choose(
  state: FeedChoice,
  outcome: FeedOutcome,
  references: References,
  releases: readonly QuoteRelease[] = [],
): ChoiceStep {
  const doubts =
    outcome.kind === "quotes" ? doubtsOfAnswer(outcome.quotes, references, outcome.at) : NO_DOUBTS;
  return stepOf(state, outcome.at, (choice) => afterOutcome(choice, outcome, doubts, references, releases));
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

const NO_DOUBTS: ReadonlyMap<LiveQuote, Doubt> = new Map();

function stepOf(
  state: FeedChoice,
  at: Instant,
  update: (choice: CurrencyChoice) => CurrencyChoice,
): ChoiceStep {
  const served: LiveQuote[] = [];
  const switches: FeedSwitch[] = [];
  const held: DoubtedQuote[] = [];
  const choices = state.map((before) => {
    const after = update(before);
    for (const [index, { doubted }] of after.feeds.entries()) {
      if (doubted !== null && doubted.rule !== before.feeds[index]?.doubted?.rule) held.push(doubted);
    }
    const change = changeOf(after, at);
    const settled = settle(after, change, at);
    if (change !== null) switches.push(change);
    if (settled.served !== null && settled.served !== before.served) served.push(settled.served);
    return settled;
  });
  return { state: choices, served, switches, held };
}

function changeOf(choice: CurrencyChoice, at: Instant): FeedSwitch | null {
  const { currency, activeFeed, since, feeds } = choice;
  const to = (next: FeedHealth | undefined, reason: FeedSwitch["reason"]): FeedSwitch | null =>
    next === undefined ? null : { currency, from: activeFeed, to: next.feed, at, reason };
  const canServe = (health: FeedHealth) =>
    health.failures === 0 && isFresh(health, at) && isNews(health, choice, at);
  const place = feeds.findIndex((health) => health.feed === activeFeed);
  const active = feeds[place];
  if (active === undefined) {
    const first = feeds.findIndex(canServe);
    const waited = since !== null && elapsed(since, at) >= CHOICE_POLICY.firstWaitSeconds * 1000;
    const isUnrivalled = feeds.slice(0, Math.max(first, 0)).every(({ failures }) => failures > 0);
    return isUnrivalled || waited ? to(feeds[first], "first") : null;
  }
  if (since !== null && elapsed(since, at) < CHOICE_POLICY.leastSeconds * 1000) return null;
  const failing = active.failures >= CHOICE_POLICY.failuresToLeave;
  if (failing || !isFresh(active, at)) {
    const other = feeds.find((health) => health !== active && canServe(health));
    return to(other, failing ? "failing" : "too_old");
  }
  // The feed's quote need not be newer than the served one, which stays until then: a feed's times may always lag a little.
  const recovered = feeds.slice(0, place).find((health) => {
    const { successes, succeedingSince, failures } = health;
    if (succeedingSince === null || successes < CHOICE_POLICY.successesToReturn) return false;
    if (elapsed(succeedingSince, at) < CHOICE_POLICY.returnAfterSeconds * 1000) return false;
    return failures === 0 && isFresh(health, at, CHOICE_POLICY.returnShare);
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

/** True for a quote of a feed's answer that is newer than the one served, and too old to make the feed active. */
export function isTooLate(choice: FeedChoice, feed: FeedId, quote: LiveQuote, at: Instant): boolean {
  const of = choice.find(({ currency }) => currency === currencyOf(quote));
  const health = of?.feeds.find((one) => one.feed === feed);
  if (of === undefined || health === undefined || isYoung(quote, health.oldestSeconds, at)) return false;
  return of.served === null || quote.observedAt > of.served.observedAt;
}

/** Milliseconds since an instant; Infinity when the clock was since set back to before it. */
function elapsed(since: Instant, at: Instant): number {
  return isAhead(since, at) ? Number.POSITIVE_INFINITY : at - since;
}

export interface FeedHealth {
  readonly feed: FeedId;
  /** Beyond this age, counted in open market, a quote of this feed is no longer fresh. */
  readonly oldestSeconds: number;
  readonly newest: LiveQuote | null;
  /** A newer quote that is held, since when, and how many polls in a row agree on it. */
  readonly doubted: (DoubtedQuote & { readonly polls: number; readonly since: Instant }) | null;
  /** Polls in a row that ended without a fresh believed quote, while the market was open. */
  readonly failures: number;
  /** Polls in a row that ended with such a quote, and when the first of them was. */
  readonly successes: number;
  readonly succeedingSince: Instant | null;
}

const UNPOLLED = { newest: null, doubted: null, failures: 0, successes: 0, succeedingSince: null };

/** `quote` is null when the poll brought no quote or answered "unchanged". */
function afterPoll(health: FeedHealth, quote: LiveQuote | null, evidence: Evidence, at: Instant): FeedHealth {
  const judged = rejudge(quote === null ? health : weigh(health, quote, evidence, at), evidence, at);
  // A held quote is newer than the believed one: the feed is not delivering, however fresh the believed quote is.
  return judged.doubted === null && isFresh(judged, at) ? succeeding(judged, at) : failing(judged, at);
}

function afterFailure(health: FeedHealth, at: Instant): FeedHealth {
  const doubted = health.doubted === null ? null : { ...health.doubted, polls: 0 };
  return failing({ ...health, doubted }, at);
}

/** While the market is closed nothing is due. */
function failing(health: FeedHealth, at: Instant): FeedHealth {
  const failures = health.failures + (marketSession(at) === "open" ? 1 : 0);
  return { ...health, failures, successes: 0, succeedingSince: null };
}

/** Believes a held quote that the evidence now supports; holds a believed one beyond the reference. The same object without a change. */
function rejudge(health: FeedHealth, evidence: Evidence, at: Instant): FeedHealth {
  const { newest, doubted } = health;
  const { last, reference, releases } = evidence;
  if (doubted !== null) {
    const ofAnswer = DOUBTS_OF_ANSWER.has(doubted.rule) ? doubted : null;
    const verdict = judgeAtAge(health, doubted.quote, doubted.polls, { ...evidence, ofAnswer }, at);
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

/** As `judgeByEvidence`; a present quote does not support a price that is no longer fresh, whether it was held or came late. */
function judgeAtAge(
  { oldestSeconds }: FeedHealth,
  quote: LiveQuote,
  polls: number,
  evidence: Evidence,
  at: Instant,
): LiveQuote | Doubt {
  const others = isYoung(quote, oldestSeconds, at)
    ? evidence.others
    : evidence.others.filter((other) => !supports(other, quote));
  return judgeByEvidence(quote, polls, { ...evidence, others });
}

/** The feed's latest quote, held or believed; null when it is no longer fresh. */
function latestQuote({ newest, doubted, oldestSeconds }: FeedHealth, at: Instant): LiveQuote | null {
  const quote = doubted?.quote ?? newest;
  return quote !== null && isYoung(quote, oldestSeconds, at) ? quote : null;
}

/** Whether the newest believed quote is young enough to be served, or within a share of that age. */
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
  // The same observation again, or an older one, is neither news nor a vote.
  if (newest !== null && quote.observedAt <= newest.observedAt) return health;
  if (doubted !== null && isRepeat(doubted.quote, quote)) return health;
  const agrees = doubted !== null && ratioOf(perDollar(doubted.quote), perDollar(quote)) <= AGREEMENT_RATIO;
  const polls = agrees ? doubted.polls + 1 : 1;
  const verdict = judgeAtAge(health, quote, polls, evidence, at);
  if (!("rule" in verdict)) return { ...health, newest: verdict, doubted: null };
  return { ...health, doubted: { ...verdict, quote, polls, since: doubted?.since ?? at } };
}

/** Whether a quote repeats the held one or is older. A feed may correct a held value under the same time. */
function isRepeat(last: LiveQuote, quote: LiveQuote): boolean {
  if (quote.observedAt !== last.observedAt) return quote.observedAt < last.observedAt;
  return ratioOf(perDollar(last), perDollar(quote)) <= AGREEMENT_RATIO;
}

/** The currency after a poll; the same object where the poll did not request it. */
function afterOutcome(
  choice: CurrencyChoice,
  outcome: FeedOutcome,
  doubts: ReadonlyMap<LiveQuote, Doubt>,
  references: References,
  releases: readonly QuoteRelease[],
): CurrencyChoice {
  if (!outcome.requested.includes(choice.currency)) return choice;
  const feeds = choice.feeds.map((health) => {
    if (health.feed !== outcome.feed) return health;
    if (outcome.kind === "failed") return afterFailure(health, outcome.at);
    const quotes = outcome.kind === "quotes" ? outcome.quotes : [];
    const quote = quotes.find((one) => currencyOf(one) === choice.currency) ?? null;
    // In an intact document without the currency the feed has no quote; "unchanged" repeats its last one.
    if (quote === null && outcome.kind === "quotes") return afterFailure(health, outcome.at);
    const evidence = evidenceOf(choice, health, outcome.at, references, releases);
    const ofAnswer = (quote !== null && doubts.get(quote)) || null;
    return afterPoll(health, quote, { ...evidence, ofAnswer }, outcome.at);
  });
  return reweighed({ ...choice, feeds }, outcome.at, references, releases);
}

/** Judges each feed by the present quotes of the others. */
function reweighed(
  choice: CurrencyChoice,
  at: Instant,
  references: References,
  releases: readonly QuoteRelease[],
): CurrencyChoice {
  const feeds = choice.feeds.map((health) => {
    const judged = rejudge(health, evidenceOf(choice, health, at, references, releases), at);
    const isBelieved = health.doubted !== null && judged.doubted === null;
    return isBelieved && isFresh(judged, at) ? succeeding(judged, at) : judged;
  });
  return { ...choice, feeds };
}

function evidenceOf(
  { currency, served, feeds }: CurrencyChoice,
  { feed }: FeedHealth,
  at: Instant,
  references: References,
  releases: readonly QuoteRelease[],
): Evidence {
  const others = feeds.filter((other) => other.feed !== feed);
  return {
    last: served,
    reference: references.get(currency) ?? null,
    ofAnswer: null,
    others: others.flatMap((other) => latestQuote(other, at) ?? []),
    releases,
  };
}

/** A held quote, or one that contradicts the served one. The reference is the newest. */
export interface RefusedQuote extends Omit<QuoteRelease, "at"> {
  /** `USD/JPY`, as the feed quotes it. */
  readonly pair: string;
  /** The price in units of the currency per dollar, like the reference. */
  readonly perDollar: number;
  readonly rule: QuoteDoubt | "contradicts";
  readonly reason: string;
  readonly observedAt: Instant;
  /** Since when the feed has been doubted on this currency without interruption. */
  readonly since: Instant;
  /** True when nothing is served for the currency: no quote ever was, or the active feed has had no good one for many polls. */
  readonly isUnanswered: boolean;
}

/** Held quotes, and those that contradict the served one; by currency, then in the order of the feeds. */
export function refusedQuotes(
  choice: FeedChoice,
  references: References,
  at: Instant,
): readonly RefusedQuote[] {
  return choice.flatMap((one) =>
    one.feeds.flatMap((health): RefusedQuote[] => {
      const { currency, activeFeed, served } = one;
      const { feed, failures } = health;
      const doubted = health.doubted ?? contradicting(health, one, at);
      if (doubted === null) return [];
      const isLeft = activeFeed === feed && failures >= CHOICE_POLICY.failuresToLeave;
      const { quote, rule, reason, since } = doubted;
      return [
        {
          feed,
          currency,
          pair: `${quote.base}/${quote.quote}`,
          price: quote.mid,
          perDollar: perDollar(quote),
          reference: references.get(currency) ?? null,
          rule,
          reason,
          observedAt: quote.observedAt,
          since,
          isUnanswered: served === null || isLeft,
        },
      ];
    }),
  );
}

/** A believed quote that is too far from the active feed's: one of the two is wrong, and nothing tells which. */
function contradicting(health: FeedHealth, { activeFeed, feeds }: CurrencyChoice, at: Instant) {
  const active = feeds.find(({ feed }) => feed === activeFeed);
  if (active === undefined || !isFresh(health, at) || !isFresh(active, at)) return null;
  const quote = health.newest as LiveQuote;
  const reason = contradictionOf(quote, active.newest as LiveQuote);
  return reason === null ? null : { quote, rule: "contradicts" as const, reason, since: quote.observedAt };
}
