/** Real upstream documents that may lie beside the checkout; tests that want them say loudly when they are not there. */

import { existsSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..", "..", "shared", "data");

/** Path of a real document, or null (with a line on the terminal) when the folder is not there. */
export function sharedDocument(path: string): string | null {
  const full = join(ROOT, path);
  if (existsSync(full)) return full;
  console.warn(`SKIPPED: ${path} of the real upstream documents is not here`);
  return null;
}
