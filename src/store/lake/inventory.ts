/** Whether the manifest still speaks of what is there. */

import { statSync } from "node:fs";
import { join } from "node:path";
import { dataFiles } from "./layout.ts";
import type { Manifest } from "./manifest.ts";

/** True when the manifest names exactly the files that exist, with their sizes. */
export function describesFiles(directory: string, manifest: Manifest): boolean {
  const files = dataFiles(directory);
  if (files.length !== manifest.files.length) return false;
  const sizes = new Map(manifest.files.map(({ path, bytes }) => [path, bytes]));
  return files.every((path) => sizes.get(path) === statSync(join(directory, path)).size);
}
