/** Reads one named entry of a zip file in memory, within bounds. Stored and deflate only, CRC-32 checked. */

import { inflateRawSync } from "node:zlib";
import { BrokenDocument } from "#domain/faults/upstream.ts";

type Entry = ReturnType<typeof entryAt>;

const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
const END_LENGTH = 22;
const ENTRY_LENGTH = 46;
const LOCAL_LENGTH = 30;
/** Upstream archives hold one file. */
const MOST_ENTRIES = 64;

/**
 * The bytes of the entry `name`. Never allocates more than `maxBytes`, whatever the archive claims.
 * Throws BrokenDocument on anything but a whole, single-disk, unencrypted, 32-bit zip that holds the entry
 * exactly once (APPNOTE.TXT §4.3).
 */
export function readZipEntry(bytes: Uint8Array, name: string, maxBytes: number): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entry = findEntry(bytes, view, name);
  if (entry.size > maxBytes) {
    throw new BrokenDocument(`zip: ${name} claims ${entry.size} bytes, more than the ${maxBytes} allowed`);
  }
  const packed = packedBytes(bytes, view, entry, name);
  const unpacked = unpack(packed, entry, name);
  if (unpacked.byteLength !== entry.size) {
    throw new BrokenDocument(`zip: ${name} claims ${entry.size} bytes and holds ${unpacked.byteLength}`);
  }
  if (Bun.hash.crc32(unpacked) !== entry.crc) {
    throw new BrokenDocument(`zip: the CRC-32 of ${name} does not match`);
  }
  return unpacked;
}

function findEntry(bytes: Uint8Array, view: DataView, name: string): Entry {
  const endAt = findEnd(view);
  const count = view.getUint16(endAt + 10, true);
  const directorySize = view.getUint32(endAt + 12, true);
  let at = view.getUint32(endAt + 16, true);
  const split = view.getUint16(endAt + 4, true) !== 0 || view.getUint16(endAt + 8, true) !== count;
  if (split || count > MOST_ENTRIES || at + directorySize > endAt) {
    throw new BrokenDocument("zip: split over disks, 64-bit, or a directory that does not fit the file");
  }
  let match: Entry | null = null;
  for (let index = 0; index < count; index++) {
    if (at + ENTRY_LENGTH > endAt || view.getUint32(at, true) !== ENTRY_SIGNATURE) {
      throw new BrokenDocument("zip: damaged directory");
    }
    const nameLength = view.getUint16(at + 28, true);
    const nameBytes = bytes.subarray(at + ENTRY_LENGTH, at + ENTRY_LENGTH + nameLength);
    if (new TextDecoder().decode(nameBytes) === name) {
      if (match !== null) throw new BrokenDocument(`zip: ${name} is there twice`);
      match = entryAt(view, at, name);
    }
    at += ENTRY_LENGTH + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  if (match === null) throw new BrokenDocument(`zip: no ${name} in it`);
  return match;
}

/** Position of the end record, which may be followed by a comment. */
function findEnd(view: DataView): number {
  const last = view.byteLength - END_LENGTH;
  for (let at = last; at >= Math.max(0, last - 0xffff); at--) {
    if (view.getUint32(at, true) !== END_SIGNATURE) continue;
    if (at + END_LENGTH + view.getUint16(at + 20, true) === view.byteLength) return at;
  }
  throw new BrokenDocument("zip: not a zip file, or cut off");
}

function entryAt(view: DataView, at: number, name: string) {
  const flags = view.getUint16(at + 8, true);
  if ((flags & 0x2041) !== 0) throw new BrokenDocument(`zip: ${name} is encrypted`);
  return {
    method: view.getUint16(at + 10, true),
    crc: view.getUint32(at + 16, true),
    packedSize: view.getUint32(at + 20, true),
    size: view.getUint32(at + 24, true),
    headerAt: view.getUint32(at + 42, true),
  };
}

function packedBytes(bytes: Uint8Array, view: DataView, entry: Entry, name: string): Uint8Array {
  const at = entry.headerAt;
  if (at + LOCAL_LENGTH > view.byteLength || view.getUint32(at, true) !== LOCAL_SIGNATURE) {
    throw new BrokenDocument(`zip: ${name} is not where the directory places it`);
  }
  const start = at + LOCAL_LENGTH + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
  return bytes.subarray(start, start + entry.packedSize);
}

function unpack(packed: Uint8Array, entry: Entry, name: string): Uint8Array {
  if (entry.method === 0) return packed;
  if (entry.method !== 8) {
    throw new BrokenDocument(`zip: ${name} uses method ${entry.method}, neither stored nor deflate`);
  }
  try {
    // One byte more than claimed: an entry that is larger than its claim is detected.
    return inflateRawSync(packed, { maxOutputLength: entry.size + 1 });
  } catch (error) {
    throw new BrokenDocument(`zip: ${name} does not unpack to the ${entry.size} bytes it claims`, error);
  }
}
