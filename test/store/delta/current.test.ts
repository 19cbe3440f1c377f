/** The plain files for readers without a Delta reader: one a partition, under its fixed name, always whole, and made again from the log. */

import { beforeEach, expect, test } from "bun:test";
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { foreignFiles, isCurrent, refreshCurrent } from "#store/delta/current.ts";
import { filesOf, removalOf, type Snapshot } from "#store/delta/snapshot.ts";
import type { Table } from "#store/delta/table.ts";
import { query } from "#test/store/lake/sample.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { grow, open, START } from "./sample.ts";

let directory = "";
let table: Table;
const current = (path: string) => join(directory, "current/measurements", path);
const OSLO = "city=Oslo/measurements.parquet";
const ROME = "city=Rome/measurements.parquet";

beforeEach(async () => {
  directory = temporaryDirectory();
  table = open(directory);
  await grow(directory, table, 0);
});

const newest = () => table.latest() as Snapshot;
const refresh = () => refreshCurrent(directory, table, newest());
const listed = () => Array.from(new Bun.Glob("**/*").scanSync({ cwd: current(""), dot: true })).sort();

/** Every file is the one of the table, byte for byte, and there is no other. */
function expectCurrent(): void {
  expect(isCurrent(directory, table, newest())).toBe(true);
  const files = filesOf(newest());
  expect(listed()).toEqual(
    files.map(({ partitionValues }) => `city=${partitionValues["city"]}/measurements.parquet`),
  );
  for (const add of files) {
    const bytes = readFileSync(table.pathOf(add));
    expect(
      readFileSync(current(`city=${add.partitionValues["city"]}/measurements.parquet`)).equals(bytes),
    ).toBe(true);
  }
}

test("it follows the table from version to version, and takes no room", async () => {
  expect(isCurrent(directory, table, newest())).toBe(false);
  refresh();
  expectCurrent();
  await grow(directory, table, 1);
  expect(isCurrent(directory, table, newest())).toBe(false);
  refresh();
  expectCurrent();
  for (const add of filesOf(newest())) expect(statSync(table.pathOf(add)).nlink).toBe(2);
  const rows = await query(
    `SELECT city, count(*)::INTEGER AS rows FROM '${current("*/*.parquet")}' GROUP BY city ORDER BY city`,
  );
  expect(rows).toEqual([
    { city: "Oslo", rows: 11 },
    { city: "Rome", rows: 5 },
  ]);
});

test("a partition that is gone loses its file and its folder", async () => {
  refresh();
  const rome = filesOf(newest()).find(({ partitionValues }) => partitionValues["city"] === "Rome");
  await table.commit(newest(), rome === undefined ? [] : [removalOf(rome, START)], "DELETE", START);
  expect(isCurrent(directory, table, newest())).toBe(false);
  refresh();
  expectCurrent();
  expect(existsSync(current("city=Rome"))).toBe(false);
});

test("what is missing, stale, half-written or foreign is put right", () => {
  refresh();
  const older = join(directory, "older.parquet");
  writeFileSync(older, "older");
  for (const spoil of [
    () => rmSync(current(ROME)),
    () => rmSync(current(""), { recursive: true }),
    () => {
      rmSync(current(OSLO));
      linkSync(older, current(OSLO));
    },
    // As after a restore of a backup.
    () => {
      const bytes = readFileSync(current(OSLO));
      rmSync(current(OSLO));
      writeFileSync(current(OSLO), bytes);
    },
    () => writeFileSync(current("city=Oslo/.next.tmp"), "half"),
    () => {
      mkdirSync(current("city=Bergen"));
      writeFileSync(current("city=Bergen/measurements.parquet"), "PAR1");
    },
  ]) {
    spoil();
    expect(isCurrent(directory, table, newest())).toBe(false);
    refresh();
    expectCurrent();
  }
});

test("a file of a version that is committed while the folder is read is no foreign one", async () => {
  refresh();
  const before = newest();
  await grow(directory, table, 1);
  refresh();
  let reads = 0;
  const late = { ...table, latest: () => (reads++ === 0 ? before : newest()) };
  expect(await foreignFiles(directory, late)).toEqual([]);
  rmSync(current(OSLO));
  writeFileSync(current(OSLO), "PAR1");
  expect(await foreignFiles(directory, table)).toEqual([
    `current/measurements/${OSLO} is no file of the table: the next start of a server puts it right`,
  ]);
});

test("a missing data file leaves what was there, and the others are updated", async () => {
  refresh();
  const before = readFileSync(current(ROME));
  await grow(directory, table, 3);
  const [oslo, rome] = filesOf(newest());
  rmSync(table.pathOf(rome as never));
  refresh();
  expect(readFileSync(current(ROME)).equals(before)).toBe(true);
  expect(readFileSync(current(OSLO)).equals(readFileSync(table.pathOf(oslo as never)))).toBe(true);
});
