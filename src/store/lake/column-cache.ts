/** The record of a lake as one binary file, so that a start needs no DuckDB. Derived, checked, and ignored whenever in doubt. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ObservationColumns } from "#domain/history.ts";
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

/** What the file begins with, as JSON; `key` says which version it was made from. */
interface Header extends Pick<LakeRecord, "held" | "superseded"> {
  readonly key: string;
  readonly count: number;
}

const CHECKSUM_BYTES = 8;
const LENGTH_BYTES = 8;

/** The record of `version` without its coverage, or null when the cache is of another state, torn, or not there. */
export async function loadCached(
  directory: string,
  version: string,
): Promise<Omit<LakeRecord, "coverage" | "damaged"> | null> {
  const file = Bun.file(join(directory, CACHE_FILE));
  if (!(await file.exists())) return null;
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes.length < LENGTH_BYTES + CHECKSUM_BYTES) return null;
  const end = bytes.length - CHECKSUM_BYTES;
  const view = new DataView(bytes.buffer);
  if (view.getBigUint64(end, true) !== checksum(bytes.subarray(0, end))) return null;

  const headerEnd = LENGTH_BYTES + Number(view.getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(LENGTH_BYTES, headerEnd))) as Header;
  if (header.key !== keyOf(version)) return null;
  const { count, held, superseded } = header;
  const arrays: Record<string, unknown> = {};
  let at = headerEnd;
  for (const [name, Column] of COLUMNS) {
    arrays[name] = new Column(bytes.buffer, at, count);
    at += count * Column.BYTES_PER_ELEMENT;
  }
  const { publishedAt, ...columns } = arrays;
  return {
    version,
    held,
    superseded,
    publishedAt: publishedAt as Float64Array,
    observations: { count, ...columns } as unknown as ObservationColumns,
  };
}

/**
 * Writes the cache in place: a reader who meets it half-written, or a writer who dies, leaves a wrong checksum and
 * nothing worse. A disk without room is no reason to fail.
 */
export function saveCached(directory: string, record: Omit<LakeRecord, "damaged">): void {
  const { observations, publishedAt, held, superseded, version } = record;
  const header: Header = { key: keyOf(version), count: observations.count, held, superseded };
  const text = new TextEncoder().encode(JSON.stringify(header));
  // Blanks up to a multiple of eight belong to the JSON.
  const headerBytes = Math.ceil(text.length / 8) * 8;
  const arrays = { ...observations, publishedAt };
  const width = COLUMNS.reduce((sum, [, Column]) => sum + Column.BYTES_PER_ELEMENT, 0);
  const end = LENGTH_BYTES + headerBytes + width * observations.count;
  const bytes = new Uint8Array(end + CHECKSUM_BYTES);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, BigInt(headerBytes), true);
  bytes.fill(0x20, LENGTH_BYTES, LENGTH_BYTES + headerBytes);
  bytes.set(text, LENGTH_BYTES);
  let at = LENGTH_BYTES + headerBytes;
  for (const [name] of COLUMNS) {
    const { buffer, byteOffset, byteLength } = arrays[name];
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  view.setBigUint64(end, checksum(bytes.subarray(0, end)), true);
  try {
    writeFileSync(join(directory, CACHE_FILE), bytes);
  } catch {
    // The next start reads the Parquet files instead.
  }
}

function checksum(bytes: Uint8Array): bigint {
  return BigInt(Bun.hash(bytes));
}

/** A version is never reused, and its files never change. */
function keyOf(version: string): string {
  return `2 ${version}`;
}
