/** Data files: their statistics are what is in them, damage of every kind is noticed, and nothing is left of a fault. */

import { beforeEach, describe, expect, test } from "bun:test";
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { sha256 } from "#domain/chain/entry.ts";
import { foreignFiles, isCurrent, refreshCurrent } from "#store/delta/current.ts";
import { sentenceOf } from "#store/delta/damage.ts";
import { type Add, filesOf, removalOf, type Snapshot, statsOf } from "#store/delta/snapshot.ts";
import { dataFilesOf, type Table } from "#store/delta/table.ts";
import { removeUncommitted, writeFiles } from "#store/delta/upkeep.ts";
import { withEngine } from "#store/parquet/engine.ts";
import { copyOf, query } from "#test/store/lake/sample.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { flip, grow, MEASUREMENTS, open, rewrite, START } from "./sample.ts";

test("statistics, size and digest are those of a full read of the file", async () => {
  const directory = temporaryDirectory();
  const table = open(directory);
  const adds = await withEngine(directory, async (connection) => {
    const found: Add[] = [];
    // Many rows, a few, one whose value is null, and none at all.
    for (const span of [
      [0, 5000],
      [40, 47],
      [3, 4],
      [9, 9],
    ] as const)
      for (const action of await rewrite(connection, table, null, "Oslo", span, START))
        if ("add" in action) found.push(action.add);
    return found;
  });
  expect(adds.map((add) => statsOf(add).numRecords)).toEqual([5000, 7, 1]);
  expect(dataFilesOf(table.directory)).toHaveLength(3);
  for (const add of adds) {
    const path = table.pathOf(add);
    const content = readFileSync(path);
    expect(add.path).toMatch(/^city=Oslo\/part-[-0-9a-f]{36}\.parquet$/);
    expect(add).toMatchObject({
      partitionValues: { city: "Oslo" },
      size: content.length,
      modificationTime: START,
    });
    expect(add.tags.sha256).toBe(sha256(content));
    const stats = statsOf(add);
    for (const { name, type, ranged } of MEASUREMENTS.columns) {
      const printed = type === "timestamp" ? `strftime(${name}::TIMESTAMP, '%Y-%m-%dT%H:%M:%S.%gZ')` : name;
      const text = type === "timestamp" || type === "date" ? `${printed}::VARCHAR` : printed;
      const [scan] = await query(
        `SELECT min(${text}) AS least, max(${text}) AS most, count(*) FILTER (${name} IS NULL)::INTEGER AS nulls
         FROM '${path}'`,
      );
      expect(stats.nullCount[name]).toBe(scan?.["nulls"] as number);
      expect(stats.minValues[name] ?? null).toEqual(ranged ? (scan?.["least"] as string) : null);
      expect(stats.maxValues[name] ?? null).toEqual(ranged ? (scan?.["most"] as string) : null);
    }
  }
  expect(statsOf(adds[0] as Add).minValues).toMatchObject({
    day: "2026-01-01",
    number: 0,
    taken_at: "2026-01-01T00:00:00.125Z",
  });
  expect(Object.keys(statsOf(adds[2] as Add).minValues)).not.toContain("value");
});

test("of files of which one cannot be written, none is left", async () => {
  const directory = temporaryDirectory();
  const table = open(directory);
  const attempt = withEngine(directory, (connection) =>
    writeFiles(
      table,
      connection,
      ["Oslo", "Rome"].map((city) => ({
        partition: { city },
        write: async (target) => {
          if (city === "Rome") throw new Error("no room");
          await connection.run(`COPY (SELECT 1 AS number) TO '${target}' (FORMAT parquet)`);
        },
      })),
      START,
    ),
  );
  expect(attempt).rejects.toThrow("no room");
  await attempt.catch(() => {});
  expect(dataFilesOf(directory)).toEqual([]);
});

describe("a data file", () => {
  const template = (async () => {
    const directory = temporaryDirectory();
    await grow(directory, open(directory), 0);
    return directory;
  })();

  const opened = async () => {
    const directory = copyOf(await template);
    const table = open(directory);
    const adds = filesOf(table.latest() as Snapshot);
    expect(await table.verifier.checkAll(adds)).toEqual([]);
    return { table, adds, add: adds[0] as Add, path: table.pathOf(adds[0] as Add) };
  };

  const damages: readonly (readonly [string, "missing" | "cut" | "changed", (path: string) => void])[] = [
    ["that is missing", "missing", (path) => rmSync(path)],
    ["that is empty", "cut", (path) => writeFileSync(path, "")],
    ["that is cut", "cut", (path) => truncateSync(path, statSync(path).size - 1)],
    ["that has grown", "cut", (path) => appendFileSync(path, "\0")],
    ["with a turned bit at its beginning", "changed", (path) => flip(path, 0)],
    ["with a turned bit in its middle", "changed", (path) => flip(path)],
    ["with a turned bit at its end", "changed", (path) => flip(path, statSync(path).size - 1)],
  ];

  test.each([...damages])(
    "%s is noticed, named, and fine again when it is put back",
    async (_, kind, damage) => {
      const { table, adds, add, path } = await opened();
      const whole = readFileSync(path);
      damage(path);
      const found = await table.verifier.checkAll(adds);
      expect(found).toEqual([
        { table: "measurements", path: add.path, partitionValues: { city: "Oslo" }, kind, rows: 10 },
      ]);
      expect(sentenceOf(found[0] as (typeof found)[0])).toStartWith(`measurements/${add.path} `);
      expect(await table.verifier.require(adds).catch((fault: unknown) => fault)).toMatchObject({
        name: "LakeDamaged",
        path: join(table.directory, add.path),
      });
      writeFileSync(path, whole);
      expect(await table.verifier.checkAll(adds)).toEqual([]);
    },
  );
});

// The plain files for readers without a Delta reader: one a partition, under its fixed name, always whole, and made again from the log.
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

test("files of a commit that failed go; where it was made although it failed afterwards, they stay", async () => {
  const rewritten = () =>
    withEngine(directory, (connection) => rewrite(connection, table, newest(), "Oslo", [0, 3], START));
  const [committed, failed] = [await rewritten(), await rewritten()];
  await table.commit(newest(), committed, "WRITE", START);
  const before = dataFilesOf(table.directory).length;
  for (const actions of [committed, failed]) removeUncommitted(table, actions);
  expect(dataFilesOf(table.directory)).toHaveLength(before - 1);
  expect(await table.verifier.audit(newest().files.values())).toEqual([]);
});

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
