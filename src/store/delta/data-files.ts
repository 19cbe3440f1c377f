/** The data files on disk, as opposed to those that a log names. */

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Every data file below a table's folder, whether the log knows it or not; nothing that this program did not write. */
export function dataFilesOf(directory: string): readonly string[] {
  if (!existsSync(directory)) return [];
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /^part-.*\.parquet$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}
