/** A clock that stays constant until it is moved. */

export type TestClock = ReturnType<typeof newTestClock>;

export function newTestClock(at = Date.UTC(2031, 3, 13, 12)) {
  let instant = at;
  return {
    now: () => instant,
    pass: (seconds: number) => {
      instant += seconds * 1000;
    },
  };
}
