/** The record of a lake as one binary file, so that a start needs no DuckDB. Derived, checked, and ignored whenever in doubt. */

import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { ObservationColumns } from "#domain/history/history.ts";
import type { LakeRecord } from "#ports.ts";

/** Begins with a dot and ends otherwise: no reader of the lake takes it for data. */
const CACHE_FILE = ".columns.cache";

/** The widest first: every array then begins at a multiple of its element size. */
const COLUMNS = [
  ["units", Float64Array],
  ["observedAt", Float64Array],
  ["retrievedAt", Float64Array],
  ["publishedAt", Float64Array],
  ["date", Int32Array],
  ["revision", Uint16Array],
  ["source", Uint8Array],
  ["base", Uint8Array],
  ["quote", Uint8Array],
  ["scale", Uint8Array],
  ["decimals", Uint8Array],
] as const;

/** The start of the file, as JSON; `key` names the state that it was made from. */
interface Header extends Pick<LakeRecord, "version" | "held" | "superseded" | "statements"> {
  readonly key: string;
  readonly count: number;
}

const ROW_BYTES = COLUMNS.reduce((sum, [, Column]) => sum + Column.BYTES_PER_ELEMENT, 0);
const CHECKSUM_BYTES = 8;
const LENGTH_BYTES = 8;

/** The record of the state that `key` names, without its coverage and retrievals, or null when the cache is of another state, torn, or not there. */
export async function loadCached(
  directory: string,
  key: string,
): Promise<Omit<LakeRecord, "coverage" | "retrievals" | "damaged"> | null> {
  const file = Bun.file(join(directory, CACHE_FILE));
  if (!(await file.exists())) return null;
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes.length < LENGTH_BYTES + CHECKSUM_BYTES) return null;
  const end = bytes.length - CHECKSUM_BYTES;
  const view = new DataView(bytes.buffer);
  const headerEnd = LENGTH_BYTES + Number(view.getBigUint64(0, true));
  const header = headerIn(bytes.subarray(LENGTH_BYTES, Math.min(headerEnd, end)));
  if (header?.key !== keyOf(key)) return null;
  const { version, count, held, superseded, statements } = header;
  if (headerEnd % 8 !== 0 || headerEnd + ROW_BYTES * count !== end) return null;
  const arrays: Record<string, ArrayBufferView> = {};
  let sum = checksum(0n, bytes.subarray(0, headerEnd));
  let at = headerEnd;
  for (const [name, Column] of COLUMNS) {
    const column = new Column(bytes.buffer, at, count);
    sum = checksum(sum, bytesOf(column));
    arrays[name] = column;
    at += column.byteLength;
  }
  if (view.getBigUint64(end, true) !== sum) return null;
  const { publishedAt, ...columns } = arrays;
  return {
    version,
    held,
    superseded,
    statements,
    publishedAt: publishedAt as Float64Array,
    observations: { count, ...columns } as unknown as ObservationColumns,
  };
}

/**
 * Writes the cache in place: a reader who meets it half-written, or a writer who dies, leaves a wrong checksum and
 * nothing worse. A disk without room is no reason to fail.
 */
export function saveCached(directory: string, record: Omit<LakeRecord, "damaged">, key: string): void {
  const { observations, publishedAt, held, superseded, statements, version } = record;
  const { count } = observations;
  const header: Header = { key: keyOf(key), version, count, held, superseded, statements };
  const text = new TextEncoder().encode(JSON.stringify(header));
  // Blanks up to a multiple of eight belong to the JSON.
  const headerBytes = Math.ceil(text.length / 8) * 8;
  const head = new Uint8Array(LENGTH_BYTES + headerBytes).fill(0x20);
  new DataView(head.buffer).setBigUint64(0, BigInt(headerBytes), true);
  head.set(text, LENGTH_BYTES);
  const arrays = { ...observations, publishedAt };
  const pieces = [head, ...COLUMNS.map(([name]) => bytesOf(arrays[name]))];
  const sum = new Uint8Array(CHECKSUM_BYTES);
  new DataView(sum.buffer).setBigUint64(0, pieces.reduce(checksum, 0n), true);
  try {
    // Piece by piece: put together they would be in memory twice.
    const file = openSync(join(directory, CACHE_FILE), "w");
    try {
      for (const piece of [...pieces, sum]) writeWhole(file, piece);
    } finally {
      closeSync(file);
    }
  } catch {
    // The next start reads the Parquet files instead.
  }
}

/** Null where it is no header: it is read before its checksum, which needs to know where the columns are. */
function headerIn(bytes: Uint8Array): Header | null {
  try {
    const header = JSON.parse(new TextDecoder().decode(bytes)) as Header | null;
    return Number.isSafeInteger(header?.count) && (header?.count ?? -1) >= 0 ? header : null;
  } catch {
    return null;
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** One call may write less than it was given. */
function writeWhole(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

/** Of one piece after those before it. */
function checksum(before: bigint, bytes: Uint8Array): bigint {
  return BigInt(Bun.hash(bytes, before));
}

/** A state is never named twice, and its files never change. */
function keyOf(key: string): string {
  return `5 ${key}`;
}
