/** Folders of dates that the table no longer has: they go once their last file is gone. */

import { readdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { parseDay } from "#domain/time/day.ts";
import type { Snapshot } from "#store/delta/snapshot.ts";
import { INTRADAY_FOLDER } from "./layout.ts";
import { filesByDate } from "./table.ts";
import { removeIndex } from "./tick-index.ts";

/** The caller holds the lock: a flush makes the folder of its date before the table has the date. */
export function removeEmptyFolders(directory: string, snapshot: Snapshot): void {
  const dates = filesByDate(snapshot);
  for (const name of readdirSync(join(directory, INTRADAY_FOLDER))) {
    const date = name.startsWith("date=") ? parseDay(name.slice("date=".length)) : null;
    if (date === null || dates.has(date)) continue;
    removeIndex(directory, date);
    try {
      rmdirSync(join(directory, INTRADAY_FOLDER, name));
    } catch (fault) {
      if ((fault as NodeJS.ErrnoException).code !== "ENOTEMPTY") throw fault;
    }
  }
}
