/** So many at once, so many waiting, the rest refused: bounds the memory and the connections of one kind of work. */

/** Takes a turn for `work`, or waits for one; null at once when too many wait already. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T> | null;

export function openTurns(atOnce: number, waiting: number): Turns {
  let running = 0;
  const queue: (() => void)[] = [];

  function release(): void {
    const next = queue.shift();
    // The turn is handed over, not given back: nobody who comes meanwhile gets ahead.
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
