/** The scripts and styles of the pages, bundled from `src/web`, the typeface, and the picture for previews of links. */

import { join } from "node:path";
import typeface from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2" with { type: "file" };
import { once } from "#domain/queues/once.ts";
import icon from "./icon.svg" with { type: "file" };
import picture from "./preview.png" with { type: "file" };

export interface Asset {
  readonly mime: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The bundle in a single binary, below its folder of assets. The binary has no bundler: its build bundles. */
export const EMBEDDED_BUNDLE = "site-assets/bundle.json";

/** The assets by name, such as "landing.js", "site.css", "inter.woff2"; one set a process. Rejects with the bundler's message. */
export const { get: openAssets } = once(bundled);

async function bundled(): Promise<ReadonlyMap<string, Asset>> {
  const assets = new Map<string, Asset>();
  const embedded = Bun.file(join(import.meta.dir, EMBEDDED_BUNDLE));
  const files = JSON.parse(await (Bun.isStandaloneExecutable ? embedded.text() : bundle()));
  for (const [file, text] of Object.entries<string>(files)) {
    const name = file.replace(/^\.?-/, "").replace("-island.js", ".js");
    const mime = `text/${name.endsWith(".css") ? "css" : "javascript"}; charset=utf-8`;
    assets.set(name, { mime, bytes: new TextEncoder().encode(text) });
  }
  for (const [name, mime, path] of [
    ["inter.woff2", "font/woff2", typeface],
    ["icon.svg", "image/svg+xml", icon],
    ["preview.png", "image/png", picture],
  ] as const)
    assets.set(name, { mime, bytes: await Bun.file(path).bytes() });
  return assets;
}

/** Resolves with the texts of scripts and styles by file, as JSON. Rejects with the bundler's message. It writes no file: a system may be read-only. */
export async function bundle(): Promise<string> {
  // Settings of a project that lies where the server was started are none of its own.
  const options = { cwd: import.meta.dir, stderr: "pipe" } as const;
  const bundler = Bun.spawn([process.execPath, "--no-env-file", "bundle.ts"], options);
  const [files, fault] = await Promise.all([
    new Response(bundler.stdout).text(),
    new Response(bundler.stderr).text(),
  ]);
  if ((await bundler.exited) !== 0) throw new Error(`the site's scripts cannot be bundled: ${fault}`);
  return files;
}
