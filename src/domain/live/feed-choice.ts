/** Live quotes, step three: which feed speaks for each currency, primary or fall-back, with hysteresis; the state is data. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { Instant } from "#domain/time/day.ts";
import { afterOutcome, reweighed } from "./feed-evidence.ts";
import type { FeedOutcome } from "./feed-outcome.ts";
import { type FeedStanding, isFresh, newStanding } from "./feed-standing.ts";
import { type FeedId, isAhead, type LiveQuote } from "./live-quote.ts";
import type { References } from "./reference.ts";
import type { QuoteRelease } from "./release.ts";

export interface ChoicePolicy {
  /** So many polls in a row without a good quote, and another feed speaks. */
  readonly failuresToLeave: number;
  /** So many good polls in a row, over at least so many seconds, and a better placed feed speaks again. */
  readonly successesToReturn: number;
  readonly returnAfterSeconds: number;
  /** And its quote's age is at most this share of the allowed one, so that it does not have to leave before its next poll. */
  readonly returnShare: number;
  /** Least time between two changes of a currency's feed, for whatever reason. */
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
  /** The feed that speaks; null until one has. */
  readonly speaker: FeedId | null;
  /** Since when it speaks; before that, since when a first quote is waiting. */
  readonly since: Instant | null;
  /** The last quote shown. What is shown never gets older. */
  readonly shown: LiveQuote | null;
  /** In order of preference, primary first. */
  readonly feeds: readonly FeedStanding[];
}

export interface FeedChoice {
  readonly policy: ChoicePolicy;
  readonly currencies: readonly CurrencyChoice[];
}

export interface FeedSwitch {
  readonly currency: CurrencyCode;
  readonly from: FeedId | null;
  readonly to: FeedId;
  readonly at: Instant;
  readonly reason: "first" | "failing" | "too_old" | "recovered";
}

/** A quote with which a doubt about its feed begins, or changes its rule; those that repeat it are none. */
export interface HeldQuote {
  readonly quote: LiveQuote;
  readonly rule: string;
  readonly reason: string;
}

export interface ChoiceStep {
  readonly state: FeedChoice;
  /** What to show from now on: at most one for each currency, each newer than what was shown before. */
  readonly shown: readonly LiveQuote[];
  readonly switches: readonly FeedSwitch[];
  readonly held: readonly HeldQuote[];
}

/**
 * The state before any poll. `feeds` stand in order of preference, each with the age in seconds of open market up to
 * which its quotes may speak (three of its poll intervals, say). `known` is what was shown before a restart.
 */
export function startChoice(
  feeds: readonly { readonly feed: FeedId; readonly oldestSeconds: number }[],
  currencies: readonly CurrencyCode[],
  known: ReadonlyMap<CurrencyCode, LiveQuote> = new Map(),
  policy: ChoicePolicy = CHOICE_POLICY,
): FeedChoice {
  const standings = feeds.map(({ feed, oldestSeconds }) => newStanding(feed, oldestSeconds));
  return {
    policy,
    currencies: currencies.map((currency) => ({
      currency,
      speaker: null,
      since: null,
      shown: known.get(currency) ?? null,
      feeds: standings,
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
  hearing: (choice: CurrencyChoice) => CurrencyChoice,
): ChoiceStep {
  const shown: LiveQuote[] = [];
  const switches: FeedSwitch[] = [];
  const held: HeldQuote[] = [];
  const currencies = state.currencies.map((before) => {
    const after = hearing(before);
    for (const [index, { doubted }] of after.feeds.entries()) {
      if (doubted !== null && doubted.rule !== before.feeds[index]?.doubted?.rule) held.push(doubted);
    }
    const change = changeOf(after, state.policy, at);
    const settled = settle(after, change, at);
    if (change !== null) switches.push(change);
    if (settled.shown !== null && settled.shown !== before.shown) shown.push(settled.shown);
    return settled;
  });
  return { state: { ...state, currencies }, shown, switches, held };
}

/** The change of speaker that is due, or null. */
function changeOf(choice: CurrencyChoice, policy: ChoicePolicy, at: Instant): FeedSwitch | null {
  const { currency, speaker, since, feeds } = choice;
  const to = (found: FeedStanding | undefined, reason: FeedSwitch["reason"]): FeedSwitch | null =>
    found === undefined ? null : { currency, from: speaker, to: found.feed, at, reason };
  const canSpeak = (standing: FeedStanding) =>
    standing.failures === 0 && isFresh(standing, at) && isNews(standing, choice, at);
  const place = feeds.findIndex((standing) => standing.feed === speaker);
  const speaking = feeds[place];
  if (speaking === undefined) {
    const first = feeds.findIndex(canSpeak);
    const waited = since !== null && elapsed(since, at) >= policy.firstWaitSeconds * 1000;
    const alone = feeds.slice(0, Math.max(first, 0)).every(({ failures }) => failures > 0);
    return alone || waited ? to(feeds[first], "first") : null;
  }
  if (since !== null && elapsed(since, at) < policy.leastSeconds * 1000) return null;
  const failing = speaking.failures >= policy.failuresToLeave;
  if (failing || !isFresh(speaking, at)) {
    const other = feeds.find((standing) => standing !== speaking && canSpeak(standing));
    return to(other, failing ? "failing" : "too_old");
  }
  // It need not have anything newer than what is shown: where its times are a little behind the other feed's it never
  // would. What is shown stays until it has.
  const recovered = feeds.slice(0, place).find((standing) => {
    const { successes, succeedingSince, failures } = standing;
    if (succeedingSince === null || successes < policy.successesToReturn) return false;
    if (elapsed(succeedingSince, at) < policy.returnAfterSeconds * 1000) return false;
    return failures === 0 && isFresh(standing, at, policy.returnShare);
  });
  return to(recovered, "recovered");
}

function settle(choice: CurrencyChoice, change: FeedSwitch | null, at: Instant): CurrencyChoice {
  const speaker = change?.to ?? choice.speaker;
  const speaking = choice.feeds.find((standing) => standing.feed === speaker);
  if (speaking === undefined) {
    const waiting = choice.feeds.some((standing) => standing.newest !== null);
    return waiting && choice.since === null ? { ...choice, since: at } : choice;
  }
  return {
    ...choice,
    speaker,
    since: change === null ? choice.since : at,
    shown: isNews(speaking, choice, at) ? speaking.newest : choice.shown,
  };
}

/** True when the feed has something newer than what is shown, or what is shown is dated by a clock that was wrong. */
function isNews({ newest }: FeedStanding, { shown }: CurrencyChoice, at: Instant): boolean {
  if (newest === null || shown === null) return newest !== null;
  return (
    newest.observedAt > shown.observedAt || (isAhead(shown.observedAt, at) && !isAhead(newest.observedAt, at))
  );
}

/** Milliseconds since an instant; endless for one that the clock was set back behind. */
function elapsed(since: Instant, at: Instant): number {
  return isAhead(since, at) ? Number.POSITIVE_INFINITY : at - since;
}
