/** A lake that is never out of date: one rate a week for years after the run begins, made once for all runs of a test file. */

import { cpSync } from "node:fs";
import { join as pathOf } from "node:path";
import { openLake } from "#store/lake/lake.ts";
import { NOON } from "#test/metered/history.ts";
import { change, observation } from "#test/store/lake/sample.ts";
import { onceInFile } from "#test/support/at-end.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const WEEK = 7 * 86_400_000;
const WEEKS = 400;

/** A copy of its own for the caller, removed at the end of the file. */
export async function ratesAhead(): Promise<string> {
  const directory = temporaryDirectory();
  cpSync(await original(), directory, { recursive: true });
  return directory;
}

const original = onceInFile(async () => {
  const directory = temporaryDirectory();
  const accepted = Array.from({ length: WEEKS }, (_, nth) => {
    const date = new Date(NOON + (nth - 20) * WEEK).toISOString().slice(0, 10);
    return observation(date, "USD", `1.${1000 + nth}`);
  });
  const lake = await openLake({ directory: pathOf(directory, "lake"), simulated: false, emit: () => {} });
  await lake.commit(() => change({ accepted }));
  await lake.close();
  return directory;
});
