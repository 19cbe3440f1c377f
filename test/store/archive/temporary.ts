/** Archives in temporary directories, closed when the test file is done. */

import { type Archive, type ArchiveOptions, openQuoteArchive } from "#store/archive/archive.ts";
import { atEnd } from "#test/support/at-end.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

export async function openTemporary(
  directory: string = temporaryDirectory(),
  options: Partial<ArchiveOptions> = {},
): Promise<Archive> {
  const archive = await openQuoteArchive({ directory, simulated: false, access: "write", ...options });
  atEnd(() => archive.close().catch(() => {}));
  return archive;
}
