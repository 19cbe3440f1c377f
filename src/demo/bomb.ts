/** Bodies that unpack to far more than they weigh; made without ever holding what they unpack to. */

import { constants, crc32, deflateRawSync } from "node:zlib";
import { zipArchive } from "./zip.ts";

const MEBIBYTE = 1_048_576;

/** A history archive that declares a modest size and unpacks to `mebibytes` of zeros. */
export function zipBomb(mebibytes: number): Uint8Array<ArrayBuffer> {
  return zipArchive({
    name: "eurofxref-hist.csv",
    compressed: deflatedZeros(mebibytes),
    size: 1_900_000,
    crc: crcOfZeros(mebibytes),
    modified: Date.UTC(2026, 0, 1),
  });
}

/** An intact gzip stream of `mebibytes` of zeros. */
export function gzipBomb(mebibytes: number): Uint8Array<ArrayBuffer> {
  const header = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crcOfZeros(mebibytes), 0);
  trailer.writeUInt32LE((mebibytes * MEBIBYTE) % 2 ** 32, 4);
  return new Uint8Array(Buffer.concat([header, deflatedZeros(mebibytes), trailer]));
}

/** A full flush ends a block on a byte and forgets what came before, so its bytes may be repeated. */
function deflatedZeros(mebibytes: number): Uint8Array {
  const block = deflateRawSync(new Uint8Array(MEBIBYTE), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  return Buffer.concat([...new Array<Uint8Array>(mebibytes).fill(block), Uint8Array.of(3, 0)]);
}

function crcOfZeros(mebibytes: number): number {
  const zeros = new Uint8Array(MEBIBYTE);
  let crc = 0;
  for (let done = 0; done < mebibytes; done++) crc = crc32(zeros, crc);
  return crc;
}
