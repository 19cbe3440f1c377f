/** A lake of the first layout opened: it becomes Delta tables, loses nothing, and no fault or death on the way does harm. */

import { describe, expect, test } from "bun:test";
import { appendFileSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isOldLake } from "#store/lake/conversion/old-files.ts";
import { openLake } from "#store/lake/lake.ts";
import type { TelemetryEvent } from "#telemetry.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { DEATHS, type Death, filesIn, newRows, oldLake, oldPaths, oldRows, type Rows } from "./old-lakes.ts";
import { change, contents, day, observation, RETRIEVED } from "./sample.ts";

const COVERAGE = [
  { source: "ecb_daily", coveredThrough: day("2025-11-11"), retrievedAt: RETRIEVED },
  { source: "fred_daily", coveredThrough: day("2025-11-07"), retrievedAt: RETRIEVED + 60_000 },
];
const CURRENT = "daily/source=ecb_daily/year=2024/rates.parquet";

async function converted(directory: string): Promise<readonly TelemetryEvent[]> {
  const emitted: TelemetryEvent[] = [];
  const lake = await openLake({
    directory,
    simulated: false,
    emit: (event) => void emitted.push(event),
  });
  await lake.close();
  return emitted;
}

function faultOf(directory: string): Promise<unknown> {
  return converted(directory).catch((fault: unknown) => fault);
}

test("every row comes along with every column, and the old files are gone", async () => {
  const directory = oldLake();
  const before = await oldRows(oldLake());
  expect([before.daily.length, before.superseded.length, before.held.length]).toEqual([269, 7, 2]);
  const emitted = await converted(directory);
  expect(emitted).toEqual([
    { kind: "lake_repaired", detail: "11 files of the layout before were converted to Delta tables" },
  ]);
  expect(await newRows(directory)).toEqual(before);
  expect(oldPaths(directory)).toEqual([]);
  expect(isOldLake(directory)).toBe(false);
  expect(existsSync(join(directory, "daily/source=fred_daily/year=2022"))).toBe(false);
  const { current, superseded } = await contents(directory);
  expect([current.length, superseded.length]).toEqual([269, 7]);
});

test("mode and coverage survive, and what is read is what the lake held", async () => {
  const directory = oldLake();
  expect(openLake({ directory, simulated: true })).rejects.toThrow("real rates, which the demo refuses");
  const lake = await openLake({ directory, simulated: false });
  const { observations, superseded, held, coverage, damaged } = await lake.read();
  expect([observations.count, superseded.length, held.length, damaged.length]).toEqual([269, 7, 2, 0]);
  expect(coverage).toEqual(COVERAGE as never);
  expect(held.map(({ printed }) => printed)).toEqual(["117.000", "n/a"]);
  const chain = superseded.filter(({ date, quote }) => date === day("2024-03-01") && quote === "NOK");
  expect(
    chain.map(({ revision, why, supersededAt, supersededBy }) => [revision, why, supersededAt, supersededBy]),
  ).toEqual([
    [1, "revised", RETRIEVED + 86_400_000, "https://example.org/second.xml"],
    [2, "revised", RETRIEVED + 2 * 86_400_000, "https://example.org/third.xml"],
  ]);
  // It works as any other lake does, and converts nothing again.
  await lake.commit((record) =>
    change({
      accepted: [observation("2025-11-13", "USD", "3.9")],
      held: record.held,
      coverage: record.coverage,
    }),
  );
  await lake.close();
  expect(await converted(directory)).toEqual([]);
  expect(openLake({ directory, simulated: true })).rejects.toThrow("real rates, which the demo refuses");
});

test("a lake of simulated rates stays one, also without its manifest", async () => {
  for (const hasManifest of [true, false]) {
    const directory = oldLake();
    if (!hasManifest) rmSync(join(directory, "manifest.json"));
    const before = filesIn(directory);
    expect(openLake({ directory, simulated: true })).rejects.toThrow("real rates, which the demo refuses");
    await openLake({ directory, simulated: true }).catch(() => {});
    expect(filesIn(directory)).toEqual(before);
  }
});

test("without its manifest the files are the truth; what they covered is collected again", async () => {
  // Also when nothing but current figures is there.
  for (const names of [[], ["superseded"], ["superseded", "held"]]) {
    const directory = oldLake();
    for (const name of ["manifest.json", ...names]) rmSync(join(directory, name), { recursive: true });
    const before = await oldRows(directory);
    await converted(directory);
    expect(await newRows(directory)).toEqual(before);
    const lake = await openLake({ directory, simulated: false });
    expect((await lake.read()).coverage).toEqual([]);
    await lake.close();
    expect(oldPaths(directory)).toEqual([]);
  }
});

