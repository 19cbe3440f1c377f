/** A zip archive with one deflated entry, as the ECB serves its history. */

import { crc32, deflateRawSync } from "node:zlib";

export interface ZipEntry {
  readonly name: string;
  readonly compressed: Uint8Array;
  readonly size: number;
  readonly crc: number;
  /** Wall time of the archive's author as if it were UTC; stored in two-second steps. */
  readonly modified: number;
}

/** The fastest level that still makes an archive as small as the real one. */
const LEVEL = 4;

export function zipOf(name: string, text: string, modified: number): Uint8Array<ArrayBuffer> {
  const bytes = new TextEncoder().encode(text);
  return zipArchive({
    name,
    compressed: deflateRawSync(bytes, { level: LEVEL }),
    size: bytes.length,
    crc: crc32(bytes),
    modified,
  });
}

/** Local header, data, central directory, end record. Sizes and checksum are written as given, true or not. */
export function zipArchive(entry: ZipEntry): Uint8Array<ArrayBuffer> {
  const name = new TextEncoder().encode(entry.name);
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  describe(local, 4, entry, name.length);

  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50, 0);
  central.writeUInt16LE(20, 4);
  describe(central, 6, entry, name.length);

  const centralAt = local.length + name.length + entry.compressed.length;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length + name.length, 12);
  end.writeUInt32LE(centralAt, 16);

  return new Uint8Array(Buffer.concat([local, name, entry.compressed, central, name, end]));
}

/** The thirteen fields that local header and directory share: version needed … extra length. */
function describe(into: Buffer, at: number, entry: ZipEntry, nameLength: number): void {
  const when = new Date(entry.modified);
  const time = (when.getUTCHours() << 11) | (when.getUTCMinutes() << 5) | (when.getUTCSeconds() >> 1);
  const date = ((when.getUTCFullYear() - 1980) << 9) | ((when.getUTCMonth() + 1) << 5) | when.getUTCDate();
  into.writeUInt16LE(20, at);
  into.writeUInt16LE(0, at + 2);
  into.writeUInt16LE(8, at + 4);
  into.writeUInt16LE(time, at + 6);
  into.writeUInt16LE(date, at + 8);
  into.writeUInt32LE(entry.crc, at + 10);
  into.writeUInt32LE(entry.compressed.length, at + 14);
  into.writeUInt32LE(entry.size, at + 18);
  into.writeUInt16LE(nameLength, at + 22);
}
