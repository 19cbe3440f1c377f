/** Bundles the scripts and styles of the pages, and prints them as JSON by name. It runs as a process of its own: the bundler's memory would stay with the server. */

import { basename } from "node:path";

const { outputs } = await Bun.build({
  // A page's script is the file `island.tsx` of its folder. In one order: every replica gives them the same names.
  entrypoints: ["./site.css", ...new Bun.Glob("./*/island.{ts,tsx}").scanSync()].sort(),
  target: "browser",
  minify: true,
  splitting: true,
  external: ["/site/*"],
  naming: { entry: "[dir]-[name].[ext]", chunk: "chunk-[hash].[ext]" },
});
const files = await Promise.all(outputs.map(async (file) => [basename(file.path), await file.text()]));
await Bun.write(Bun.stdout, JSON.stringify(Object.fromEntries(files)));
