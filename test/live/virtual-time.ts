/** A clock and its timers in the test's hands: weeks pass as fast as the work in them is done, and nothing is waited for in real time. */

import type { Instant } from "#domain/time/day.ts";
import type { Clock } from "#ports.ts";

export interface VirtualTime {
  readonly clock: Clock;
  /** In the shape that use cases take timers: calls later, unless it is called off. */
  readonly later: (milliseconds: number, run: () => void) => () => void;
  /** How many pollers are running: at rest each of them has exactly one timer, for its next poll or for a deadline. */
  pollers: number;
  /** Lets everything up to an instant happen in order, each thing when the one before has come to rest. */
  advance(to: Instant): Promise<void>;
  /** Sets the clock back; timers run on as they would in real time. */
  setBack(milliseconds: number): void;
}

interface Timer {
  due: Instant;
  readonly run: () => void;
}

export function virtualTime(start: Instant): VirtualTime {
  let now = start;
  const timers = new Set<Timer>();
  const time: VirtualTime = {
    clock: { now: () => now },
    later: (milliseconds, run) => {
      const timer = { due: now + Math.max(0, milliseconds), run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    pollers: 0,
    async advance(to) {
      for (;;) {
        for (let turn = 0; turn < 20; turn++) await Promise.resolve();
        while (timers.size < time.pollers) await turnOfTheLoop();
        const next = earliest();
        if (next === null || next.due > to) break;
        now = Math.max(now, next.due);
        timers.delete(next);
        next.run();
      }
      now = Math.max(now, to);
    },
    setBack(milliseconds) {
      now -= milliseconds;
      for (const timer of timers) timer.due -= milliseconds;
    },
  };
  return time;

  function earliest(): Timer | null {
    let first: Timer | null = null;
    for (const timer of timers) if (first === null || timer.due < first.due) first = timer;
    return first;
  }
}

/** Requests on this machine and writes to its disk go on meanwhile. */
export function turnOfTheLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
