/** A column of instants with few changes from row to row: one entry for a run of equal rows. */

import type { Row } from "#domain/history/history.ts";
import type { Instant } from "#domain/time/day.ts";

/** Most figures of a day come with one document: some 14,000 runs for 320,000 rows. */
export interface RunColumn {
  /** The instant of a row, which must be one of the column. Quick where rows are read one after the other. */
  at(row: Row): Instant;
}

/** `starts` is ascending and begins with 0; the run of each ends before the next. */
export function runColumn(starts: readonly Row[], instants: readonly Instant[]): RunColumn {
  const firstRows = Int32Array.from(starts);
  const values = Float64Array.from(instants);
  /** The run that was read last. */
  let run = 0;
  const isIn = (row: Row) =>
    row >= (firstRows[run] as Row) && row < (firstRows[run + 1] ?? Number.POSITIVE_INFINITY);
  const find = (row: Row) => {
    let [low, high] = [0, firstRows.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((firstRows[middle] as Row) <= row) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    at(row) {
      if (!isIn(row)) {
        run += 1;
        if (!isIn(row)) run = find(row);
      }
      return values[run] as Instant;
    },
  };
}