describe("verifies before anything is changed", () => {
  const flipped = (directory: string, path: string) => {
    const bytes = readFileSync(join(directory, path));
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 1;
    writeFileSync(join(directory, path), bytes);
  };
  test.each([
    ["a turned bit in a current file", CURRENT, flipped],
    ["a turned bit in a superseded file", "superseded/source=ecb_daily/year=2025/revisions.parquet", flipped],
    ["a turned bit in the held figures", "held/held.parquet", flipped],
    ["a file that is missing", CURRENT, (directory: string, path: string) => rmSync(join(directory, path))],
    [
      "a file that is cut",
      CURRENT,
      (directory: string, path: string) => writeFileSync(join(directory, path), "PAR1"),
    ],
    [
      "a manifest that is cut",
      "manifest.json",
      (directory: string, path: string) => writeFileSync(join(directory, path), "{"),
    ],
    [
      "a file that the manifest does not know",
      "daily/source=ecb_daily/year=2019/rates.parquet",
      (directory: string, path: string) =>
        cpSync(join(directory, CURRENT), join(directory, path), { recursive: true }),
    ],
  ])("%s: the file is named with advice, and everything stays as it is", async (_, path, damage) => {
    const directory = oldLake();
    damage(directory, path);
    const before = filesIn(directory);
    const fault = await faultOf(directory);
    expect(fault).toMatchObject({ name: "LakeDamaged", path: join(directory, path) });
    expect(String(fault)).toMatch(/backup/);
    expect(filesIn(directory)).toEqual(before);
  });

  test("without the damaged file and the manifest the rest is converted, as advised", async () => {
    const directory = oldLake();
    flipped(directory, CURRENT);
    expect(String(await faultOf(directory))).toContain("delete it and manifest.json");
    for (const path of [CURRENT, "manifest.json"]) rmSync(join(directory, path));
    const before = await oldRows(directory);
    await converted(directory);
    expect(await newRows(directory)).toEqual(before);
  });
});

/** What is in force, and every known revision: a row that a crash left in both tables counts as in force. */
function settledRows({ daily, superseded, held }: Rows): Rows {
  const inForce = new Set(daily.map(keyOf));
  return { daily, superseded: superseded.filter((row) => !inForce.has(keyOf(row))), held };
}

function keyOf(row: string): string {
  const { source, date, base, quote, revision } = JSON.parse(row);
  return `${source} ${date} ${base} ${quote} ${revision}`;
}

function withoutPublication(rows: Rows): Rows {
  const without = (row: string) => row.replace(/"published_at":("[^"]*"|null),/, "");
  return { daily: rows.daily.map(without), superseded: rows.superseded.map(without), held: rows.held };
}

describe("a lake whose last writer died", () => {
  test.each(Object.keys(DEATHS) as Death[])("%s is converted as it lies there", async (death) => {
    const directory = oldLake(death);
    const before = await oldRows(directory);
    await converted(directory);
    const after = await newRows(directory);
    expect(withoutPublication(after)).toEqual(withoutPublication(settledRows(before)));
    // An instant that one of the two rows knew is kept.
    const known = (rows: readonly string[]) =>
      rows.filter((row) => !row.includes('"published_at":null')).map(keyOf);
    const keys = new Set([...known(after.daily), ...known(after.superseded)]);
    for (const key of [...known(before.daily), ...known(before.superseded)]) expect(keys).toContain(key);
    expect(oldPaths(directory)).toEqual([]);
    const lake = await openLake({ directory, simulated: false });
    expect((await lake.read()).coverage).toEqual(COVERAGE as never);
    await lake.close();
  });

  test("has lost no file to that: one that is missing is damage", async () => {
    const directory = oldLake("after all current files");
    rmSync(join(directory, CURRENT));
    expect(await faultOf(directory)).toMatchObject({ name: "LakeDamaged", path: join(directory, CURRENT) });
  });
});

test("an older program that wrote after the conversion is noticed, and its files are not taken for the lake", async () => {
  const directory = oldLake();
  await converted(directory);
  const before = await newRows(directory);
  const foreign = [CURRENT, "manifest.json", "superseded/source=ecb_daily/year=2025/revisions.parquet"];
  const source = oldLake();
  for (const path of foreign) cpSync(join(source, path), join(directory, path), { recursive: true });
  appendFileSync(join(directory, "manifest.json"), "\n");
  const found = filesIn(directory);
  const fault = await faultOf(directory);
  expect(fault).toMatchObject({ name: "LakeDamaged" });
  for (const name of [
    "manifest.json",
    "superseded",
    "held/held.parquet",
    "daily/*/*/rates.parquet",
    "Move away",
  ])
    expect(String(fault)).toContain(name);
  expect(filesIn(directory)).toEqual(found);
  // The advice followed, the lake is as it was.
  for (const path of [CURRENT, "manifest.json", "superseded"])
    rmSync(join(directory, path), { recursive: true });
  expect(await converted(directory)).toEqual([]);
  expect(await newRows(directory)).toEqual(before);
});

test("two processes that find the same old lake convert it once", async () => {
  const directory = oldLake();
  const before = await oldRows(directory);
  const emitted = await Promise.all([converted(directory), converted(directory), converted(directory)]);
  expect(emitted.flat()).toHaveLength(1);
  expect(await newRows(directory)).toEqual(before);
});

test("an empty old lake becomes an empty one", async () => {
  const directory = temporaryDirectory();
  const manifest = { format: 1, mode: "simulated", sequence: 0, version: "0-x", coverage: [], files: [] };
  writeFileSync(join(directory, "manifest.json"), JSON.stringify(manifest));
  expect(await faultOf(directory)).toMatchObject({ name: "WrongMode" });
  const lake = await openLake({ directory, simulated: true });
  expect((await lake.read()).observations.count).toBe(0);
  await lake.close();
  expect(oldPaths(directory)).toEqual([]);
});
