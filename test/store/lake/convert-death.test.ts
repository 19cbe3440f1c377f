/** A conversion of the first layout that ends half-way, by a death or a fault: the next start completes it, as if nothing had been. */

import { describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openLake } from "#store/lake/lake.ts";
import { killedChild } from "#test/support/killed-child.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { filesIn, newRows, oldLake, oldPaths, oldRows } from "./old-lakes.ts";
import { loggedFiles } from "./sample.ts";

const KILL_ROUNDS = Number(process.env["KILL_ROUNDS"] ?? 4);
const SEED = Number(process.env["KILL_SEED"] ?? Date.now() % 1_000_000);
/** About as long as the conversion takes. */
const LONGEST_LIFE_MILLISECONDS = 300;

/** One step of a conversion, done to another copy of the same lake. */
type Step = (directory: string) => void;

/** What a conversion does, in its order: files, then for each table the head of a new one, its commit, and its head. */
async function steps() {
  const source = oldLake();
  const done = oldLake();
  const lake = await openLake({ directory: done, simulated: false });
  const { coverage: expectedCoverage } = await lake.read();
  await lake.close();
  const files = [...filesIn(done).keys()];
  const copied =
    (path: string): Step =>
    (directory) =>
      cpSync(join(done, path), join(directory, path), { recursive: true });
  const parts = files.filter((path) => /^(daily|revisions|held)\/.*part-/.test(path));
  const logs = ["revisions", "held", "daily"].flatMap((table): Step[] => {
    const log = `${table}/_delta_log`;
    const commit = `${log}/00000000000000000000.json`;
    const { metaData } = JSON.parse(readFileSync(join(done, commit), "utf8").split("\n")[1] as string);
    const head: Step = (directory) => {
      mkdirSync(join(directory, log), { recursive: true });
      const text = `{"head":{"table":"${metaData.id}","version":-1,"sha256":"`;
      const digest = new Bun.CryptoHasher("sha256").update(text).digest("hex");
      writeFileSync(join(directory, log, ".head.json"), `${text}${digest}"}}\n`);
    };
    return [head, copied(commit), copied(`${log}/.head.json`)];
  });
  const last = (path: string) => Number(path === "manifest.json");
  const removals = [...filesIn(source).keys()]
    .sort((a, b) => last(a) - last(b))
    .map(
      (path): Step =>
        (directory) =>
          rmSync(join(directory, path)),
    );
  const some = parts.slice(0, 3).map(copied);
  const rest = parts.slice(3).map(copied);
  const every =
    (of: readonly Step[]): Step =>
    (directory) => {
      for (const step of of) step(directory);
    };
  return {
    expected: await oldRows(source),
    expectedCoverage,
    // Files that no commit names are all the same to a repetition.
    order: [
      every(some),
      every(rest),
      ...logs,
      ...removals.slice(0, 2),
      every(removals.slice(2, -1)),
      ...removals.slice(-1),
    ],
  };
}

describe("a conversion that dies", async () => {
  const { expected, expectedCoverage, order } = await steps();

  const completed = async (directory: string) => {
    const lake = await openLake({ directory, simulated: false });
    expect((await lake.read()).coverage).toEqual(expectedCoverage);
    await lake.upkeep();
    await lake.close();
    expect(await newRows(directory)).toEqual(expected);
    expect(oldPaths(directory)).toEqual([]);
    const present = new Bun.Glob("daily/**/part-*").scanSync(directory);
    expect(Array.from(present, (path) => join(directory, path)).sort()).toEqual(
      loggedFiles(directory, "daily"),
    );
  };

  test.each(order.map((_, nth) => nth + 1).slice(0, -1))(
    `after %d of ${order.length} steps is completed by a repetition`,
    async (count) => {
      const directory = oldLake();
      for (const step of order.slice(0, count)) step(directory);
      await completed(directory);
    },
  );

  test(`killed at any moment, twice in a row, is completed by the next start (KILL_SEED=${SEED})`, async () => {
    const random = seededRandom(SEED);
    const child = join(import.meta.dir, "convert-child.ts");
    for (let round = 0; round < KILL_ROUNDS; round++) {
      const directory = oldLake();
      for (let nth = 0; nth < 2; nth++)
        await killedChild(child, [directory], random() * LONGEST_LIFE_MILLISECONDS);
      await completed(directory);
    }
  }, 60_000);
});

test("a fault on the way leaves the old lake as it was, and none of the new files", async () => {
  const directory = oldLake();
  // What was written is what the manifest says, and no Parquet file all the same.
  const held = "held/held.parquet";
  const manifest = JSON.parse(readFileSync(join(directory, "manifest.json"), "utf8"));
  writeFileSync(join(directory, held), "not a Parquet file");
  const entry = manifest.files.find(({ path }: { path: string }) => path === held);
  entry.sha256 = new Bun.CryptoHasher("sha256").update("not a Parquet file").digest("hex");
  writeFileSync(join(directory, "manifest.json"), JSON.stringify(manifest));
  const before = filesIn(directory);
  const fault = await openLake({ directory, simulated: false }).catch((thrown: unknown) => thrown);
  expect(String(fault)).toContain(held);
  expect(filesIn(directory)).toEqual(before);
});
