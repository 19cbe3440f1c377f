/** The scripts and styles of the pages, bundled from `src/web`, the typeface, and the picture for previews of links. */

import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import typeface from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2" with { type: "file" };
import { once } from "#domain/queues/once.ts";
import icon from "./icon.svg" with { type: "file" };
import picture from "./preview.png" with { type: "file" };

export interface Asset {
  readonly mime: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A page's script is the file `island.tsx` of its folder. */
const ENTRIES = [
  "site.css",
  "shared/island.ts",
  "landing/island.tsx",
  "pair/island.tsx",
  "docs/island.ts",
  "dashboard/island.ts",
];

const MIMES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
};

/** The folder of the assets in a single binary. The binary has no bundler: its build bundles them. */
export const EMBEDDED_ASSETS = "site-assets";

/** The assets by name, such as "landing.js", "site.css", "inter.woff2"; one set a process. Rejects with the bundler's message. */
export const { get: openAssets } = once(bundled);

/** Bundles in a process of its own: the bundler's memory would stay with the server. */
async function bundled(): Promise<ReadonlyMap<string, Asset>> {
  if (Bun.isStandaloneExecutable) return await assetsIn(join(import.meta.dir, EMBEDDED_ASSETS));
  const folder = await mkdtemp(join(tmpdir(), "crossrate-site-"));
  try {
    await bundleInto(folder);
    return await assetsIn(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Bundles the scripts and styles into a folder. Rejects with the bundler's message. */
export async function bundleInto(folder: string): Promise<void> {
  const bundler = Bun.spawn(
    [
      ...[process.execPath, "build", "--minify", "--splitting", "--target=browser", `--outdir=${folder}`],
      ...["--external", "/site/*", "--entry-naming=[dir]-[name].[ext]", "--chunk-naming=chunk-[hash].[ext]"],
      ...ENTRIES.map((entry) => join(import.meta.dir, entry)),
    ],
    { stdout: "ignore", stderr: "pipe" },
  );
  const fault = await new Response(bundler.stderr).text();
  if ((await bundler.exited) !== 0) throw new Error(`the site's scripts cannot be bundled: ${fault}`);
}

async function assetsIn(folder: string): Promise<ReadonlyMap<string, Asset>> {
  const assets = new Map<string, Asset>();
  for (const file of await readdir(folder)) {
    const bytes = await Bun.file(join(folder, file)).bytes();
    const name = file.replace(/^\.?-/, "").replace("-island.js", ".js");
    assets.set(name, { mime: MIMES[name.split(".").at(-1) ?? ""] ?? "application/octet-stream", bytes });
  }
  for (const [name, mime, path] of [
    ["inter.woff2", "font/woff2", typeface],
    ["icon.svg", "image/svg+xml", icon],
    ["preview.png", "image/png", picture],
  ] as const)
    assets.set(name, { mime, bytes: await Bun.file(path).bytes() });
  return assets;
}
