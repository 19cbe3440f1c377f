/** A clock that stays constant until it is moved. */

import type { Clock } from "#ports.ts";

export interface TestClock extends Clock {
  pass(seconds: number): void;
}

export function newTestClock(at = Date.UTC(2031, 3, 13, 12)): TestClock {
  let instant = at;
  return {
    now: () => instant,
    pass: (seconds) => {
      instant += seconds * 1000;
    },
  };
}
