/** Takes of one turn of the event loop go to Redis together, in the order in which they came: one script, one way there and back. */

/** Answers of a batch, and where the numbers of one begin in it. */
export interface Answer {
  readonly batch: Float64Array;
  readonly at: number;
}

interface Waiting {
  /** Each once, with its place in the script's KEYS, from 1 on. */
  readonly keys: Map<string, number>;
  readonly figures: number[];
  readonly answered: ((answer: Answer) => void)[];
  readonly failed: ((fault: unknown) => void)[];
}

/** A script of so many calls keeps Redis from others for less than a millisecond. */
export const MOST_CALLS = 64;

/** One call: its hash, and its figures as src/store/redis/limits/take-counts.lua lists them. */
type Take = (key: string, figures: readonly number[]) => Promise<Answer>;

/**
 * Collects until the event loop has read what had arrived, then sends. Numbers go there and back as bytes of doubles, in the
 * order of nearly every machine, the lower byte first: as text they cost as much as the rest of the call. `width` numbers of
 * the reply are one call's. A batch that fails, fails for each of its calls: none of them knows whether it was charged.
 */
export function takeBatch(
  send: (keys: readonly string[], figures: Buffer) => Promise<Buffer>,
  width: number,
): Take {
  let waiting: Waiting | null = null;

  const flush = (batch: Waiting) => {
    if (waiting === batch) waiting = null;
    const { keys, figures, answered, failed } = batch;
    send([...keys.keys()], Buffer.from(new Float64Array(figures).buffer)).then(
      (bytes) => {
        // Copied, because it may begin anywhere in a larger buffer, and doubles may not.
        const numbers = new Float64Array(new Uint8Array(bytes).buffer);
        answered.forEach((answer, nth) => {
          answer({ batch: numbers, at: nth * width });
        });
      },
      (fault) => {
        for (const fail of failed) fail(fault);
      },
    );
  };

  const begin = (): Waiting => {
    const batch: Waiting = { keys: new Map(), figures: [], answered: [], failed: [] };
    setImmediate(() => {
      if (waiting === batch) flush(batch);
    });
    return batch;
  };

  return (key, figures) =>
    new Promise((answer, fail) => {
      const batch = waiting ?? begin();
      waiting = batch;
      let place = batch.keys.get(key);
      if (place === undefined) {
        place = batch.keys.size + 1;
        batch.keys.set(key, place);
      }
      batch.figures.push(place, ...figures);
      batch.answered.push(answer);
      batch.failed.push(fail);
      if (batch.answered.length === MOST_CALLS) flush(batch);
    });
}
