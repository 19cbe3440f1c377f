/** Copies publications into the lake: at the start, a few seconds after a commit, and every ten minutes. */

import type { Clock } from "#ports.ts";
import type { Emit } from "#telemetry.ts";

interface CopyJobDeps {
  /** Runs once; rejects early when the signal aborts. */
  readonly copy: (signal: AbortSignal) => Promise<unknown>;
  readonly clock: Clock;
  readonly emit: Emit;
  /** Waits, then calls; the returned function cancels it. Injected for tests. */
  readonly later: (milliseconds: number, run: () => void) => () => void;
}

/** Publications come several at once. */
const SOON_MILLISECONDS = 3_000;
/** For commits of other processes, and after failures. */
const EVERY_MILLISECONDS = 600_000;
/** A run writes whole files: while a history is being loaded it must not take more than a tenth of the time. */
const REST_TIMES = 10;

/** Begins with a run at once. One run at a time. */
export function startCopying({ copy, clock, emit, later }: CopyJobDeps) {
  const ending = new AbortController();
  let callOff = () => {};
  let running: Promise<void> | null = null;
  let isWanted = false;
  let notBefore = clock.now();

  const wait = (milliseconds: number) => {
    callOff();
    callOff = later(milliseconds, () => {
      running ??= run();
    });
  };
  const run = async () => {
    isWanted = false;
    const started = clock.now();
    try {
      await copy(ending.signal);
    } catch (fault) {
      const error = fault instanceof Error ? fault.message : String(fault);
      if (!ending.signal.aborted) emit({ kind: "job_failed", job: "official-lake", error });
    }
    const ended = clock.now();
    notBefore = ended + REST_TIMES * Math.max(0, ended - started);
    running = null;
    if (!ending.signal.aborted) wait(isWanted ? untilSoon() : EVERY_MILLISECONDS);
  };
  const untilSoon = () => Math.min(EVERY_MILLISECONDS, Math.max(SOON_MILLISECONDS, notBefore - clock.now()));

  wait(0);
  return {
    /** Announces a commit. Never waits. */
    soon: () => {
      // The first commit sets the time: later ones must not delay it.
      if (ending.signal.aborted || isWanted) return;
      isWanted = true;
      if (running === null) wait(untilSoon());
    },
    /** Aborts the current run and resolves when it has ended. */
    stop: async () => {
      ending.abort();
      callOff();
      await running;
    },
  };
}
