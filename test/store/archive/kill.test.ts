/** kill -9 at random instants of appends, flushes and upkeep: readers see each quote once, nothing acknowledged is lost. */

import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { openQuoteArchive } from "#store/archive/archive.ts";
import { segmentsOnDisk } from "#store/archive/journal/journal.ts";
import { killedChild } from "#test/support/killed-child.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { instantOf, pollOf } from "./kill-quotes.ts";
import { lineOf, rows, stored } from "./sample.ts";
import { checkFiles, filesInLog, logFolder, partsOnDisk } from "./table-log.ts";

const ROUNDS = Number(process.env["KILL_ROUNDS"] ?? 12);
const SEED = Number(process.env["KILL_SEED"] ?? Date.now() % 1_000_000);
/** Longest a writer lives after it opened the archive: long enough for several flushes. */
const LONGEST_LIFE_MILLISECONDS = 700;
const CHILD = join(import.meta.dir, "kill-child.ts");

test(
  `${ROUNDS} archive writers killed at random (KILL_SEED=${SEED})`,
  async () => {
    console.log(`archive kill test: seed ${SEED}, ${ROUNDS} rounds`);
    const random = seededRandom(SEED);
    const directory = temporaryDirectory();
    const reader = await openReader(directory);
    let begun = 0;
    const acknowledged = new Set<number>();
    for (let round = 0; round < ROUNDS; round++) {
      const appends = await killedWriter(directory, begun, random() * LONGEST_LIFE_MILLISECONDS);
      for (const append of appends) acknowledged.add(append);
      // The append under way at the kill may be there or not: the next writer continues after it.
      begun = Math.max(begun, ...[...appends].map((append) => append + 2));
      if (round % 4 === 3) await check(directory, acknowledged, begun);
    }
    await check(directory, acknowledged, begun);
    const { looks, failed, rows: seen } = await reader.stop();
    expect(looks).toBeGreaterThan(ROUNDS);
    expect(failed).toBeLessThan(looks / 4);
    expect(seen).toBeGreaterThan(0);
    await checkCleanedUp(directory, begun);
    console.log(`archive kill test: ${acknowledged.size} appends, a reader looked ${looks} times`);
  },
  20_000 + ROUNDS * 5_000,
);

/** Numbers of the appends that a writer acknowledged before it died. */
async function killedWriter(
  directory: string,
  from: number,
  milliseconds: number,
): Promise<readonly number[]> {
  const output = await killedChild(CHILD, [directory, String(from), String(from + 100_000)], milliseconds);
  // A line cut off by the kill does not count.
  return [...output.matchAll(/^ack (\d+)\n/gm)].map((match) => Number(match[1]));
}

/** Opens the archive as the next start would: everything acknowledged is in the table, once, and nothing that was never appended. */
async function check(directory: string, acknowledged: ReadonlySet<number>, begun: number): Promise<void> {
  const now = () => instantOf(begun);
  const archive = await openQuoteArchive({ directory, simulated: false, access: "write", now });
  expect(segmentsOnDisk(directory)).toEqual([]);
  expect(await archive.audit()).toEqual([]);
  await archive.close();
  await checkFiles(directory);
  const found = await stored(directory);
  const lines = new Set(found);
  expect(found.length).toBe(lines.size);
  for (let append = 0; append <= begun; append++) {
    for (const quote of pollOf(append)) {
      const line = lineOf(quote);
      if (!lines.delete(line) && acknowledged.has(append)) throw new Error(`append ${append} lost ${line}`);
    }
  }
  expect([...lines]).toEqual([]);
}

/** Two days later nothing is left of what the dead writers left behind: one file a date. */
async function checkCleanedUp(directory: string, begun: number): Promise<void> {
  const now = () => instantOf(begun) + 2 * 86_400_000;
  const archive = await openQuoteArchive({ directory, simulated: false, access: "write", now });
  await archive.upkeep();
  await archive.close();
  const paths = (await filesInLog(directory)).map(({ path }) => path);
  expect(partsOnDisk(directory)).toEqual(paths.toSorted());
  await checkFiles(directory);
}

/**
 * Two analysts who look without pause: one reads the files that the log names, one the plain files below `current/`. A
 * quote twice or fewer quotes than before fails `stop`; so does any error of the first one. DuckDB lists files with their
 * sizes before it opens them: where one is replaced in between the second one gets an error, and has to look again.
 */
async function openReader(directory: string) {
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  const countOf = async (files: string) => {
    const [found] = await rows(
      connection,
      `SELECT count(*)::INTEGER AS rows,
        count(DISTINCT (feed, base, quote, observed_at, retrieved_at))::INTEGER AS quotes
      FROM read_parquet(${files})`,
    );
    return { rows: Number(found?.["rows"]), quotes: Number(found?.["quotes"]) };
  };
  const listed = async () => {
    if (!existsSync(logFolder(directory))) return "";
    const files = await filesInLog(directory);
    return files.map(({ path }) => `'${join(directory, "intraday", path)}'`).join(", ");
  };
  const seen = { current: 0, log: 0 };
  const note = (which: keyof typeof seen, { rows, quotes }: Awaited<ReturnType<typeof countOf>>) => {
    if (rows !== quotes) throw new Error(`${which}: ${quotes} quotes in ${rows} rows`);
    if (rows < seen[which]) throw new Error(`${which}: ${seen[which]} rows became ${rows}`);
    seen[which] = rows;
  };
  let [looks, failed, stopped] = [0, 0, false];
  const looking = (async () => {
    while (!stopped) {
      const files = await listed();
      // Before the first flush there is nothing to read, which DuckDB calls an error.
      if (files !== "") {
        note("log", await countOf(`[${files}]`));
        const plain = join(directory, "current/intraday/*/quotes.parquet");
        // It follows the first commit a moment later.
        if (existsSync(join(directory, "current/intraday"))) {
          const count = await countOf(`'${plain}'`).catch(() => null);
          if (count === null) failed += 1;
          else note("current", count);
        }
        looks += 1;
      }
      await Bun.sleep(5);
    }
  })();
  looking.catch(() => {});
  return {
    async stop() {
      stopped = true;
      await looking;
      connection.closeSync();
      instance.closeSync();
      return { looks, failed, rows: Math.min(seen.current, seen.log) };
    },
  };
}
