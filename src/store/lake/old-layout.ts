/** The first layout of a lake, which convert.ts turns into Delta tables. Here is only how to recognize it. */

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DAILY_SOURCES } from "#domain/currency/source.ts";

/** Whether files of the first layout are there. A few system calls where there are none. */
export function isOldLake(directory: string): boolean {
  const named = ["manifest.json", "superseded", "held/held.parquet"];
  if (named.some((name) => existsSync(join(directory, name)))) return true;
  // Their manifest may have been lost.
  return DAILY_SOURCES.some((source) => {
    const root = join(directory, "daily", `source=${source}`);
    return (
      existsSync(root) && readdirSync(root).some((year) => existsSync(join(root, year, "rates.parquet")))
    );
  });
}
