/** Directories that are gone when the test file is done, and archives that are closed before. */

import { afterAll } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Archive, type ArchiveOptions, openQuoteArchive } from "#store/archive/archive.ts";

const made: string[] = [];
const opened: Archive[] = [];
afterAll(async () => {
  for (const archive of opened) await archive.close().catch(() => {});
  for (const directory of made) rmSync(directory, { recursive: true, force: true });
});

export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "crossrate-archive-"));
  made.push(directory);
  return directory;
}

export async function openTemporary(
  directory: string = temporaryDirectory(),
  options: Partial<ArchiveOptions> = {},
): Promise<Archive> {
  const archive = await openQuoteArchive({ directory, simulated: false, access: "write", ...options });
  opened.push(archive);
  return archive;
}
