/** The thread that makes PNG files of SVG text: one picture a message, in order. */

import plain from "@fontsource/inter/files/inter-latin-400-normal.woff" with { type: "file" };
import bold from "@fontsource/inter/files/inter-latin-600-normal.woff" with { type: "file" };
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import renderer from "@resvg/resvg-wasm/index_bg.wasm" with { type: "file" };
import type { PaintAnswer } from "./paint.ts";
import { typefaceOf } from "./woff.ts";

const ready = open();

addEventListener("message", async ({ data }: MessageEvent<string>) => {
  postMessage(await paint(data));
});

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
