/** Whoever closes does not wait for others: what is awaited here is given up at once when closing begins. */

export interface Closing {
  readonly isClosing: () => boolean;
  /** Settles as `work` does, or rejects with the fault of closing. Nothing is kept of work that has settled. */
  orGiveUp<T>(work: Promise<T>): Promise<T>;
  begin(): void;
}

export function openClosing(fault: () => Error): Closing {
  // Not one promise to race against: it would hold every result until the process ends.
  const waiting = new Set<(reason: Error) => void>();
  let isClosing = false;
  return {
    isClosing: () => isClosing,
    orGiveUp: (work) =>
      new Promise((resolve, reject) => {
        if (isClosing) reject(fault());
        else waiting.add(reject);
        work.finally(() => waiting.delete(reject)).then(resolve, reject);
      }),
    begin: () => {
      isClosing = true;
      for (const reject of waiting) reject(fault());
      waiting.clear();
    },
  };
}
