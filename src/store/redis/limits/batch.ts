/** Takes of one turn of the event loop go to Redis together, in the order in which they came: one script, one way there and back. */

interface Waiting<Reply> {
  /** Each once, with its place in the script's KEYS: the first one is the life. */
  readonly keys: Map<string, number>;
  readonly figures: number[];
  readonly calls: { answer(reply: Reply): void; fail(fault: unknown): void }[];
}

/** A script of so many calls keeps Redis from others for less than a millisecond. */
export const MOST_CALLS = 64;
const FIRST_PLACE = 2;

/** One call: its hash, and its figures as src/store/redis/limits/take.lua lists them. */
type Take<Reply> = (key: string, figures: readonly number[]) => Promise<Reply>;

/**
 * Collects until the event loop has read what had arrived, then sends. Numbers go there and back as bytes of doubles, in the
 * order of nearly every machine, the lower byte first: as text they cost as much as the rest of the call. `width` numbers of
 * the reply are one call's; `read` gets all of them and where those of the call begin. A batch that fails, fails for each of its calls: of none it is known whether it was charged.
 */
export function takeBatch<Reply>(
  send: (keys: readonly string[], figures: Buffer) => Promise<Buffer>,
  width: number,
  read: (numbers: Float64Array, from: number) => Reply,
): Take<Reply> {
  let waiting: Waiting<Reply> | null = null;

  const flush = async (batch: Waiting<Reply>) => {
    if (waiting === batch) waiting = null;
    const { keys, figures, calls } = batch;
    try {
      const bytes = await send([...keys.keys()], Buffer.from(new Float64Array(figures).buffer));
      // Copied, because it may begin anywhere in a larger buffer, and doubles may not.
      const numbers = new Float64Array(new Uint8Array(bytes).buffer);
      for (const [nth, { answer }] of calls.entries()) answer(read(numbers, nth * width));
    } catch (fault) {
      for (const { fail } of calls) fail(fault);
    }
  };
  const begin = (): Waiting<Reply> => {
    const batch: Waiting<Reply> = { keys: new Map(), figures: [], calls: [] };
    setImmediate(() => {
      if (waiting === batch) void flush(batch);
    });
    return batch;
  };

  return (key, figures) =>
    new Promise((answer, fail) => {
      const batch = waiting ?? begin();
      waiting = batch;
      const place = batch.keys.get(key) ?? batch.keys.size + FIRST_PLACE;
      batch.keys.set(key, place);
      batch.figures.push(place, ...figures);
      batch.calls.push({ answer, fail });
      if (batch.calls.length === MOST_CALLS) void flush(batch);
    });
}
