/** Real upstream documents that may lie beside the checkout; tests that need them are skipped, with a printed reason, where they are not there. */

import { test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..", "..", "..", "shared", "data");

/** Path of a real document, or null (with a line on the terminal) when the folder is not there. */
export function sharedDocument(path: string): string | null {
  const full = join(ROOT, path);
  if (existsSync(full)) return full;
  console.warn(`SKIPPED: ${path} of the real upstream documents is not here`);
  return null;
}

/** `test` where all of these documents are there, else `test.skip`: a case never passes because its document is missing. */
export function testOn(...paths: readonly string[]): typeof test | typeof test.skip {
  return paths.map(sharedDocument).includes(null) ? test.skip : test;
}

/** Its bytes, for the tests of `testOn`, which run only where it is there. */
export function realDocument(path: string): Uint8Array {
  return new Uint8Array(readFileSync(sharedDocument(path) as string));
}

export const realText = (path: string) => new TextDecoder().decode(realDocument(path));
