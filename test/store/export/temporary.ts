/** Directories that are gone when the test file is done, and a look at what this process holds open in them. */

import { afterAll } from "bun:test";
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const made: string[] = [];
afterAll(() => {
  for (const directory of made) rmSync(directory, { recursive: true, force: true });
});

export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "crossrate-export-"));
  made.push(directory);
  return directory;
}

/** Whether this process has a file open whose path ends so, in one of these directories. */
export function isOpenHere(end: string): boolean {
  return readdirSync("/proc/self/fd").some((descriptor) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${descriptor}`).replace(/ \(deleted\)$/, "");
      return path.endsWith(end) && made.some((directory) => path.startsWith(directory));
    } catch {
      return false;
    }
  });
}
