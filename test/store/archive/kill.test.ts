/** kill -9 at random instants of appends, flushes and compactions: readers see each quote once, nothing acknowledged is lost. */

import { expect, test } from "bun:test";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { openQuoteArchive } from "#store/archive/archive.ts";
import { dateFile, datesWithFile, leftoversOf, segmentsOnDisk } from "#store/archive/layout.ts";
import { graft } from "#store/lake/graft.ts";
import { killedChild } from "#test/killed-child.ts";
import { seededRandom } from "#test/seeded-random.ts";
import { temporaryDirectory } from "#test/temporary.ts";
import { pollOf } from "./kill-quotes.ts";
import { lineOf, query, rows, stored } from "./sample.ts";

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
      await unmarkSome(directory, random);
      const said = await killedWriter(directory, begun, random() * LONGEST_LIFE_MILLISECONDS);
      for (const append of said) acknowledged.add(append);
      // The append under way at the kill may be there or not: the next writer goes on after it.
      begun = Math.max(begun, ...[...said].map((append) => append + 2));
      if (round % 4 === 3) await check(directory, acknowledged, begun);
    }
    await check(directory, acknowledged, begun);
    const { looks, rows: seen } = await reader.stop();
    expect(looks).toBeGreaterThan(ROUNDS);
    expect(seen).toBeGreaterThan(0);
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
  const said = await killedChild(CHILD, [directory, String(from), String(from + 100_000)], milliseconds);
  // A line cut off by the kill does not count.
  return [...said.matchAll(/^ack (\d+)\n/gm)].map((match) => Number(match[1]));
}

/** Gives a date, while nobody writes, a file as an older version of the product might have left it: without marks, out of order. */
async function unmarkSome(directory: string, random: () => number): Promise<void> {
  const dates = datesWithFile(directory);
  const date = dates[Math.floor(random() * dates.length)];
  if (date === undefined) return;
  const path = join(directory, dateFile(date));
  await query(
    directory,
    `COPY (SELECT * FROM read_parquet('${path}') ORDER BY hash(observed_at, quote)) TO '${path}.old' (FORMAT parquet)`,
  );
  await graft(path, `${path}.old`);
  renameSync(`${path}.old`, path);
}

/** Opens the archive as the next start would: everything acknowledged is in Parquet, once, and nothing that was never appended. */
async function check(directory: string, acknowledged: ReadonlySet<number>, begun: number): Promise<void> {
  const archive = await openQuoteArchive({ directory, simulated: false, access: "write" });
  expect(segmentsOnDisk(directory)).toEqual([]);
  expect(leftoversOf(directory)).toEqual([]);
  await archive.close();
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
  const manifest = await Bun.file(join(directory, "intraday/manifest.json")).json();
  for (const file of manifest.files) {
    const bytes = await Bun.file(join(directory, file.path)).bytes();
    expect(new Bun.CryptoHasher("sha256").update(bytes).digest("hex")).toBe(file.sha256);
  }
}

/** An analyst's DuckDB that globs the documented path without pause; any error or doubled quote fails `stop`. */
async function openReader(directory: string) {
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  const sql = `
    SELECT count(*)::INTEGER AS rows,
      count(DISTINCT (feed, base, quote, observed_at, retrieved_at))::INTEGER AS quotes
    FROM read_parquet('${directory}/intraday/*/quotes.parquet')`;
  let [looks, seen, stopped] = [0, 0, false];
  const looking = (async () => {
    while (!stopped) {
      // Before the first flush there is nothing to read, which DuckDB calls an error.
      if (datesWithFile(directory).length > 0) {
        const [found] = await rows(connection, sql);
        if (found?.["rows"] !== found?.["quotes"]) throw new Error(`doubled: ${JSON.stringify(found)}`);
        if (Number(found?.["rows"]) < seen) throw new Error(`${seen} rows became ${found?.["rows"]}`);
        seen = Number(found?.["rows"]);
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
      return { looks, rows: seen };
    },
  };
}
