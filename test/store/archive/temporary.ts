/** Archives in temporary directories, closed when the test file is done. */

import { afterAll } from "bun:test";
import { type Archive, type ArchiveOptions, openQuoteArchive } from "#store/archive/archive.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const opened: Archive[] = [];
afterAll(async () => {
  for (const archive of opened) await archive.close().catch(() => {});
});

export async function openTemporary(
  directory: string = temporaryDirectory(),
  options: Partial<ArchiveOptions> = {},
): Promise<Archive> {
  const archive = await openQuoteArchive({ directory, simulated: false, access: "write", ...options });
  opened.push(archive);
  return archive;
}
