/** Live quotes, step four: feeds are polled in time, what the choice believes becomes durable, and only then is it shown. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import {
  type ChoiceStep,
  choose,
  type FeedChoice,
  reconsider,
  startChoice,
} from "#domain/live/feed-choice.ts";
import type { FeedOutcome } from "#domain/live/feed-outcome.ts";
import type { FeedState } from "#domain/live/feed-state.ts";
import type { FeedId, LiveQuote } from "#domain/live/live-quote.ts";
import type { References } from "#domain/live/reference.ts";
import type { QuoteRelease } from "#domain/live/release.ts";
import type { AskFeed, Clock, Feed, QuoteArchive } from "#ports.ts";
import type { Tell } from "#telemetry.ts";
import { type PollTimes, startPolling } from "./polling.ts";

export interface LiveDeps {
  readonly clock: Clock;
  readonly tell: Tell;
  readonly ask: AskFeed;
  readonly archive: Pick<QuoteArchive, "append">;
  /** Shows what has become durable. */
  readonly publish: (quotes: readonly LiveQuote[]) => Promise<unknown>;
  /** The newest daily references, and what operators have released: what quotes are judged by. */
  readonly references: () => References;
  readonly releases: () => readonly QuoteRelease[];
  readonly later: (milliseconds: number, run: () => void) => () => void;
  readonly random: () => number;
}

export interface LivePlan {
  /** In order of preference. */
  readonly feeds: readonly Feed[];
  readonly currencies: readonly CurrencyCode[];
  readonly pollSeconds: number;
  /** What was shown before a restart. */
  readonly known?: ReadonlyMap<CurrencyCode, LiveQuote>;
}

export interface LiveCollector {
  /** Takes one outcome in; rejects when what it brought could not be made durable: then nothing has changed. */
  take(outcome: FeedOutcome): Promise<void>;
  /** Judges what is held once more; to be called when references or releases have changed. Rejects like `take`. */
  reconsider(): Promise<void>;
  states(): readonly FeedState[];
  choice(): FeedChoice;
  stop(): void;
}

/** Quotes may be this many polls of their currency old and still speak. */
const OLDEST_POLLS = 3;

/** Starts polling every feed at its own pace, never faster than its plan allows. */
export function startLive(deps: LiveDeps, plan: LivePlan): LiveCollector {
  const paces = plan.feeds.map((feed) => ({ feed, seconds: paceOf(feed, plan) }));
  let choice = startChoice(
    paces.map(({ feed, seconds }) => ({
      feed: feed.id,
      // A feed whose plan does not pay for all pairs at once comes to a currency every few polls only.
      oldestSeconds: OLDEST_POLLS * seconds * Math.max(1, feed.polls(plan.currencies).length),
    })),
    plan.currencies,
    plan.known,
  );
  const states = new Map<FeedId, FeedState>(plan.feeds.map(({ id }) => [id, neverAsked(id)]));
  let queue: Promise<unknown> = Promise.resolve();

  /** One after the other: a choice follows from the one before. */
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const turn = queue.then(work);
    queue = turn.catch(() => {});
    return turn;
  };
  const follow = async (step: ChoiceStep, tellMore: () => void) => {
    // Durable first, then remembered, then shown: what was shown is never lost, and what was lost was never shown.
    await deps.archive.append(step.shown);
    choice = step.state;
    tellMore();
    tellOf(deps.tell, step, deps.references().size > 0);
    if (step.shown.length > 0) await deps.publish(step.shown);
  };
  const take = (outcome: FeedOutcome) =>
    inTurn(async () => {
      states.set(outcome.feed, stateAfter(states.get(outcome.feed) ?? neverAsked(outcome.feed), outcome));
      const step = choose(choice, outcome, deps.references(), deps.releases());
      await follow(step, () => tellOfPoll(deps.tell, outcome, step));
    });

  const stops = paces.map(({ feed, seconds }) => startPolling(deps, timesOf(feed, plan, seconds), take));
  return {
    take,
    reconsider: () =>
      inTurn(async () => {
        const step = reconsider(choice, deps.clock.now(), deps.references(), deps.releases());
        await follow(step, () => {});
      }),
    states: () => [...states.values()],
    choice: () => choice,
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}

function paceOf(feed: Feed, { currencies, pollSeconds }: LivePlan): number {
  return Math.max(pollSeconds, Math.ceil(feed.leastPollSeconds(currencies)));
}

function timesOf(feed: Feed, { currencies }: LivePlan, seconds: number): PollTimes {
  return { feed, polls: feed.polls(currencies), seconds };
}

function neverAsked(feed: FeedId): FeedState {
  return {
    feed,
    lastAttemptAt: null,
    lastSuccessAt: null,
    outcome: "never",
    detail: null,
    pausedUntil: null,
  };
}

function stateAfter(before: FeedState, outcome: FeedOutcome): FeedState {
  const failed = outcome.kind === "failed";
  return {
    feed: outcome.feed,
    lastAttemptAt: outcome.at,
    lastSuccessAt: failed ? before.lastSuccessAt : outcome.at,
    outcome: outcome.kind,
    detail: failed ? outcome.detail : null,
    pausedUntil: outcome.kind === "unchanged" ? null : outcome.pauseUntil,
  };
}

function tellOfPoll(tell: Tell, outcome: FeedOutcome, { shown }: ChoiceStep): void {
  const { feed } = outcome;
  if (outcome.kind === "failed")
    tell({ kind: "feed_failed", feed, fault: outcome.fault, detail: outcome.detail });
  else if (outcome.kind === "quotes") {
    tell({ kind: "quotes_collected", feed, shown: shown.length, refused: outcome.refusals.length });
  }
}

/** Before the first daily figures no quote can be judged: an event for each currency would say nothing more. */
function tellOf(tell: Tell, { switches, held }: ChoiceStep, hasReferences: boolean): void {
  for (const { currency, from, to, reason } of switches)
    tell({ kind: "feed_switched", currency, from, to, reason });
  for (const { quote, rule, reason } of hasReferences ? held : []) {
    tell({ kind: "quote_held", feed: quote.feed, pair: `${quote.base}/${quote.quote}`, rule, reason });
  }
}
