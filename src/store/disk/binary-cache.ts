/** A private cache in one binary file: named arrays of numbers behind a header. It is derived, checked, and ignored in any doubt. */

import { closeSync, fstatSync, openSync, readSync, rmSync, writeSync } from "node:fs";

interface Header<Facts> {
  readonly facts: Facts;
  /** The arrays after the header, in their order, with their bytes. */
  readonly sections: readonly (readonly [name: string, bytes: number])[];
}

/**
 * Returns what `work` makes of the cache at a path; null when it is missing, torn, or of another key. A key names the state
 * that the cache was made from. `section` returns the bytes of a section, or undefined.
 */
export function readCache<Facts, T>(
  path: string,
  key: string,
  work: (facts: Facts, section: (name: string) => ArrayBuffer | undefined) => T,
): T | null {
  const cache = intactCache<Facts>(path, key);
  return cache === null ? null : work(cache.facts, (name) => cache.sections.get(name));
}

function intactCache<Facts>(path: string, key: string) {
  let file: number | null = null;
  try {
    file = openSync(path, "r");
    const from = file;
    let left = fstatSync(file).size;
    const take = (length: number): Uint8Array<ArrayBuffer> => {
      left -= length;
      if (left < 0) throw new RangeError("the file is cut off");
      const bytes = new Uint8Array(length);
      if (readSync(from, bytes) !== length) throw new RangeError("the file is cut off");
      return bytes;
    };
    const [headerBytes, expected] = new BigUint64Array(take(16).buffer);
    const text = take(Number(headerBytes));
    const { facts, sections } = JSON.parse(new TextDecoder().decode(text)) as Header<Facts>;
    const arrays = sections.map(([name, bytes]) => [name, take(bytes)] as const);
    const isIntact = left === 0 && checksum(key, [text, ...arrays.map(([, bytes]) => bytes)]) === expected;
    return isIntact ? { facts, sections: new Map(arrays.map(([name, { buffer }]) => [name, buffer])) } : null;
  } catch {
    // Missing, or not what was written: it is made again.
    return null;
  } finally {
    if (file !== null) closeSync(file);
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
  const arrays = Array.from(
    sections,
    ([name, { buffer, byteOffset, byteLength }]) =>
      [name, new Uint8Array(buffer, byteOffset, byteLength)] as const,
  );
  const header: Header<Facts> = { facts, sections: arrays.map(([name, { length }]) => [name, length]) };
  const content = [
    new TextEncoder().encode(JSON.stringify(header)),
    ...arrays.map(([, bytes]) => bytes),
  ] as const;
  const prefix = new BigUint64Array([BigInt(content[0].length), checksum(key, content)]);
  let file: number;
  try {
    file = openSync(path, "w");
  } catch {
    return;
  }
  try {
    // Piece by piece: together they would be in memory twice. One call may write less than its piece.
    for (const piece of [new Uint8Array(prefix.buffer), ...content])
      for (let at = 0; at < piece.length; ) at += writeSync(file, piece, at);
  } catch {
    rmSync(path, { force: true });
  } finally {
    closeSync(file);
  }
}

/** Covers the key: two processes may have written over each other. */
function checksum(key: string, pieces: readonly Uint8Array[]): bigint {
  return pieces.reduce((sum, piece) => BigInt(Bun.hash(piece, sum)), BigInt(Bun.hash(key)));
}
