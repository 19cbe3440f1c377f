/** Live quotes: polls feeds on time, judges their answers, and publishes the quotes of the active feed once they are durable. */

import pLimit from "p-limit";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import {
  type ChoiceStep,
  choose,
  type FeedChoice,
  isTooLate,
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
import { marketSession } from "#domain/time/calendar.ts";
import { formatInstant, type Instant } from "#domain/time/day.ts";
import type { Clock, Feed, FeedPoll, PollFeed, QuoteArchive } from "#ports.ts";
import type { Emit } from "#telemetry.ts";

interface LiveDeps {
  readonly clock: Clock;
  readonly emit: Emit;
  readonly ask: PollFeed;
  readonly archive: Pick<QuoteArchive, "append">;
  /** Publishes quotes that are durable. */
  readonly publish: (quotes: readonly LiveQuote[]) => Promise<unknown>;
  /** The newest daily references, and what operators have released: quotes are judged by both. */
  readonly references: () => References;
  readonly releases: () => readonly QuoteRelease[];
  readonly later: (milliseconds: number, run: () => void) => () => void;
  /** 0 ≤ r < 1: installations spread over the first seconds of the interval. */
  readonly random: () => number;
}

interface LivePlan {
  /** The preferred feed first. */
  readonly feeds: readonly Feed[];
  readonly currencies: readonly CurrencyCode[];
  readonly pollSeconds: number;
  /** Quotes that were published before a restart. */
  readonly lastQuotes?: ReadonlyMap<CurrencyCode, LiveQuote>;
}

export type LiveCollector = ReturnType<typeof startLive>;

/** Quotes older than this many polls of their currency are not published. */
const OLDEST_POLLS = 3;
const NOT_STORED = "its quotes could not be stored here; the log says why";

/** Starts polling every feed at its own interval, never faster than its plan allows. */
export function startLive(deps: LiveDeps, plan: LivePlan) {
  const planned = plan.feeds.map((feed) => planOf(feed, plan));
  let choice = startChoice(
    planned.map(({ feed, roundSeconds }) => ({ feed: feed.id, oldestSeconds: OLDEST_POLLS * roundSeconds })),
    plan.currencies,
    plan.lastQuotes,
  );
  const states = new Map<FeedId, FeedState>(plan.feeds.map(({ id }) => [id, neverAsked(id)]));
  /** Outcomes are taken one at a time: each choice follows from the one before. Where quotes could not be made durable it is unchanged. */
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
      const step = choose(choice, outcome, deps.references(), deps.releases());
      const before = states.get(outcome.feed) ?? neverAsked(outcome.feed);
      let after: FeedState = { ...before, outcome: "failed", lastAttemptAt: outcome.at, detail: NOT_STORED };
      try {
        await follow(step, () => {
          after = stateAfter(before, outcome, step.state);
          emitPoll(deps.emit, outcome, step);
        });
      } finally {
        states.set(outcome.feed, after);
      }
    });

  const stops = planned.map((feedPlan) => startPolling(deps, feedPlan, take));
  return {
    /** Judges held quotes once more; to be called when references or releases have changed. Rejects when quotes could not be made durable. */
    reconsider: () =>
      inTurn(async () => {
        const step = reconsider(choice, deps.clock.now(), deps.references(), deps.releases());
        await follow(step, () => {});
      }),
    states: () => [...states.values()],
    choice: (): FeedChoice => choice,
    stop: (): void => {
      for (const stop of stops) stop();
    },
  };
}

function neverAsked(feed: FeedId): FeedState {
  const never = { lastAttemptAt: null, lastSuccessAt: null, detail: null, pausedUntil: null };
  return { feed, ...never, outcome: "never" };
}

function stateAfter(before: FeedState, outcome: FeedOutcome, choice: FeedChoice): FeedState {
  const failed = outcome.kind === "failed";
  return {
    feed: outcome.feed,
    lastAttemptAt: outcome.at,
    lastSuccessAt: failed ? before.lastSuccessAt : outcome.at,
    outcome: outcome.kind,
    detail: failed ? outcome.detail : outcome.kind === "quotes" ? unusable(outcome, choice) : before.detail,
    pausedUntil: outcome.kind === "unchanged" ? null : outcome.pauseUntil,
  };
}

/** Why currencies of a feed that answers are not live. */
function unusable(
  { feed, at, quotes, refusals }: Extract<FeedOutcome, { kind: "quotes" }>,
  choice: FeedChoice,
): string | null {
  const late = quotes.filter((quote) => isTooLate(choice, feed, quote, at)).map(lateness);
  const reasons = [...late, ...refusals.map(({ reason }) => reason)];
  return reasons.length === 0 ? null : `prices that cannot be used: ${reasons.length}, such as ${reasons[0]}`;
}

