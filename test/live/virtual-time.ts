/** A clock and its timers in the test's hands: weeks pass as fast as the work in them is done, and nothing is waited for in real time. */

import type { Instant } from "#domain/time/day.ts";

interface Timer {
  due: Instant;
  readonly run: () => void;
}

export type VirtualTime = ReturnType<typeof virtualTime>;

export function virtualTime(start: Instant) {
  let now = start;
  const timers = new Set<Timer>();
  const time = {
    clock: { now: () => now },
    /** In the shape that use cases take timers: calls later, unless it is called off. */
    later: (milliseconds: number, run: () => void) => {
      const timer = { due: now + Math.max(0, milliseconds), run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    /** How many pollers are running: at rest each of them has exactly one timer, for its next poll or for a deadline. */
    pollers: 0,
    /** Lets everything up to an instant happen in order, each thing when the one before has come to rest. */
    async advance(to: Instant) {
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
    /** Sets the clock back; timers run on as they would in real time. */
    setBack(milliseconds: number) {
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
