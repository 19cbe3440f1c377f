/** kill -9 at random instants of backfill and corrections: readers never see a half, and nothing acknowledged is lost. */

import { expect, test } from "bun:test";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { currencyIndex } from "#domain/currency/currency.ts";
import type { LakeRecord } from "#ports.ts";
import { openLake } from "#store/lake/lake.ts";
import { leftovers, loggedFiles, query } from "#test/store/lake/sample.ts";
import { killedChild } from "#test/support/killed-child.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { daysOf, HISTORY_ROWS, printedIn, QUOTES } from "./kill-commits.ts";

const ROUNDS = Number(process.env["KILL_ROUNDS"] ?? 12);
const SEED = Number(process.env["KILL_SEED"] ?? Date.now() % 1_000_000);
/** Longest a writer lives after it opened the lake: long enough for several commits. */
const LONGEST_LIFETIME_MILLISECONDS = 450;
const CHILD = join(import.meta.dir, "kill-child.ts");

test(
  `${ROUNDS} writers killed at random (KILL_SEED=${SEED})`,
  async () => {
    console.log(`kill test: seed ${SEED}, ${ROUNDS} rounds`);
    const random = seededRandom(SEED);
    const directory = temporaryDirectory();
    const reader = await openReader(directory);
    let acknowledged = -1;
    for (let round = 0; round < ROUNDS; round++) {
      const lifetime = random() * LONGEST_LIFETIME_MILLISECONDS;
      acknowledged = Math.max(acknowledged, await killedWriter(directory, acknowledged + 1, lifetime));
      await check(directory, acknowledged);
    }
    const last = acknowledged + 3;
    expect(await wholeWriter(directory, acknowledged + 1, last + 1)).toBe(last);
    await check(directory, last);
    const { looks, rows } = await reader.stop();
    expect(looks).toBeGreaterThan(ROUNDS);
    expect(rows).toBe(HISTORY_ROWS);
    await expectNothingLeft(directory);
    console.log(`kill test: ${last} commits, a reader looked ${looks} times`);
  },
  20_000 + ROUNDS * 5_000,
);

test(
  "the first commit killed again and again leaves a lake that the next one completes",
  async () => {
    const random = seededRandom(SEED + 1);
    for (let round = 0; round < Math.ceil(ROUNDS / 4); round++) {
      const directory = temporaryDirectory();
      const acknowledged = await killedWriter(directory, 0, random() * 150);
      await check(directory, acknowledged);
      expect(await wholeWriter(directory, 0, 2)).toBe(1);
      await check(directory, 1);
    }
  },
  20_000 + ROUNDS * 3_000,
);

function spawnWriter(directory: string, from: number, to: number) {
  return Bun.spawn([process.execPath, CHILD, directory, String(from), String(to)], {
    stdout: "pipe",
    stderr: "inherit",
  });
}

/** Lets a writer live so long after it opened the lake; the last commit that it acknowledged, -1 for none. */
async function killedWriter(directory: string, from: number, milliseconds: number): Promise<number> {
  return lastAcknowledged(
    await killedChild(CHILD, [directory, String(from), String(from + 10_000)], milliseconds),
  );
}

async function wholeWriter(directory: string, from: number, to: number): Promise<number> {
  const writer = spawnWriter(directory, from, to);
  const output = await new Response(writer.stdout).text();
  expect(await writer.exited).toBe(0);
  return lastAcknowledged(output);
}

function lastAcknowledged(output: string): number {
  // A line cut off by the kill does not count.
  const numbers = [...output.matchAll(/^ack (\d+)\n/gm)].map((match) => Number(match[1]));
  return Math.max(-1, ...numbers);
}

/** The plain files for other readers are those of the newest commit. */
async function checkCurrent(directory: string, { observations, superseded }: LakeRecord): Promise<void> {
  for (const [table, count] of [
    ["daily", observations.count],
    ["revisions", superseded.length],
  ] as const) {
    const named = Array.from(new Bun.Glob(`current/${table}/**/*`).scanSync({ cwd: directory, dot: true }));
    const inodes = named.map((path) => statSync(join(directory, path)).ino).sort();
    const logged = loggedFiles(directory, table);
    expect(inodes).toEqual(logged.map((path) => statSync(path).ino).sort());
    if (logged.length === 0) continue;
    const [found] = await query(
      `SELECT count(*)::INTEGER AS rows FROM '${directory}/current/${table}/*/*/*.parquet'`,
    );
    expect(found).toEqual({ rows: count });
  }
}

