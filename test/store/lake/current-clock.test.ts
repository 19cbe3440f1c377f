/** `current/` follows the table whatever the clock did between two commits, also on a file system without hard links. */

import { expect, test } from "bun:test";
import { copyFileSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { isCurrent, refreshCurrent } from "#store/delta/current.ts";
import type { Snapshot } from "#store/delta/snapshot.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { change, observation, openedLake } from "./sample.ts";

const HOUR_SECONDS = 3600;
const PATH = "current/daily/source=ecb_daily/year=2025/rates.parquet";

/** A lake with one figure, and a way to correct it: files of all its versions have the same size. */
async function lakeOfOneFigure() {
  const directory = temporaryDirectory();
  const lake = await openedLake(directory);
  const current = join(directory, PATH);
  const put = async (revision: number) => {
    const figure = observation("2025-01-02", "USD", `1.03${10 + revision}`, { revision });
    await lake.commit(() => change({ accepted: [figure] }));
    const snapshot = lake.tables.daily.latest() as Snapshot;
    const [add] = [...snapshot.files.values()];
    return { snapshot, file: join(directory, "daily", add?.path ?? "") };
  };
  return { directory, lake, current, put };
}

test("a clock that was set back leaves no older version there", async () => {
  const { current, put } = await lakeOfOneFigure();
  await put(1);
  const sizes = new Set([statSync(current).size]);
  for (let revision = 2; revision < 6; revision++) {
    const later = Date.now() / 1000 + HOUR_SECONDS;
    utimesSync(current, later, later);
    const { file } = await put(revision);
    sizes.add(statSync(file).size);
    expect(readFileSync(current).equals(readFileSync(file))).toBe(true);
  }
  // Otherwise the sizes alone would have distinguished the versions.
  expect(sizes.size).toBeLessThan(5);
});

test("a copy is known by its size and time", async () => {
  const { directory, lake, current, put } = await lakeOfOneFigure();
  const { snapshot, file } = await put(1);
  const { atimeMs, mtimeMs } = statSync(file);
  rmSync(current);
  copyFileSync(file, current);
  utimesSync(current, atimeMs / 1000, mtimeMs / 1000);
  expect(isCurrent(directory, lake.tables.daily, snapshot)).toBe(true);
  utimesSync(current, atimeMs / 1000, mtimeMs / 1000 + HOUR_SECONDS);
  expect(isCurrent(directory, lake.tables.daily, snapshot)).toBe(false);
  refreshCurrent(directory, lake.tables.daily, snapshot);
  expect(isCurrent(directory, lake.tables.daily, snapshot)).toBe(true);
});
