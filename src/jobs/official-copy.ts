/** When publications are copied into the lake: at the start, a few seconds after some were committed, and every ten minutes. */

import type { Clock } from "#ports.ts";
import type { Emit } from "#telemetry.ts";

interface CopyJobDeps {
  /** One run; it ends early, by rejecting, when the signal aborts. */
  readonly copy: (signal: AbortSignal) => Promise<unknown>;
  readonly clock: Clock;
  readonly emit: Emit;
  /** Waits, then calls; returns how to call it off. Injected so that tests hold the time. */
  readonly later: (milliseconds: number, run: () => void) => () => void;
}

/** Publications come several at once. */
const SOON_MILLISECONDS = 3_000;
/** What another process committed, and what failed. */
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
    /** Something was committed. Never waits. */
    soon: () => {
      // The first commit sets the time: others that follow must not put it off.
      if (ending.signal.aborted || isWanted) return;
      isWanted = true;
      if (running === null) wait(untilSoon());
    },
    /** Aborts the run that is under way and resolves when it has ended. */
    stop: async () => {
      ending.abort();
      callOff();
      await running;
    },
  };
}
