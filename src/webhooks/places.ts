/** How many attempts this process makes at once. Slow ones leave the places that quick ones take turns on. Part of deliver.ts. */

export interface Places {
  /** How many deliveries may be claimed now. */
  free(): number;
  taken(): number;
  /** An attempt, which never rejects, has a place until it ends. */
  take(attempt: Promise<void>): void;
  /** Resolves when those that are under way have ended. */
  ended(): Promise<unknown>;
}

/** Deliveries of one claim, so that its transaction is short. */
const MOST_CLAIMED = 32;
/** Attempts that began a moment ago. */
const MOST_QUICK = 128;
/** All attempts, those that wait for a receiver included: each is a socket and a timer. */
const MOST_UNDER_WAY = 512;
/** A receiver that takes longer is slow: the others do not wait for it. */
const QUICK_MILLISECONDS = 500;

/** `freed` is called when a place has become free. */
export function openPlaces(
  later: (milliseconds: number, run: () => void) => () => void,
  freed: () => void,
): Places {
  const underWay = new Set<Promise<void>>();
  let quick = 0;
  return {
    free: () => Math.min(MOST_QUICK - quick, MOST_UNDER_WAY - underWay.size, MOST_CLAIMED),
    taken: () => underWay.size,
    take: (attempt) => {
      let isQuick = true;
      quick += 1;
      const leave = () => {
        if (isQuick) quick -= 1;
        isQuick = false;
      };
      const callOff = later(QUICK_MILLISECONDS, () => {
        leave();
        freed();
      });
      const made = attempt.then(() => {
        callOff();
        leave();
        underWay.delete(made);
        freed();
      });
      underWay.add(made);
    },
    ended: () => Promise.all(underWay),
  };
}
