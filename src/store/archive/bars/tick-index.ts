/** A closed date's ticks by pair in one binary file beside its Parquet file, so that bars need no DuckDB. */

import { rmSync } from "node:fs";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { CURRENCY_CODES } from "#domain/currency/currency.ts";
import { type Day, dayAt, formatDay, type Instant } from "#domain/time/day.ts";
import { INTRADAY_FOLDER } from "#store/archive/journal/files.ts";
import { datesIn, filesByDate } from "#store/archive/table.ts";
import type { Snapshot } from "#store/delta/snapshot.ts";
import type { Table } from "#store/delta/table.ts";
import { readCache, writeCache } from "#store/disk/binary-cache.ts";
import { type DateTicks, loadTicks, type Ticks } from "./ticks.ts";

const INDEX_FILE = ".ticks.cache";
const TICK_BYTES = 17;

/**
 * Ticks of the pairs, those that the date has; null when the index is of another file of the date, torn, or not there. `identity` is
 * the path of the data file, which is never used again.
 */
export function readIndexed(
  directory: string,
  date: Day,
  identity: string,
  pairs: readonly string[],
): DateTicks | null {
  return readCache(indexPath(directory, date), identity, (_, section) => {
    const ticks = new Map<string, Ticks>();
    for (const pair of pairs) {
      const bytes = section(pair);
      if (bytes !== undefined) ticks.set(pair, ticksIn(bytes));
    }
    return ticks;
  });
}

/**
 * Makes the indexes that closed dates of a window lack; resolves with how many. A damaged date is passed over: its bars
 * are refused with or without an index.
 */
export async function indexDates(
  connection: DuckDBConnection,
  directory: string,
  table: Table,
  snapshot: Snapshot,
  {
    from,
    to,
    now,
    progress,
  }: { from: Day; to: Day; now: Instant; progress?: (done: number, total: number) => void },
): Promise<number> {
  const files = filesByDate(snapshot);
  const dates = datesIn(snapshot, from, Math.min(to, dayAt(now) - 1));
  let made = 0;
  for (const [index, date] of dates.entries()) {
    const add = files.get(date);
    if (
      add !== undefined &&
      !isIndexed(directory, date, add.path) &&
      (await table.verifier.check(add)) === null
    ) {
      const ticks = (await loadTicks(connection, [table.pathOf(add)], [date], CURRENCY_CODES)).get(date);
      const sections = [...(ticks ?? [])].map(([pair, of]) => [pair, bytesOf(of)] as const);
      writeCache(indexPath(directory, date), add.path, null, sections);
      made += 1;
    }
    progress?.(index + 1, dates.length);
  }
  return made;
}

/** For a date that is no longer there. */
export function removeIndex(directory: string, date: Day): void {
  rmSync(indexPath(directory, date), { force: true });
}

/** Whether the index is whole and of this file of the date. */
export function isIndexed(directory: string, date: Day, identity: string): boolean {
  return readCache(indexPath(directory, date), identity, () => true) ?? false;
}

function ticksIn(bytes: ArrayBuffer): Ticks {
  const count = bytes.byteLength / TICK_BYTES;
  return {
    mid: new Float64Array(bytes, 0, count),
    observed: new Int32Array(bytes, count * 8, count),
    lag: new Int32Array(bytes, count * 12, count),
    feed: new Uint8Array(bytes, count * 16, count),
  };
}

/** As `ticksIn` reads them. */
function bytesOf({ mid, observed, lag, feed }: Ticks): Uint8Array {
  const bytes = new Uint8Array(mid.length * TICK_BYTES);
  let at = 0;
  for (const { buffer, byteOffset, byteLength } of [mid, observed, lag, feed]) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  return bytes;
}

function indexPath(directory: string, date: Day): string {
  return join(directory, INTRADAY_FOLDER, `date=${formatDay(date)}`, INDEX_FILE);
}
