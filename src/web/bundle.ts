/** Bundles the scripts and styles of the pages, and prints them as JSON by name. It runs as a process of its own: the bundler's memory would stay with the server. */

import { basename } from "node:path";

const { outputs } = await Bun.build({
  // A page's script is the file `island.tsx` of its folder.
  entrypoints: [
    "./site.css",
    "./shared/island.ts",
    "./landing/island.tsx",
    "./pair/island.tsx",
    "./docs/island.ts",
    "./dashboard/island.ts",
  ],
  target: "browser",
  minify: true,
  splitting: true,
  external: ["/site/*"],
  naming: { entry: "[dir]-[name].[ext]", chunk: "chunk-[hash].[ext]" },
});
const files = await Promise.all(outputs.map(async (file) => [basename(file.path), await file.text()]));
await Bun.write(Bun.stdout, JSON.stringify(Object.fromEntries(files)));
