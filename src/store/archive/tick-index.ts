/** A closed date's ticks by pair in one binary file beside its Parquet file, so that bars need no DuckDB. Derived, checked, ignored whenever in doubt. */

import { closeSync, fstatSync, openSync, readSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Day } from "#domain/day.ts";
import { dateFile } from "./layout.ts";
import type { DateTicks, Ticks } from "./ticks.ts";

const INDEX_FILE = ".ticks.cache";
/** Length and checksum of the header. */
const PREFIX_BYTES = 16;
const CHECKSUM_BYTES = 8;
/** Prefix and header together, blanks at the end: more than a date with every currency against the dollar needs. */
const TICKS_START = 8192;

interface Header {
  /** Identity of the Parquet file that it was made from. */
  readonly identity: string;
  /** Length of the whole file: what is shorter was not finished. */
  readonly bytes: number;
  /** Where a pair's ticks begin, and how many they are. */
  readonly pairs: Readonly<Record<string, readonly [offset: number, count: number]>>;
}

/** Ticks of the pairs, those that the date has; null when the index is of another version of the file, torn, or not there. */
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
      const ticks = readTicks(descriptor, ...place);
      if (ticks === null) return null;
      found.set(pair, ticks);
    }
    return found;
  });
}

/** Whether the index is whole and of this version of the file. */
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
    if (first.readBigUInt64LE(8) !== checksum(text)) return null;
    const header = JSON.parse(text.toString()) as Header;
    if (header.identity !== identity || fstatSync(descriptor).size !== header.bytes) return null;
    return work(descriptor, header);
  } finally {
    closeSync(descriptor);
  }
}

function readTicks(descriptor: number, offset: number, count: number): Ticks | null {
  const bytes = new Uint8Array(count * 17 + CHECKSUM_BYTES);
  if (readSync(descriptor, bytes, 0, bytes.length, offset) !== bytes.length) return null;
  const end = count * 17;
  if (new DataView(bytes.buffer).getBigUint64(end, true) !== checksum(bytes.subarray(0, end))) return null;
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
export function saveIndex(directory: string, date: Day, identity: string, ticks: DateTicks): void {
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
  bytes.writeBigUInt64LE(checksum(header), 8);
  bytes.set(header, PREFIX_BYTES);
  at = TICKS_START;
  for (const { mid, observed, lag, feed } of ticks.values()) {
    const start = at;
    for (const { buffer, byteOffset, byteLength } of [mid, observed, lag, feed]) {
      bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
      at += byteLength;
    }
    bytes.writeBigUInt64LE(checksum(bytes.subarray(start, at)), at);
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
  return join(directory, dirname(dateFile(date)), INDEX_FILE);
}

function checksum(bytes: Uint8Array): bigint {
  return BigInt(Bun.hash(bytes));
}
