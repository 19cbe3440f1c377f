/** Bounded concurrency: a limited number of runs and of waiting calls, in one queue or in a queue for each caller. */

/** Takes a turn for `work`, or waits for one; null at once when too many wait already. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T> | null;

export function openTurns(atOnce: number, waiting: number): Turns {
  let running = 0;
  const queue: (() => void)[] = [];

  function release(): void {
    const next = queue.shift();
    // The turn passes to the next in the queue, so that no later caller overtakes it.
    if (next === undefined) running--;
    else next();
  }

  function begin(): Promise<void> {
    if (running < atOnce) {
      running++;
      return Promise.resolve();
    }
    return new Promise((resolve) => queue.push(resolve));
  }

  return (work) => {
    if (running >= atOnce && queue.length >= waiting) return null;
    return begin().then(work).finally(release);
  };
}

/** `owner` names the queue. Rejects with the refusal when the queue is full; else settles as `work` does. */
type FairTurns = <T>(owner: string, work: () => Promise<T>) => Promise<T>;

interface FairTurnsOptions {
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
 * When the waiting room is full, the newest of the longest queue is refused in favour of an owner with a shorter queue. So it is full
 * only for the owners that fill it.
 */
export function openFairTurns({ atOnce, waiting, waitingEach, refusal }: FairTurnsOptions): FairTurns {
  let running = 0;
  let queued = 0;
  // In the order of their next turns; none is empty.
  const queues = new Map<string, Waiting[]>();

  const release = () => {
    const [next] = queues;
    if (next === undefined) {
      running -= 1;
      return;
    }
    const [owner, queue] = next;
    const first = queue.shift();
    queued -= 1;
    // To the end of the round, with those who still wait.
    queues.delete(owner);
    if (queue.length > 0) queues.set(owner, queue);
    // The turn passes to the next in the queue, so that no later caller overtakes it.
    first?.begin();
  };

  /** Refuses the newest call of a queue that is two longer than `own`; false when there is none. */
  const makesRoom = (own: number): boolean => {
    let [longest, owner] = [own + 1, ""];
    for (const [name, { length }] of queues) if (length > longest) [longest, owner] = [length, name];
    const last = longest > own + 1 ? queues.get(owner)?.pop() : undefined;
    if (last === undefined) return false;
    queued -= 1;
    last.refuse(refusal());
    return true;
  };

  const joinQueue = (owner: string): Promise<void> => {
    const queue = queues.get(owner) ?? [];
    if (queue.length >= waitingEach) return Promise.reject(refusal());
    if (queued >= waiting && !makesRoom(queue.length)) return Promise.reject(refusal());
    queued += 1;
    return new Promise((begin, refuse) => {
      queue.push({ begin, refuse });
      queues.set(owner, queue);
    });
  };

  return async (owner, work) => {
    if (running < atOnce) running += 1;
    else await joinQueue(owner);
    try {
      return await work();
    } finally {
      release();
    }
  };
}
