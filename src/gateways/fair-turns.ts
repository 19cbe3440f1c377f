/** So many at once, the others wait in queues of their own and have turns round and round: who sends much waits for themselves. */

/** `whose` names who shares a queue. Rejects with the refusal when there is no place; else as `work` does. */
export type FairTurns = <T>(whose: string, work: () => Promise<T>) => Promise<T>;

export interface FairTurnsOptions {
  readonly atOnce: number;
  /** Most that wait, all together and of each. */
  readonly waiting: number;
  readonly waitingEach: number;
  readonly refusal: () => Error;
}

interface Waiting {
  readonly begin: () => void;
  readonly refuse: (refusal: Error) => void;
}

/**
 * When all places are taken, the newest of the longest queue gives its own to somebody who waits for less. So a queue is full
 * for those alone who fill it, until there are as many of them as places.
 */
export function openFairTurns({ atOnce, waiting, waitingEach, refusal }: FairTurnsOptions): FairTurns {
  let running = 0;
  let places = 0;
  // In the order of their next turns; none is empty.
  const queues = new Map<string, Waiting[]>();

  const release = () => {
    const [next] = queues;
    if (next === undefined) {
      running -= 1;
      return;
    }
    const [whose, queue] = next;
    const first = queue.shift();
    places -= 1;
    // To the end of the round, with those who still wait.
    queues.delete(whose);
    if (queue.length > 0) queues.set(whose, queue);
    // The turn is handed over, not given back: nobody who comes meanwhile gets ahead.
    first?.begin();
  };

  /** Takes the place of somebody with two more than `own`; false when nobody has so many. */
  const isMadeRoom = (own: number): boolean => {
    let [longest, whose] = [own + 1, ""];
    for (const [name, { length }] of queues) if (length > longest) [longest, whose] = [length, name];
    const last = longest > own + 1 ? queues.get(whose)?.pop() : undefined;
    if (last === undefined) return false;
    places -= 1;
    last.refuse(refusal());
    return true;
  };

  const takePlace = (whose: string): Promise<void> => {
    const queue = queues.get(whose) ?? [];
    if (queue.length >= waitingEach) return Promise.reject(refusal());
    if (places >= waiting && !isMadeRoom(queue.length)) return Promise.reject(refusal());
    places += 1;
    return new Promise((begin, refuse) => {
      queue.push({ begin, refuse });
      queues.set(whose, queue);
    });
  };

  return async (whose, work) => {
    if (running < atOnce) running += 1;
    else await takePlace(whose);
    try {
      return await work();
    } finally {
      release();
    }
  };
}
