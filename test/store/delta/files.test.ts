/** Data files: their statistics are what is in them, damage of every kind is noticed, and nothing is left of a fault. */

import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { sha256 } from "#domain/chain/entry.ts";
import { sentenceOf } from "#store/delta/damage.ts";
import { type Add, filesOf, type Snapshot, statsOf } from "#store/delta/snapshot.ts";
import { dataFilesOf } from "#store/delta/table.ts";
import { writeFiles } from "#store/delta/upkeep.ts";
import { withEngine } from "#store/parquet/engine.ts";
import { copyOf, query } from "#test/store/lake/sample.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { flip, flipSilently, grow, MEASUREMENTS, open, rewrite, START } from "./sample.ts";

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

  test("whose bytes went bad without a trace is found by an audit, and from then on by every look", async () => {
    const { table, adds, add, path } = await opened();
    const { mtime } = statSync(path);
    flipSilently(path);
    expect(statSync(path).mtime).toEqual(mtime);
    expect(await table.verifier.check(add)).toBeNull();
    expect(await table.verifier.audit(adds)).toMatchObject([{ path: add.path, kind: "changed" }]);
    expect(await table.verifier.check(add)).toMatchObject({ kind: "changed" });
    expect(existsSync(path)).toBe(true);
  });
});
