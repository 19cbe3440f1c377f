/** Polls a feed at its interval, one poll at a time, and rarely while the market is closed. */

import type { FeedOutcome } from "#domain/live/live-quote.ts";
import { marketSession } from "#domain/time/calendar.ts";
import type { Instant } from "#domain/time/day.ts";
import type { Clock, Feed, FeedPoll, PollFeed } from "#ports.ts";
import type { Emit } from "#telemetry.ts";

export interface PollTimes {
  readonly feed: Feed;
  /** In turn. */
  readonly polls: readonly FeedPoll[];
  readonly seconds: number;
}

interface PollingDeps {
  readonly clock: Clock;
  readonly ask: PollFeed;
  readonly emit: Emit;
  readonly later: (milliseconds: number, run: () => void) => () => void;
  /** 0 ≤ r < 1: installations spread over the first seconds of the interval. */
  readonly random: () => number;
}

/** While the market is shut a feed has nothing to say; it is looked at so seldom that a wrong calendar would still show. */
const SHUT_SECONDS = 1_800;
const JITTER_MILLISECONDS = 3_000;
/** A timer never waits longer, so that a clock that was set is noticed. */
const LONGEST_WAIT = 60_000;

/** Polls at once, then at the interval; the returned function stops it. */
export function startPolling(
  deps: PollingDeps,
  { feed, polls, seconds }: PollTimes,
  take: (outcome: FeedOutcome) => Promise<void>,
): () => void {
  let stopped = false;
  let turn = 0;
  let callOff = () => {};
  const jitter = Math.floor(deps.random() * Math.min(JITTER_MILLISECONDS, seconds * 100));

  const wait = (due: Instant) => {
    if (stopped) return;
    const planned = deps.clock.now();
    callOff = deps.later(Math.min(Math.max(due - planned, 0), LONGEST_WAIT), () => {
      if (stopped) return;
      const now = deps.clock.now();
      // After a clock was set back the feed would otherwise wait for as long as it was ahead.
      const goal = now < planned ? due - (planned - now) : due;
      if (now < goal) wait(goal);
      else void run();
    });
  };
  const run = async () => {
    let pauseUntil: Instant | null = null;
    try {
      const poll = polls[turn % polls.length] as FeedPoll;
      turn += 1;
      const outcome = await deps.ask(feed, poll);
      // The stores are being closed: what comes now is dropped.
      if (stopped) return;
      pauseUntil = outcome.kind === "unchanged" ? null : outcome.pauseUntil;
      await take(outcome);
    } catch (fault) {
      const error = fault instanceof Error ? fault.message : String(fault);
      deps.emit({ kind: "job_failed", job: `live-${feed.id}`, error });
    }
    wait(Math.max(nextBeat(deps.clock.now(), seconds) + jitter, pauseUntil ?? 0));
  };

  if (polls.length > 0) void run();
  return () => {
    stopped = true;
    callOff();
  };
}

/** The next multiple of the interval; while the market is shut, half an hour or a longer interval on, or the opening if that is first. */
function nextBeat(now: Instant, seconds: number): Instant {
  const interval = seconds * 1000;
  const next = (Math.floor(now / interval) + 1) * interval;
  if (marketSession(next) === "open") return next;
  const latest = now + Math.max(SHUT_SECONDS * 1000, interval);
  for (let due = next; due < latest; due += interval) if (marketSession(due) === "open") return due;
  return latest;
}
