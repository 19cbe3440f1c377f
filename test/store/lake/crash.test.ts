/** A writer that died between any two effects of a commit: what a reader sees, what the next start makes of it, and what a repetition completes. */

import { describe, expect, test } from "bun:test";
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openLake } from "#store/lake/lake.ts";
import type { Happening } from "#telemetry.ts";
import { temporaryDirectory } from "#test/temporary.ts";
import { contents, firstChange, query, secondChange } from "./sample.ts";

interface Stages {
  readonly before: string;
  readonly after: string;
  /** Files that the second change writes, in the documented order of effects. */
  readonly effects: readonly string[];
}

async function stages(): Promise<Stages> {
  const before = temporaryDirectory();
  const lake = await openLake({ directory: before, simulated: false });
  await lake.commit(() => firstChange());
  await lake.close();
  const after = temporaryDirectory();
  cpSync(before, after, { recursive: true });
  const second = await openLake({ directory: after, simulated: false });
  await second.commit(() => secondChange());
  await second.close();
  const differs = (path: string) =>
    !existsSync(join(before, path)) ||
    !readFileSync(join(before, path)).equals(readFileSync(join(after, path)));
  const files = Array.from(new Bun.Glob("**/*.parquet").scanSync(after)).filter(differs).sort();
  const of = (table: string) => files.filter((path) => path.startsWith(`${table}/`));
  return { before, after, effects: [...of("superseded"), ...of("daily"), ...of("held"), "manifest.json"] };
}

const { before, after, effects } = await stages();

/** The lake as it lies on disk when the writer died after `count` of its effects. */
function diedAfter(count: number, order: readonly string[]): string {
  const directory = temporaryDirectory();
  cpSync(before, directory, { recursive: true });
  for (const path of order.slice(0, count))
    cpSync(join(after, path), join(directory, path), { recursive: true });
  writeFileSync(join(directory, ".commit-pending"), "2\n");
  const next = order[count];
  if (next !== undefined) {
    const folder = join(directory, dirname(next));
    if (existsSync(folder)) writeFileSync(join(folder, ".rates.parquet-4242-1.tmp"), "half a fi");
  }
  return directory;
}

async function currentTwice(directory: string) {
  return await query(
    `SELECT source, date, base, quote FROM read_parquet('${directory}/daily/*/*/*.parquet')
     GROUP BY ALL HAVING count(*) <> 1`,
  );
}

test("the second change writes superseded, current and held files", () => {
  expect(effects.filter((path) => path.startsWith("superseded/"))).not.toEqual([]);
  expect(effects.filter((path) => path.startsWith("daily/")).length).toBeGreaterThan(2);
  expect(effects).toContain("held/held.parquet");
});

// Partition by partition, superseded before current, is how the files are written; all superseded first is allowed, too.
const perPartition = [
  ...effects
    .filter((path) => path.startsWith("daily/"))
    .flatMap((path) => [path.replace("daily/", "superseded/").replace("rates", "revisions"), path])
    .filter((path) => effects.includes(path)),
  "held/held.parquet",
  "manifest.json",
];

for (const [name, order] of [
  ["superseded files first", effects],
  ["partition by partition", perPartition],
] as const) {
  describe(`a writer that died, ${name}`, () => {
    for (let count = 0; count <= order.length; count++) {
      test(`after ${count} of ${order.length} effects: consistent at once, mended at the next start, completed by repetition`, async () => {
        const directory = diedAfter(count, order);
        expect(await currentTwice(directory)).toEqual([]);

        const told: Happening[] = [];
        const lake = await openLake({
          directory,
          simulated: false,
          tell: (happening) => told.push(happening),
        });
        expect(told.map(({ kind }) => kind)).toContain("lake_repaired");
        expect(Array.from(new Bun.Glob("**/*.tmp").scanSync({ cwd: directory, dot: true }))).toEqual([]);
        expect(existsSync(join(directory, ".commit-pending"))).toBe(false);

        // Nothing that stood is lost, and no revision is in both tables.
        const mended = await contents(directory);
        const versions = [...mended.current, ...mended.superseded.map((line) => line.replace(/ \w+$/, ""))];
        expect(new Set(versions).size).toBe(versions.length);
        for (const line of (await contents(before)).current) expect(versions).toContain(line);

        await lake.commit(() => secondChange());
        expect(await contents(directory)).toEqual(await contents(after));
        expect((await lake.read()).observations.count).toBe(7);
        await lake.close();
      });
    }
  });
}

test("a lake without its manifest is described again from its files, with its mode and a version never used before", async () => {
  const directory = temporaryDirectory();
  cpSync(after, directory, { recursive: true });
  const used = (await Bun.file(join(after, "manifest.json")).json()).version;
  rmSync(join(directory, "manifest.json"));
  expect(openLake({ directory, simulated: true })).rejects.toThrow("real rates");
  const lake = await openLake({ directory, simulated: false });
  expect(await lake.version()).not.toBe(used);
  expect((await lake.read()).observations.count).toBe(7);
  await lake.close();
});

test("a manifest that is not JSON is made again", async () => {
  const directory = temporaryDirectory();
  cpSync(after, directory, { recursive: true });
  writeFileSync(join(directory, "manifest.json"), '{"format":1,');
  const lake = await openLake({ directory, simulated: false });
  expect((await lake.read()).observations.count).toBe(7);
  await lake.close();
});

test("a data file that cannot be read is named, and nothing is made up in its place", async () => {
  const directory = temporaryDirectory();
  cpSync(after, directory, { recursive: true });
  const path = "daily/source=ecb_daily/year=2025/rates.parquet";
  writeFileSync(join(directory, path), "not a Parquet file at all");
  expect(openLake({ directory, simulated: false })).rejects.toThrow(path);
});

test("a start that finds everything in order repairs nothing", async () => {
  const directory = temporaryDirectory();
  cpSync(after, directory, { recursive: true });
  const told: Happening[] = [];
  const lake = await openLake({ directory, simulated: false, tell: (happening) => told.push(happening) });
  await lake.read();
  expect(told).toEqual([]);
  expect(await lake.version()).toBe((await Bun.file(join(after, "manifest.json")).json()).version);
  await lake.close();
});
