/** Live quotes, step three: the active feed of each currency, primary or fall-back, with hysteresis. The state is data. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { Instant } from "#domain/time/day.ts";
import { afterOutcome, type FeedHealth, isFresh, newFeedHealth, reweighed } from "./feed-health.ts";
import type { FeedOutcome } from "./feed-outcome.ts";
import { type FeedId, isAhead, type LiveQuote } from "./live-quote.ts";
import type { QuoteRelease, References } from "./reference.ts";

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
