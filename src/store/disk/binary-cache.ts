/** A private cache in one binary file: named arrays of numbers behind a header. It is derived, checked, and ignored in any doubt. */

import { closeSync, fstatSync, openSync, readSync, rmSync, writeSync } from "node:fs";

/** The length and checksum of the header. */
const PREFIX_BYTES = 16;
const CHECKSUM_BYTES = 8;

interface Header<Facts> {
  /** Names the state that the cache was made from. A state is never named twice. */
  readonly key: string;
  readonly facts: Facts;
  /** The size of all sections: a shorter file was not finished. */
  readonly bytes: number;
  /** The place of a section after the header, and its length without its checksum. */
  readonly sections: Readonly<Record<string, readonly [offset: number, length: number]>>;
}

class Torn extends Error {}

/**
 * Returns what `work` makes of the cache at a path; null when it is missing, torn, or of another key. `section` returns the bytes
 * of a section, or undefined.
 */
export function readCache<Facts, T>(
  path: string,
  key: string,
  work: (facts: Facts, section: (name: string) => ArrayBuffer | undefined) => T,
): T | null {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    return null;
  }
  try {
    const { size } = fstatSync(file);
    const prefix = new DataView(bytesAt(file, 0, PREFIX_BYTES, size));
    const headerBytes = Number(prefix.getBigUint64(0, true));
    const text = bytesAt(file, PREFIX_BYTES, headerBytes, size);
    if (prefix.getBigUint64(8, true) !== checksum(key, new Uint8Array(text))) return null;
    const header = JSON.parse(new TextDecoder().decode(text)) as Header<Facts>;
    const start = PREFIX_BYTES + headerBytes;
    if (header.key !== key || start + header.bytes !== size) return null;
    return work(header.facts, (name) => {
      const place = header.sections[name];
      if (place === undefined) return undefined;
      const [at, length] = [start + place[0], place[1]];
      const section = bytesAt(file, at, length, size);
      const sum = new DataView(bytesAt(file, at + length, CHECKSUM_BYTES, size)).getBigUint64(0, true);
      if (sum !== checksum(key, new Uint8Array(section))) throw new Torn();
      return section;
    });
  } catch (fault) {
    // A folder of this name cannot be read, either.
    if (fault instanceof Torn || (fault as NodeJS.ErrnoException).code === "EISDIR") return null;
    throw fault;
  } finally {
    closeSync(file);
  }
}

/**
 * Writes the cache in place: a half-written one has a wrong length or checksum. Without room on the disk there is no cache, and
 * no failure.
 */
export function writeCache<Facts>(
  path: string,
  key: string,
  facts: Facts,
  sections: Iterable<readonly [name: string, numbers: ArrayBufferView]>,
): void {
  const places: Record<string, [number, number]> = {};
  const body: Uint8Array[] = [];
  let bytes = 0;
  for (const [name, { buffer, byteOffset, byteLength }] of sections) {
    const section = new Uint8Array(buffer, byteOffset, byteLength);
    places[name] = [bytes, byteLength];
    body.push(section, eightBytes(checksum(key, section)));
    bytes += byteLength + CHECKSUM_BYTES;
  }
  const header: Header<Facts> = { key, facts, bytes, sections: places };
  const text = new TextEncoder().encode(JSON.stringify(header));
  let file: number;
  try {
    file = openSync(path, "w");
  } catch {
    return;
  }
  try {
    // Piece by piece: together they would be in memory twice. One call may write less than its piece.
    for (const piece of [eightBytes(BigInt(text.length)), eightBytes(checksum(key, text)), text, ...body])
      for (let at = 0; at < piece.length; ) at += writeSync(file, piece, at);
  } catch {
    rmSync(path, { force: true });
  } finally {
    closeSync(file);
  }
}

function bytesAt(file: number, at: number, length: number, size: number): ArrayBuffer {
  if (length < 0 || at + length > size) throw new Torn();
  const bytes = new Uint8Array(length);
  if (readSync(file, bytes, 0, length, at) !== length) throw new Torn();
  return bytes.buffer;
}

function eightBytes(value: bigint): Uint8Array {
  return new Uint8Array(new BigUint64Array([value]).buffer);
}

/** Covers the key: two processes may have written over each other. */
function checksum(key: string, bytes: Uint8Array): bigint {
  return BigInt(Bun.hash(bytes, BigInt(Bun.hash(key))));
}