/** What the killed writers left is gone when the retention has passed. */
async function expectNothingLeft(directory: string): Promise<void> {
  let now = Date.now();
  const lake = await openLake({ directory, simulated: false, now: () => now });
  now += 8 * 86_400_000;
  const files = ["daily", "revisions"].flatMap((table) => loggedFiles(directory, table));
  await lake.upkeep();
  await lake.close();
  expect(leftovers(directory)).toEqual([]);
  const present = Array.from(new Bun.Glob("**/part-*.parquet").scanSync(directory), (path) =>
    join(directory, path),
  );
  expect(present.sort()).toEqual(files.sort());
}

/** Opens the lake as the next start would: settled, whole, and with every acknowledged version in one of the two tables. */
async function check(directory: string, acknowledged: number): Promise<void> {
  const lake = await openLake({ directory, simulated: false });
  let record: LakeRecord | null = null;
  await lake.commit((current) => {
    record = current;
    return null;
  });
  const snapshot = await lake.read();
  await lake.close();
  expect(snapshot.held).toEqual([]);
  expect(snapshot.damaged).toEqual([]);
  await checkCurrent(directory, snapshot);

  const { observations, superseded } = record as unknown as LakeRecord;
  const versions = new Set<string>();
  const add = (date: number, quote: string, printed: string) => {
    const key = `${date} ${quote} ${printed}`;
    if (versions.has(key)) throw new Error(`${key} is there twice`);
    versions.add(key);
  };
  for (let row = 0; row < observations.count; row++) {
    const value = (observations.units[row] as number) / 10 ** (observations.scale[row] as number);
    add(observations.date[row] as number, String(observations.quote[row]), value.toFixed(4));
  }
  const codes = QUOTES.map((quote) => [quote, String(currencyIndex(quote))] as const);
  const byName = new Map<string, string>(codes);
  for (const { date, quote, printed } of superseded) add(date, byName.get(quote) as string, printed);
  for (let commit = 0; commit <= acknowledged; commit++) {
    const printed = printedIn(commit);
    for (const date of daysOf(commit)) {
      for (const [, code] of codes) {
        if (!versions.has(`${date} ${code} ${printed}`)) {
          throw new Error(`commit ${commit} of ${acknowledged} lost ${date} ${code} ${printed}`);
        }
      }
    }
  }
}

/** An analyst's DuckDB that reads the files of the newest commit without pause; any error or doubled figure fails `stop`. */
async function openReader(directory: string) {
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  const sql = (files: readonly string[]) => `
    SELECT count(*)::INTEGER AS rows, count(DISTINCT (source, date, base, quote))::INTEGER AS figures
    FROM read_parquet([${files.map((path) => `'${path}'`).join(", ")}], hive_partitioning = true)`;
  let [looks, rows, stopped] = [0, 0, false];
  const looking = (async () => {
    while (!stopped) {
      // Before the first commit there is nothing to read, which DuckDB calls an error.
      const files = existsSync(join(directory, "daily/_delta_log")) ? loggedFiles(directory, "daily") : [];
      if (files.length > 0) {
        const [found] = (await connection.runAndReadAll(sql(files))).getRowObjectsJson();
        if (found?.["rows"] !== found?.["figures"]) throw new Error(`doubled: ${JSON.stringify(found)}`);
        if (Number(found?.["rows"]) < rows) throw new Error(`${rows} rows became ${found?.["rows"]}`);
        rows = Number(found?.["rows"]);
        looks += 1;
      }
      await Bun.sleep(20);
    }
  })();
  looking.catch(() => {});
  return {
    async stop() {
      stopped = true;
      await looking;
      connection.closeSync();
      instance.closeSync();
      return { looks, rows };
    },
  };
}
