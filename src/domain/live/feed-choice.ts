/** Live quotes, step three: which feed speaks for each currency, primary or fall-back, with hysteresis; the state is data. */

import type { CurrencyCode } from "#domain/currency.ts";
import type { Instant } from "#domain/day.ts";
import { currencyOf, type FeedOutcome } from "./feed-outcome.ts";
import { afterFailure, afterPoll, type FeedStanding, isFresh, newStanding } from "./feed-standing.ts";
import type { FeedId, LiveQuote } from "./live-quote.ts";

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

/** A quote that is newly held because it is not believed. */
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
 * One poll's outcome taken in. `references` are units per dollar by the newest daily fixings, for plausibility. Outcomes
 * must come in order of time; a feed that is not in the state is ignored, so are currencies.
 */
export function choose(
  state: FeedChoice,
  outcome: FeedOutcome,
  references: ReadonlyMap<CurrencyCode, number>,
): ChoiceStep {
  const shown: LiveQuote[] = [];
  const switches: FeedSwitch[] = [];
  const held: HeldQuote[] = [];
  const currencies = state.currencies.map((before) => {
    const heard = hear(before, outcome, references.get(before.currency) ?? null);
    for (const [index, { doubted }] of heard.feeds.entries()) {
      if (doubted !== null && doubted.quote !== before.feeds[index]?.doubted?.quote) held.push(doubted);
    }
    const change = changeOf(heard, state.policy, outcome.at);
    const settled = settle(heard, change, outcome.at);
    if (change !== null) switches.push(change);
    if (settled.shown !== null && settled.shown !== before.shown) shown.push(settled.shown);
    return settled;
  });
  return { state: { ...state, currencies }, shown, switches, held };
}

function hear(choice: CurrencyChoice, outcome: FeedOutcome, reference: number | null): CurrencyChoice {
  if (!outcome.asked.includes(choice.currency)) return choice;
  const feeds = choice.feeds.map((standing) => {
    if (standing.feed !== outcome.feed) return standing;
    if (outcome.kind === "failed") return afterFailure(standing, outcome.at);
    const quotes = outcome.kind === "quotes" ? outcome.quotes : [];
    const quote = quotes.find((one) => currencyOf(one) === choice.currency) ?? null;
    // In an intact document without the currency the feed has nothing to say; "unchanged" repeats what it said.
    if (quote === null && outcome.kind === "quotes") return afterFailure(standing, outcome.at);
    const others = choice.feeds.filter((other) => other !== standing);
    return afterPoll(standing, quote, { last: choice.shown, reference, others }, outcome.at);
  });
  return { ...choice, feeds };
}

/** The change of speaker that is due, or null. */
function changeOf(choice: CurrencyChoice, policy: ChoicePolicy, at: Instant): FeedSwitch | null {
  const { currency, speaker, since, feeds } = choice;
  const to = (found: FeedStanding | undefined, reason: FeedSwitch["reason"]): FeedSwitch | null =>
    found === undefined ? null : { currency, from: speaker, to: found.feed, at, reason };
  const canSpeak = (standing: FeedStanding) =>
    standing.failures === 0 && isFresh(standing, at) && isNews(standing, choice);
  const place = feeds.findIndex((standing) => standing.feed === speaker);
  const speaking = feeds[place];
  if (speaking === undefined) {
    const first = feeds.findIndex(canSpeak);
    const waited = since !== null && at - since >= policy.firstWaitSeconds * 1000;
    const alone = feeds.slice(0, Math.max(first, 0)).every(({ failures }) => failures > 0);
    return alone || waited ? to(feeds[first], "first") : null;
  }
  if (since !== null && at - since < policy.leastSeconds * 1000) return null;
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
    if (at - succeedingSince < policy.returnAfterSeconds * 1000) return false;
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
    shown: isNews(speaking, choice) ? speaking.newest : choice.shown,
  };
}

/** True when the feed has something newer than what is shown. */
function isNews({ newest }: FeedStanding, { shown }: CurrencyChoice): boolean {
  return newest !== null && (shown === null || newest.observedAt > shown.observedAt);
}
