/** The private index of a closed date: its ticks by pair in one binary file, for bars without DuckDB. */

import { rmSync } from "node:fs";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { CURRENCY_CODES } from "#domain/currency/currency.ts";
import { type Day, dayAt, formatDay, type Instant } from "#domain/time/day.ts";
import { INTRADAY_FOLDER } from "#store/archive/journal/journal.ts";
import { datesIn, filesByDate } from "#store/archive/table.ts";
import type { Snapshot } from "#store/delta/snapshot.ts";
import type { Table } from "#store/delta/table.ts";
import { readCache, writeCache } from "#store/disk/binary-cache.ts";
import { type DateTicks, loadTicks, type Ticks } from "./ticks.ts";

const INDEX_FILE = ".ticks.cache";
const TICK_BYTES = 17;

/**
 * Returns the ticks of the indexed pairs; null when the index is missing, torn, or made for another file. `identity` is
 * the path of the data file; paths are never reused.
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

export interface Indexing {
  /** Both ends are inclusive; dates that are not over yet are skipped. */
  readonly from: Day;
  readonly to: Day;
  readonly now: Instant;
  readonly progress?: (done: number, total: number) => void;
}

/**
 * Makes the missing indexes of a window's closed dates; resolves with their number. A damaged date is skipped: its bars
 * are refused with or without an index.
 */
export async function indexDates(
  connection: DuckDBConnection,
  directory: string,
  table: Table,
  snapshot: Snapshot,
  { from, to, now, progress }: Indexing,
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

export function removeIndex(directory: string, date: Day): void {
  rmSync(indexPath(directory, date), { force: true });
}

/** Returns whether the index is intact and made for this file of the date. */
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

/** Encodes ticks for `ticksIn`. */
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
