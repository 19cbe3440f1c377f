/** Many rows in few statements: in sizes that are powers of two, so that a driver that keeps prepared statements keeps few. */

/** Rows of the longest statement: a thousand take the embedded database a few milliseconds. */
const LARGEST = 128;

/** All rows in order, in chunks of 128, 64, 32 … 1. */
export function chunksOf<R>(rows: readonly R[]): readonly (readonly R[])[] {
  const chunks: (readonly R[])[] = [];
  let start = 0;
  for (let size = LARGEST; size >= 1; size /= 2) {
    for (; rows.length - start >= size; start += size) chunks.push(rows.slice(start, start + size));
  }
  return chunks;
}

/** The values, the last one repeated up to the next power of two: the same set for an IN list. */
export function padded<V>(values: readonly V[]): readonly V[] {
  const last = values.at(-1);
  if (last === undefined) return [];
  const size = 2 ** Math.ceil(Math.log2(values.length));
  return [...values, ...new Array<V>(size - values.length).fill(last)];
}
