/** A closed date's ticks by pair in one binary file beside its Parquet file, so that bars need no DuckDB. Derived, checked, ignored whenever in doubt. */

import { closeSync, fstatSync, openSync, readSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { CURRENCY_CODES } from "#domain/currency/currency.ts";
import { type Day, dayAt, formatDay, type Instant } from "#domain/time/day.ts";
import { INTRADAY_FOLDER } from "#store/archive/journal/files.ts";
import { datesIn, filesByDate } from "#store/archive/table.ts";
import type { Snapshot } from "#store/delta/snapshot.ts";
import type { Table } from "#store/delta/table.ts";
import { type DateTicks, loadTicks, type Ticks } from "./ticks.ts";

const INDEX_FILE = ".ticks.cache";
/** Length and checksum of the header. */
const PREFIX_BYTES = 16;
const CHECKSUM_BYTES = 8;
/** Prefix and header together, blanks at the end: more than a date with every currency against the dollar needs. */
const TICKS_START = 8192;

interface Header {
  /** Path of the data file that it was made from, which is never used again. */
  readonly identity: string;
  /** Length of the whole file: what is shorter was not finished. */
  readonly bytes: number;
  /** Where a pair's ticks begin, and how many they are. */
  readonly pairs: Readonly<Record<string, readonly [offset: number, count: number]>>;
}

/** Ticks of the pairs, those that the date has; null when the index is of another file of the date, torn, or not there. */
export function readIndexed(
  directory: string,
  date: Day,
  identity: string,
  pairs: readonly string[],
): DateTicks | null {
  return withIndex(directory, date, identity, (descriptor, header) => {
    const found = new Map<string, Ticks>();
    for (const pair of pairs) {
      const place = header.pairs[pair];
      if (place === undefined) continue;
      const ticks = readTicks(descriptor, ...place, identity);
      if (ticks === null) return null;
      found.set(pair, ticks);
    }
    return found;
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
      if (ticks !== undefined) saveIndex(directory, date, add.path, ticks);
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
  return withIndex(directory, date, identity, () => true) ?? false;
}

function withIndex<T>(
  directory: string,
  date: Day,
  identity: string,
  work: (descriptor: number, header: Header) => T,
): T | null {
  let descriptor: number;
  try {
    descriptor = openSync(indexPath(directory, date), "r");
  } catch {
    return null;
  }
  try {
    const first = Buffer.alloc(TICKS_START);
    const read = readSync(descriptor, first, 0, TICKS_START, 0);
    const end = PREFIX_BYTES + (read < PREFIX_BYTES ? TICKS_START : Number(first.readBigUInt64LE(0)));
    if (end > read) return null;
    const text = first.subarray(PREFIX_BYTES, end);
    if (first.readBigUInt64LE(8) !== checksum(text, identity)) return null;
    const header = JSON.parse(text.toString()) as Header;
    if (header.identity !== identity || fstatSync(descriptor).size !== header.bytes) return null;
    return work(descriptor, header);
  } finally {
    closeSync(descriptor);
  }
}

function readTicks(descriptor: number, offset: number, count: number, identity: string): Ticks | null {
  const bytes = new Uint8Array(count * 17 + CHECKSUM_BYTES);
  if (readSync(descriptor, bytes, 0, bytes.length, offset) !== bytes.length) return null;
  const end = count * 17;
  const written = new DataView(bytes.buffer).getBigUint64(end, true);
  if (written !== checksum(bytes.subarray(0, end), identity)) return null;
  return {
    mid: new Float64Array(bytes.buffer, 0, count),
    observed: new Int32Array(bytes.buffer, count * 8, count),
    lag: new Int32Array(bytes.buffer, count * 12, count),
    feed: new Uint8Array(bytes.buffer, count * 16, count),
  };
}

/**
 * Writes the index in place: a reader who meets it half-written, or a writer who dies, leaves a wrong length or
 * checksum and nothing worse. A disk without room is no reason to fail.
 */
function saveIndex(directory: string, date: Day, identity: string, ticks: DateTicks): void {
  const sizes = [...ticks.values()].map(({ mid }) => mid.length * 17 + CHECKSUM_BYTES);
  const body = sizes.reduce((sum, size) => sum + size, 0);
  const pairs: Record<string, [number, number]> = {};
  let at = TICKS_START;
  for (const [nth, [pair, { mid }]] of [...ticks].entries()) {
    pairs[pair] = [at, mid.length];
    at += sizes[nth] as number;
  }
  const text = JSON.stringify({ identity, bytes: TICKS_START + body, pairs } satisfies Header);
  // Blanks up to the first tick belong to the JSON.
  const header = Buffer.from(text.padEnd(TICKS_START - PREFIX_BYTES));
  if (header.length > TICKS_START - PREFIX_BYTES) return;

  const bytes = Buffer.alloc(TICKS_START + body);
  bytes.writeBigUInt64LE(BigInt(header.length), 0);
  bytes.writeBigUInt64LE(checksum(header, identity), 8);
  bytes.set(header, PREFIX_BYTES);
  at = TICKS_START;
  for (const { mid, observed, lag, feed } of ticks.values()) {
    const start = at;
    for (const { buffer, byteOffset, byteLength } of [mid, observed, lag, feed]) {
      bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
      at += byteLength;
    }
    bytes.writeBigUInt64LE(checksum(bytes.subarray(start, at), identity), at);
    at += CHECKSUM_BYTES;
  }
  const path = indexPath(directory, date);
  try {
    writeFileSync(path, bytes);
  } catch {
    // Bars of the date read the Parquet file instead.
    rmSync(path, { force: true });
  }
}

function indexPath(directory: string, date: Day): string {
  return join(directory, INTRADAY_FOLDER, `date=${formatDay(date)}`, INDEX_FILE);
}

/** Of bytes that belong to this very data file: two processes may have written over each other. */
function checksum(bytes: Uint8Array, identity: string): bigint {
  return BigInt(Bun.hash(bytes, BigInt(Bun.hash(identity))));
}