function lateness({ base, quote, observedAt }: LiveQuote): string {
  const price = `${base}/${quote} is of ${formatInstant(observedAt)}`;
  return `${price}, older than three polls: a longer LIVE_POLL_SECONDS takes prices that are late`;
}

function emitPoll(emit: Emit, outcome: FeedOutcome, { served }: ChoiceStep): void {
  const { feed } = outcome;
  if (outcome.kind === "failed")
    emit({ kind: "feed_failed", feed, fault: outcome.fault, detail: outcome.detail });
  else if (outcome.kind === "quotes")
    emit({ kind: "quotes_collected", feed, shown: served.length, refused: outcome.refusals.length });
}

/** Before the first daily figures no quote can be judged: an event for each currency would say nothing more. */
function emitChoice(emit: Emit, { switches, held }: ChoiceStep, hasReferences: boolean): void {
  for (const { currency, from, to, reason } of switches)
    emit({ kind: "feed_switched", currency, from, to, reason });
  for (const { quote, rule, reason } of hasReferences ? held : [])
    emit({ kind: "quote_held", feed: quote.feed, pair: `${quote.base}/${quote.quote}`, rule, reason });
}

// ── Polling ──────────────────────────────────────────────────────────────────────────────────────

/** While the market is closed a feed has no news. It is still polled, if seldom, to notice a wrong calendar. */
const SHUT_SECONDS = 1_800;
const JITTER_MILLISECONDS = 3_000;
/** No timer waits longer: a clock that was set must be noticed. */
const LONGEST_WAIT = 60_000;

/**
 * The polls of a feed, which are taken in turn, the seconds between two, and those until every currency was polled: a small plan does not
 * pay for all pairs in one poll.
 */
export function planOf(
  feed: Feed,
  { currencies, pollSeconds }: Pick<LivePlan, "currencies" | "pollSeconds">,
) {
  const polls = feed.polls(currencies);
  const seconds = Math.max(pollSeconds, Math.ceil(feed.leastPollSeconds(currencies)));
  return { feed, polls, seconds, roundSeconds: seconds * Math.max(1, polls.length) };
}

/** Polls at once, then at the interval, one poll at a time; the returned function stops it. */
function startPolling(
  { clock, ask, emit, later, random }: LiveDeps,
  { feed, polls, seconds }: ReturnType<typeof planOf>,
  take: (outcome: FeedOutcome) => Promise<void>,
): () => void {
  let stopped = false;
  let turn = 0;
  let callOff = () => {};
  const jitter = Math.floor(random() * Math.min(JITTER_MILLISECONDS, seconds * 100));

  /** `pause`: until when the feed asked not to be polled; 0 where it did not. */
  const wait = (due: Instant, pause: Instant) => {
    if (stopped) return;
    const planned = clock.now();
    callOff = later(Math.min(Math.max(due - planned, 0), LONGEST_WAIT), () => {
      if (stopped) return;
      const now = clock.now();
      // A clock that was set back must not delay the poll by as long as it was ahead, or through a weekend that it had wrong.
      const back = Math.max(0, planned - now);
      const goal =
        back === 0 ? due : Math.max(Math.min(due - back, nextBeat(now, seconds) + jitter), pause - back);
      if (now < goal) wait(goal, pause - back);
      else void run();
    });
  };
  const run = async () => {
    let pauseUntil: Instant | null = null;
    try {
      const poll = polls[turn % polls.length] as FeedPoll;
      turn += 1;
      const outcome = await ask(feed, poll);
      // The stores are being closed: what comes now is dropped.
      if (stopped) return;
      pauseUntil = outcome.kind === "unchanged" ? null : outcome.pauseUntil;
      await take(outcome);
    } catch (fault) {
      const error = fault instanceof Error ? fault.message : String(fault);
      emit({ kind: "job_failed", job: `live-${feed.id}`, error });
    }
    const pause = pauseUntil ?? 0;
    wait(Math.max(nextBeat(clock.now(), seconds) + jitter, pause), pause);
  };

  if (polls.length > 0) void run();
  return () => {
    stopped = true;
    callOff();
  };
}

/** The next multiple of the interval. While the market is closed: its opening, at most half an hour or one interval from now. */
function nextBeat(now: Instant, seconds: number): Instant {
  const interval = seconds * 1000;
  const next = (Math.floor(now / interval) + 1) * interval;
  if (marketSession(next) === "open") return next;
  const latest = now + Math.max(SHUT_SECONDS * 1000, interval);
  for (let due = next; due < latest; due += interval) if (marketSession(due) === "open") return due;
  return latest;
}
