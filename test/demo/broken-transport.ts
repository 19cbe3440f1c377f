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
  /** The first half of the document, cleanly ended. */
  truncated: async (intact: () => Response) => {
    const answer = intact();
    const whole = await answer.bytes();
    return new Response(whole.slice(0, whole.length >> 1), { headers: answer.headers });
  },
  /** The document in drops: so many bytes every so many milliseconds. */
  slow: (bytes = 64, everyMilliseconds = 50): BrokenTransport => {
    return async (intact) => {
      const answer = intact();
      return new Response(trickle(await answer.bytes(), bytes, everyMilliseconds), {
        headers: answer.headers,
      });
    };
  },
  /** Accepts the request and never answers. */
  hang: async (_: () => Response, gone: Promise<void>) => {
    await gone;
    return new Response(null, { status: 503 });
  },
  /** 200 without a body. */
  empty: (intact: () => Response) => new Response(new Uint8Array(), { headers: intact().headers }),
  /** A small archive that declares a modest size and unpacks to this many MiB of zeros. */
  zipBomb: (mebibytes = 1024): BrokenTransport => {
    return () => new Response(zipBomb(mebibytes), { headers: { "content-type": "application/zip" } });
  },
  /** A small transfer-encoded body that unpacks to this many MiB of zeros. */
  gzipBomb: (mebibytes = 1024): BrokenTransport => {
    const headers = { "content-type": "text/plain", "content-encoding": "gzip" };
    return () => new Response(gzipBomb(mebibytes), { headers });
  },
};

const PAGE =
  "<!DOCTYPE html>\n<html><head><title>Maintenance</title></head><body><h1>Be right back</h1></body></html>\n";

function trickle(bytes: Uint8Array, size: number, everyMilliseconds: number): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      if (at > 0) await Bun.sleep(everyMilliseconds);
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
    cancel() {
      at = bytes.length;
    },
  });
}

const MEBIBYTE = 1_048_576;

function zipBomb(mebibytes: number): Uint8Array<ArrayBuffer> {
  const [name, packed, crc] = ["eurofxref-hist.csv", deflatedZeros(mebibytes), crcOfZeros(mebibytes)];
  return zipOf([{ name, content: "", packed, crc, claimedSize: 1_900_000 }]);
}

/** An intact gzip stream of zeros. */
function gzipBomb(mebibytes: number): Uint8Array<ArrayBuffer> {
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

/** By their number: to go over a gigabyte of zeros takes a part of a second. */
const knownCrcs = new Map<number, number>();

function crcOfZeros(mebibytes: number): number {
  const known = knownCrcs.get(mebibytes);
  if (known !== undefined) return known;
  const zeros = new Uint8Array(MEBIBYTE);
  let crc = 0;
  for (let done = 0; done < mebibytes; done++) crc = crc32(zeros, crc);
  knownCrcs.set(mebibytes, crc);
  return crc;
}
