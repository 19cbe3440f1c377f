/** A PNG of at most 256 colours from one of millions: a third of the bytes, and no difference to be seen on pages with few colours. */

import { deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
const MOST_COLOURS = 256;
/** Kinds of colour in the header. */
const TRUE_COLOUR = 2;
const TRUE_COLOUR_ALPHA = 6;
const PALETTE = 3;

/** Takes what a browser makes: 8 bits a channel, not interlaced. An opaque picture is expected: transparency is dropped. */
export function withPalette(png: Uint8Array): Buffer {
  const { width, height, pixels } = decoded(Buffer.from(png));
  const counts = new Map<number, number>();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const palette = paletteOf(counts);
  const places = new Map(palette.map((colour, place) => [colour, place]));
  for (const colour of counts.keys()) if (!places.has(colour)) places.set(colour, nearest(colour, palette));
  const lines = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      lines[y * (width + 1) + 1 + x] = places.get(pixels[y * width + x] as number) as number;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, PALETTE], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(palette.flatMap(channels))),
    chunk("IDAT", deflateSync(lines, { level: 9, memLevel: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

const channels = (colour: number) => [colour >> 16, (colour >> 8) & 255, colour & 255] as const;

/** Colour after colour, each the one whose pixels are furthest from those chosen so far: rare ones get their place, too. */
function paletteOf(counts: ReadonlyMap<number, number>): number[] {
  const colours = [...counts.keys()];
  const distances = colours.map(() => Number.POSITIVE_INFINITY);
  const palette: number[] = [];
  while (palette.length < Math.min(MOST_COLOURS, colours.length)) {
    let best = 0;
    let most = -1;
    colours.forEach((colour, at) => {
      const weight = (counts.get(colour) as number) * (distances[at] as number);
      if (weight > most) [best, most] = [at, weight];
    });
    const chosen = colours[best] as number;
    palette.push(chosen);
    colours.forEach((colour, at) => {
      distances[at] = Math.min(distances[at] as number, distance(colour, chosen));
    });
  }
  return palette;
}

function distance(one: number, other: number): number {
  const red = (one >> 16) - (other >> 16);
  const green = ((one >> 8) & 255) - ((other >> 8) & 255);
  const blue = (one & 255) - (other & 255);
  return red * red + green * green + blue * blue;
}

function nearest(colour: number, palette: readonly number[]): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  palette.forEach((candidate, place) => {
    const far = distance(colour, candidate);
    if (far < least) [best, least] = [place, far];
  });
  return best;
}

interface Picture {
  readonly width: number;
  readonly height: number;
  /** 0xRRGGBB, line by line. */
  readonly pixels: Uint32Array;
}

function decoded(png: Buffer): Picture {
  if (!png.subarray(0, 8).equals(SIGNATURE)) throw new Error("this is no PNG");
  let header: Buffer = Buffer.alloc(0);
  const data: Buffer[] = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const kind = png.toString("latin1", at + 4, at + 8);
    const content = png.subarray(at + 8, at + 8 + length);
    if (kind === "IHDR") header = content;
    if (kind === "IDAT") data.push(content);
    at += length + 12;
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth, colours, , , interlaced] = header.subarray(8);
  if (depth !== 8 || interlaced !== 0 || (colours !== TRUE_COLOUR && colours !== TRUE_COLOUR_ALPHA))
    throw new Error("a PNG of this kind is not read here");
  const size = colours === TRUE_COLOUR ? 3 : 4;
  const bytes = unfiltered(inflateSync(Buffer.concat(data)), width * size, height, size);
  const pixels = new Uint32Array(width * height);
  for (let at = 0; at < pixels.length; at++) pixels[at] = bytes.readUIntBE(at * size, 3);
  return { width, height, pixels };
}

/** Undoes the filter of each line, as section 9 of the PNG specification says. */
function unfiltered(lines: Buffer, stride: number, height: number, size: number): Buffer {
  const bytes = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = lines[y * (stride + 1)] as number;
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x;
      const left = x < size ? 0 : (bytes[at - size] as number);
      const up = y === 0 ? 0 : (bytes[at - stride] as number);
      const corner = x < size || y === 0 ? 0 : (bytes[at - stride - size] as number);
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] as number;
      bytes[at] = (lines[y * (stride + 1) + 1 + x] as number) + guess;
    }
  }
  return bytes;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

function chunk(kind: string, content: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(kind, "latin1"), content]);
  const ends = [Buffer.alloc(4), Buffer.alloc(4)] as const;
  ends[0].writeUInt32BE(content.length);
  ends[1].writeUInt32BE(Bun.hash.crc32(named));
  return Buffer.concat([ends[0], named, ends[1]]);
}
