/** The process, or the thread of a single binary, that renders SVG text to PNG: one picture a message, in order. */

import { inflateSync } from "node:zlib";
import plain from "@fontsource/inter/files/inter-latin-400-normal.woff" with { type: "file" };
import bold from "@fontsource/inter/files/inter-latin-600-normal.woff" with { type: "file" };
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import renderer from "@resvg/resvg-wasm/index_bg.wasm" with { type: "file" };
import type { PaintAnswer } from "./paint.ts";

const ready = open();

if (Bun.isMainThread) {
  process.on("message", async (svg: string) => process.send?.(await paint(svg)));
  process.on("disconnect", () => process.exit(0));
  // A signal to the whole group is the server's, which says what happens then.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
} else addEventListener("message", async ({ data }: MessageEvent<string>) => postMessage(await paint(data)));

async function open(): Promise<Uint8Array[]> {
  await initWasm(await Bun.file(renderer).arrayBuffer());
  return await Promise.all([plain, bold].map(async (file) => typefaceOf(await Bun.file(file).bytes())));
}

async function paint(svg: string): Promise<PaintAnswer> {
  try {
    const fontBuffers = await ready;
    const picture = new Resvg(svg, { font: { fontBuffers, defaultFontFamily: "Inter" } });
    const image = picture.render();
    const png = image.asPng();
    image.free();
    picture.free();
    return { kind: "painted", png: new Uint8Array(png) };
  } catch (fault) {
    return { kind: "failed", reason: fault instanceof Error ? fault.message : String(fault) };
  }
}

const HEADER_BYTES = 44;
const ENTRY_BYTES = 20;
const SFNT_HEADER_BYTES = 12;
const SFNT_ENTRY_BYTES = 16;

/** The bytes of the TrueType or OpenType file. Throws on a file that is none, or is cut short. */
function typefaceOf(woff: Uint8Array): Uint8Array {
  const file = Buffer.from(woff.buffer, woff.byteOffset, woff.byteLength);
  if (file.toString("latin1", 0, 4) !== "wOFF") throw new Error("not a WOFF file");
  const count = file.readUInt16BE(12);
  const directory = Buffer.alloc(SFNT_HEADER_BYTES + SFNT_ENTRY_BYTES * count);
  file.copy(directory, 0, 4, 8);
  directory.writeUInt16BE(count, 4);
  const parts: Buffer[] = [directory];
  let at = directory.length;
  for (let table = 0; table < count; table++) {
    const from = HEADER_BYTES + ENTRY_BYTES * table;
    const [offset, packed, length] = [4, 8, 12].map((field) => file.readUInt32BE(from + field));
    if (offset === undefined || packed === undefined || length === undefined)
      throw new Error("a table without a place");
    const stored = file.subarray(offset, offset + packed);
    const bytes = packed < length ? inflateSync(stored) : stored;
    const to = SFNT_HEADER_BYTES + SFNT_ENTRY_BYTES * table;
    file.copy(directory, to, from, from + 4);
    directory.writeUInt32BE(file.readUInt32BE(from + 16), to + 4);
    directory.writeUInt32BE(at, to + 8);
    directory.writeUInt32BE(length, to + 12);
    // Tables begin at multiples of four.
    const padding = Buffer.alloc((4 - (length % 4)) % 4);
    parts.push(bytes, padding);
    at += length + padding.length;
  }
  return new Uint8Array(Buffer.concat(parts));
}
