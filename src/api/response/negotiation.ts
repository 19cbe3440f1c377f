/**
 * Chooses the form that a client prefers, by the qualities in Accept and Accept-Encoding (RFC 9110 §12.5), and compresses
 * bodies. npm's `negotiator` breaks ties by the client's order, ours by the order of offers; it also sorts a list of
 * objects for each request.
 */

import { promisify } from "node:util";
import {
  type BrotliOptions,
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
} from "node:zlib";
import pLimit from "p-limit";

interface Preference {
  readonly name: string;
  /** 0 refuses. */
  readonly quality: number;
}

const QUALITY = /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/;

function preferencesOf(header: string): readonly Preference[] {
  return header
    .toLowerCase()
    .split(",")
    .map((one) => {
      const [name = "", ...parameters] = one.split(";").map((part) => part.trim());
      const q = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
      return { name, quality: q === undefined ? 1 : QUALITY.test(q) ? Number(q) : 0 };
    });
}

/**
 * Returns the offer with the highest quality, on a tie the first one; null when all are refused. The first listed name
 * of an offer decides.
 */
function preferred<T>(
  header: string,
  offers: readonly (readonly [names: readonly string[], value: T])[],
): T | null {
  const preferences = preferencesOf(header);
  let best: T | null = null;
  let bestQuality = 0;
  for (const [names, value] of offers) {
    let listed: Preference | undefined;
    for (const name of names) listed ??= preferences.find((preference) => preference.name === name);
    if (listed === undefined || listed.quality <= bestQuality) continue;
    best = value;
    bestQuality = listed.quality;
  }
  return best;
}

/**
 * Makes a function that returns the value of Accept's preferred media type; null when the header is absent, or refuses
 * them all (a readable answer in the usual form is better than a 406).
 */
export function typePreference<T>(
  offers: readonly (readonly [mime: string, value: T])[],
): (accept: string | null) => T | null {
  const named = offers.map(
    ([mime, value]) => [[mime, `${mime.slice(0, mime.indexOf("/"))}/*`, "*/*"], value] as const,
  );
  return (accept) => (accept === null ? null : preferred(accept, named));
}

export type Encoding = "br" | "zstd" | "gzip";

const OFFERS = (["br", "zstd", "gzip"] as const).map((encoding) => [[encoding, "*"], encoding] as const);

/** Returns Accept-Encoding's preferred coding; null sends the body as it is. */
export function preferredEncoding(accepted: string): Encoding | null {
  return preferred(accepted, OFFERS);
}

/** Below this a coded answer is hardly smaller and costs more than it saves. */
export const SMALLEST_COMPRESSED = 1024;

/** Chooses the coding of a body of so many bytes; null sends it as it is. */
export function encodingFor(headers: Headers, bytes: number): Encoding | null {
  if (bytes < SMALLEST_COMPRESSED) return null;
  const accepted = headers.get("accept-encoding");
  return accepted === null ? null : preferredEncoding(accepted);
}

const LEVEL = 5;
/** A window of 256 KB: one of 4 MB takes 24 MB for a long body, and makes it 10 % smaller. */
const BROTLI: BrotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 },
};

/** Compresses at a level that costs less than a millisecond for a page of a range. */
export function compress(text: string | Uint8Array, encoding: Encoding): Uint8Array<ArrayBuffer> {
  if (encoding === "br") return new Uint8Array(brotliCompressSync(text, BROTLI));
  return new Uint8Array(encoding === "zstd" ? zstdCompressSync(text) : gzipSync(text, { level: LEVEL }));
}

/**
 * Quality 9 takes 36 MB for any body, and 55 MB for one of 4 MB; quality 6 with a window of 256 KB takes 5 and 14 MB and
 * makes 2 to 11 % more bytes.
 */
const BETTER_BROTLI = { params: { ...BROTLI.params, [constants.BROTLI_PARAM_QUALITY]: 6 } };
const ASIDE: Readonly<Record<Encoding, (bytes: Uint8Array) => Promise<Uint8Array<ArrayBuffer>>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, BETTER_BROTLI),
  zstd: promisify(zstdCompress),
  gzip: promisify(gzip),
};
/** Long bodies take some ten megabytes each to compress: one at a time. */
const inTurn = pLimit(1);

/** Compresses a long body off the event loop, Brotli at a better quality. */
export function compressAside(bytes: Uint8Array, encoding: Encoding): Promise<Uint8Array<ArrayBuffer>> {
  return inTurn(ASIDE[encoding], bytes);
}
