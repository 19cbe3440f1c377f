/**
 * Chooses the form that a client prefers, by the qualities in Accept and Accept-Encoding (RFC 9110 §12.5), and compresses
 * bodies. npm's `negotiator` breaks ties by the client's order, ours by the order of offers; it also sorts a list of
 * objects for each request.
 */

import {
  type BrotliOptions,
  brotliCompressSync,
  constants,
  crc32,
  deflateRawSync,
  gzipSync,
  zstdCompressSync,
} from "node:zlib";

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

/** Returns Accept-Encoding's preferred coding, of all or of the offered ones; null sends the body as it is. */
export function preferredEncoding(accepted: string, among?: readonly Encoding[]): Encoding | null {
  return preferred(
    accepted,
    among === undefined ? OFFERS : OFFERS.filter(([, coding]) => among.includes(coding)),
  );
}

/** Below this a coded answer is hardly smaller and costs more than it saves. */
export const SMALLEST_COMPRESSED = 1024;

/** Chooses the coding of a body of so many bytes, of all or of the offered ones; null sends it as it is. */
export function encodingFor(headers: Headers, bytes: number, among?: readonly Encoding[]): Encoding | null {
  if (bytes < SMALLEST_COMPRESSED) return null;
  const accepted = headers.get("accept-encoding");
  return accepted === null ? null : preferredEncoding(accepted, among);
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

/** Magic bytes, deflate, no flags, no time, no extra flags, unknown system. */
const HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255);
/** The last block: final, fixed codes, empty. */
const LAST_BLOCK = [3, 0];

export interface GzipPieces {
  add(piece: Uint8Array): Uint8Array<ArrayBuffer>;
  end(): Uint8Array<ArrayBuffer>;
}

/**
 * Makes a gzip stream (RFC 1952) piece by piece, with only a checksum between pieces: each piece is deflated by itself
 * and ends on a byte. A slow reader keeps no compressor in memory. Costs about 1 % of size at 64 KB a piece.
 */
export function newGzipPieces(): GzipPieces {
  let checksum = 0;
  let length = 0;
  let isBegun = false;
  return {
    add: (piece) => {
      checksum = crc32(piece, checksum);
      length += piece.byteLength;
      const coded = deflateRawSync(piece, { level: LEVEL, finishFlush: constants.Z_SYNC_FLUSH });
      if (isBegun) return new Uint8Array(coded);
      isBegun = true;
      return new Uint8Array(Buffer.concat([HEADER, coded]));
    },
    end: () => {
      const bytes = Buffer.alloc(LAST_BLOCK.length + 8);
      bytes.set(LAST_BLOCK);
      bytes.writeUInt32LE(checksum >>> 0, LAST_BLOCK.length);
      bytes.writeUInt32LE(length >>> 0, LAST_BLOCK.length + 4);
      return new Uint8Array(bytes);
    },
  };
}
