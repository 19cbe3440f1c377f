/** Answers of a simulated upstream that never arrive as they should, for `misbehave`. */

import { constants, crc32, deflateRawSync } from "node:zlib";
import { zipOf } from "#test/sources/zip-writer.ts";
import type { BrokenTransport } from "#test/support/official/simulator.ts";

export const broken = {
  status: (code: number): BrokenTransport => {
    return () => new Response("the upstream is not well", { status: code });
  },
  /** 200 with a web page instead of the document. */
  html: () => new Response(PAGE, { headers: { "content-type": "text/html; charset=utf-8" } }),
  /** A small archive that declares a modest size and unpacks to this many MiB of zeros. */
  zipBomb: (mebibytes = 1024): BrokenTransport => {
    return () => new Response(zipBomb(mebibytes), { headers: { "content-type": "application/zip" } });
  },
};

const PAGE =
  "<!DOCTYPE html>\n<html><head><title>Maintenance</title></head><body><h1>Be right back</h1></body></html>\n";

const MEBIBYTE = 1_048_576;

function zipBomb(mebibytes: number): Uint8Array<ArrayBuffer> {
  const [name, packed, crc] = ["eurofxref-hist.csv", deflatedZeros(mebibytes), crcOfZeros(mebibytes)];
  return zipOf([{ name, content: "", packed, crc, claimedSize: 1_900_000 }]);
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
