/** Runs the timetable. Croner computes on the process's clock when each job is due; one timer for each job waits for it. */

import { Cron } from "croner";
import type { DailySource } from "#domain/currency/source.ts";
import type { Instant } from "#domain/time/day.ts";
import type { Clock } from "#ports.ts";
import type { Emit } from "#telemetry.ts";
import { type Job, TIMETABLE } from "./timetable.ts";

interface SchedulerDeps<Planned extends Job = Job> {
  readonly clock: Clock;
  readonly perform: (job: Planned) => Promise<unknown>;
  readonly emit: Emit;
  /** Waits, then calls; the returned function cancels it. Injected for tests. */
  readonly later: (milliseconds: number, run: () => void) => () => void;
  /** 0 ≤ r < 1, spreads the polls of many installations over the seconds after the minute. */
  readonly random: () => number;
}

const JITTER_MILLISECONDS = 20_000;
/** A timer never waits longer than this, to notice a clock that was set. */
const LONGEST_WAIT = 15 * 60_000;

/** Starts every job; the returned function stops them. A job's next run is planned after the last one ended. */
export function startScheduler<Planned extends Job>(
  deps: SchedulerDeps<Planned>,
  timetable: readonly Planned[],
): () => void {
  const stops = timetable.map((job) => startJob(deps, job));
  return () => {
    for (const stop of stops) stop();
  };
}

/** When the timetable collects a source next, to the minute; null where it never does. Its whole history is due from `wholeDueAt` on. */
export function nextCollection(
  source: DailySource,
  after: Instant,
  wholeDueAt: Instant = after,
): Instant | null {
  const runs = TIMETABLE.flatMap((job) => {
    if (!("source" in job) || job.source !== source) return [];
    const cron = new Cron(job.pattern, { paused: true, timezone: job.zone });
    return cron.nextRun(new Date(job.whenDue ? Math.max(after, wholeDueAt) : after))?.getTime() ?? [];
  });
  return runs.length === 0 ? null : Math.min(...runs);
}

function startJob<Planned extends Job>(deps: SchedulerDeps<Planned>, job: Planned): () => void {
  const cron = new Cron(job.pattern, { paused: true, timezone: job.zone });
  let stopped = false;
  let callOff = () => {};

  const plan = () => {
    if (stopped) return;
    const now = deps.clock.now();
    const next = cron.nextRun(new Date(now));
    if (next === null) return;
    wait(next.getTime() + Math.floor(deps.random() * JITTER_MILLISECONDS));
  };
  /** Bounds the wait: a run planned by a fast clock would otherwise wait until that time. */
  const latestStart = () => {
    const next = cron.nextRun(new Date(deps.clock.now()));
    return next === null ? Number.POSITIVE_INFINITY : next.getTime() + JITTER_MILLISECONDS;
  };
  const wait = (due: number) => {
    const left = due - deps.clock.now();
    callOff = deps.later(Math.min(Math.max(left, 0), LONGEST_WAIT), () => {
      if (stopped) return;
      if (deps.clock.now() < due) wait(Math.min(due, latestStart()));
      else void run();
    });
  };
  const run = async () => {
    try {
      await deps.perform(job);
    } catch (fault) {
      const error = fault instanceof Error ? fault.message : String(fault);
      deps.emit({ kind: "job_failed", job: job.name, error });
    }
    plan();
  };

  plan();
  return () => {
    stopped = true;
    callOff();
  };
}
