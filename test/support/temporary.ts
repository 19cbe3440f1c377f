/** Directories of a test's own, gone when its file is done and everything in them is closed. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atEnd } from "./at-end.ts";

const made: string[] = [];

export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "crossrate-test-"));
  made.push(directory);
  atEnd(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Whether a path lies in a directory that this file's tests made. */
export function isTemporary(path: string): boolean {
  return made.some((directory) => path.startsWith(directory));
}
