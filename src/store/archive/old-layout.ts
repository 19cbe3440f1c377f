/** The first layout of the archive, which convert.ts turns into a Delta table. Here is only how to recognize it. */

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { INTRADAY_FOLDER } from "./layout.ts";

/** Both are the last to go: as long as one of them is there, files of the first layout may be. */
export const OLD_MANIFEST = `${INTRADAY_FOLDER}/manifest.json`;
/** Made where the manifest was lost. */
export const CONVERTING = `${INTRADAY_FOLDER}/.converting`;

/** Whether files of the first layout are there; a few system calls once the table exists. */
export function isOldArchive(directory: string, hasTable: boolean): boolean {
  if ([OLD_MANIFEST, CONVERTING].some((name) => existsSync(join(directory, name)))) return true;
  if (hasTable) return false;
  const folder = join(directory, INTRADAY_FOLDER);
  return readdirSync(folder).some((name) => existsSync(join(folder, name, "quotes.parquet")));
}
