/** Live quotes, step four: polls feeds on time, and publishes the quotes of the active feed once they are durable. */

import pLimit from "p-limit";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import {
  type ChoiceStep,
  choose,
  type FeedChoice,
  reconsider,
  startChoice,
} from "#domain/live/feed-choice.ts";
import type {
  FeedId,
  FeedOutcome,
  FeedState,
  LiveQuote,
  QuoteRelease,
  References,
} from "#domain/live/live-quote.ts";
import type { Clock, Feed, PollFeed, QuoteArchive } from "#ports.ts";
import type { Emit } from "#telemetry.ts";
import { type PollTimes, startPolling } from "./polling.ts";

interface LiveDeps {
  readonly clock: Clock;
  readonly emit: Emit;
  readonly ask: PollFeed;
  readonly archive: Pick<QuoteArchive, "append">;
  /** Shows what has become durable. */
  readonly publish: (quotes: readonly LiveQuote[]) => Promise<unknown>;
  /** The newest daily references, and what operators have released: what quotes are judged by. */
  readonly references: () => References;
  readonly releases: () => readonly QuoteRelease[];
  readonly later: (milliseconds: number, run: () => void) => () => void;
  readonly random: () => number;
}

interface LivePlan {
  /** In order of preference. */
  readonly feeds: readonly Feed[];
  readonly currencies: readonly CurrencyCode[];
  readonly pollSeconds: number;
  /** What was published before a restart. */
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
  /** One after the other: a choice follows from the one before. */
  const inTurn = pLimit(1);

  const follow = async (step: ChoiceStep, emitMore: () => void) => {
    // Durable first, then remembered, then published: nothing that was published is ever lost.
    await deps.archive.append(step.served);
    choice = step.state;
    emitMore();
    emitChoice(deps.emit, step, deps.references().size > 0);
    if (step.served.length > 0) await deps.publish(step.served);
  };
  const take = (outcome: FeedOutcome) =>
    inTurn(async () => {
      states.set(outcome.feed, stateAfter(states.get(outcome.feed) ?? neverAsked(outcome.feed), outcome));
      const step = choose(choice, outcome, deps.references(), deps.releases());
      await follow(step, () => emitPoll(deps.emit, outcome, step));
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

function emitPoll(emit: Emit, outcome: FeedOutcome, { served }: ChoiceStep): void {
  const { feed } = outcome;
  if (outcome.kind === "failed")
    emit({ kind: "feed_failed", feed, fault: outcome.fault, detail: outcome.detail });
  else if (outcome.kind === "quotes") {
    emit({ kind: "quotes_collected", feed, shown: served.length, refused: outcome.refusals.length });
  }
}

/** Before the first daily figures no quote can be judged: an event for each currency would say nothing more. */
function emitChoice(emit: Emit, { switches, held }: ChoiceStep, hasReferences: boolean): void {
  for (const { currency, from, to, reason } of switches)
    emit({ kind: "feed_switched", currency, from, to, reason });
  for (const { quote, rule, reason } of hasReferences ? held : []) {
    emit({ kind: "quote_held", feed: quote.feed, pair: `${quote.base}/${quote.quote}`, rule, reason });
  }
}
