/** A clock that stays constant until it is moved. The machine's moves along: jose's key set reads that one. */

import { setSystemTime } from "bun:test";

export type TestClock = ReturnType<typeof newTestClock>;

export function newTestClock(at = Date.UTC(2031, 3, 13, 12)) {
  let instant = at;
  setSystemTime();
  return {
    now: () => instant,
    pass: (seconds: number) => {
      instant += seconds * 1000;
      setSystemTime(Date.now() + seconds * 1000);
    },
  };
}
