/** A writer that died between any two effects of a commit: what readers see, what the next start makes of it, and what a repetition completes. */

import { describe, expect, test } from "bun:test";
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { LakeChange } from "#ports.ts";
import { openLake } from "#store/lake/lake.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import {
  contents,
  copyOf,
  firstChange,
  held,
  leftovers,
  loggedContents,
  loggedFiles,
  observation,
  query,
  secondChange,
} from "./sample.ts";

const lonely = observation("2022-12-30", "USD", "1.0666");

/** With a figure that is alone in its year, and a held one. */
function before(): LakeChange {
  const first = firstChange();
  return { ...first, accepted: [...first.accepted, lonely], held: [held("2025-01-02", "JPY", "1620.0")] };
}

/** Takes that figure back, so that its year has no file any more. */
function after(): LakeChange {
  const second = secondChange();
  return { ...second, withdrawn: [...second.withdrawn, { ...lonely, publishedAt: null }] };
}

/** One step of a writer; `path` is its file or folder, for the temporary file of the next step. */
interface Effect {
  readonly path: string;
  readonly apply: (directory: string) => unknown;
}

/** The same lake before and after the second change, and the steps between them in the order of their making. */
async function stages() {
  const one = temporaryDirectory();
  const lake = await openLake({ directory: one, simulated: false });
  const oldVersion = await lake.commit(before);
  await lake.close();
  const two = copyOf(one);
  const second = await openLake({ directory: two, simulated: false });
  const newVersion = await second.commit(after);
  await second.close();
  const files = (pattern: string) =>
    Array.from(new Bun.Glob(pattern).scanSync({ cwd: two, dot: true })).sort();
  const differs = (path: string) =>
    !existsSync(join(one, path)) || !readFileSync(join(one, path)).equals(readFileSync(join(two, path)));
  const data = files("*/**/part-*.parquet").filter(differs);
  const effects: Effect[] = [];
  for (const table of ["revisions", "daily", "held", "statements"]) {
    const own = data.filter((path) => path.startsWith(`${table}/`));
    // The first file, and all others.
    for (const paths of [own.slice(0, 1), own.slice(1)])
      if (paths[0] !== undefined)
        effects.push({
          path: paths[0],
          apply: (directory) => paths.map((path) => copied(two, path)(directory)),
        });
  }
  for (const table of ["revisions", "held", "statements", "daily"]) {
    const log = files(`${table}/_delta_log/0*.json`).filter(differs);
    for (const path of [...log, `${table}/_delta_log/.head.json`])
      effects.push({ path, apply: copied(two, path) });
  }
  for (const path of files("current/**/*.parquet").filter(differs)) {
    const { ino } = statSync(join(two, path));
    const source = data.find((name) => statSync(join(two, name)).ino === ino) as string;
    effects.push({ path, apply: linked(source, path) });
  }
  const gone = "current/daily/source=ecb_daily/year=2022";
  effects.push({ path: gone, apply: (directory) => rmSync(join(directory, gone), { recursive: true }) });
  return { one, two, oldVersion, newVersion, effects };
}

function copied(from: string, path: string): Effect["apply"] {
  return (directory) => cpSync(join(from, path), join(directory, path), { recursive: true });
}

function linked(source: string, path: string): Effect["apply"] {
  return (directory) => {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    rmSync(join(directory, path), { force: true });
    linkSync(join(directory, source), join(directory, path));
  };
}

const { one, two, oldVersion, newVersion, effects } = await stages();
const commitOfDaily = effects.findIndex(({ path }) => path === "daily/_delta_log/00000000000000000002.json");
const [contentsBefore, contentsAfter] = [await loggedContents(one), await loggedContents(two)];

/** The lake as it lies on disk when the writer died after `count` of its effects, in the middle of the next one. */
function diedAfter(count: number): string {
  const directory = copyOf(one);
  for (const { apply } of effects.slice(0, count)) apply(directory);
  const next = effects[count]?.path;
  if (next === undefined) return directory;
  const folder = join(directory, dirname(next));
  mkdirSync(folder, { recursive: true });
  const name = next.startsWith("current/") ? ".next.tmp" : ".00000000000000000002.json.4242.tmp";
  if (!next.includes("part-")) writeFileSync(join(folder, name), "half a fi");
  return directory;
}

test("the second change has every kind of effect, and its commits in the documented order", () => {
  const commits = effects
    .filter(({ path }) => path.includes("_delta_log/0"))
    .map(({ path }) => path.split("/")[0]);
  expect(commits).toEqual(["revisions", "held", "statements", "daily"]);
  for (const table of ["revisions", "held", "daily"])
    expect(effects.filter(({ path }) => path.startsWith(`${table}/`)).length).toBeGreaterThan(2);
  expect(contentsAfter).not.toEqual(contentsBefore);
});

describe("a writer that died", () => {
  for (let count = 0; count <= effects.length; count++) {
    test(`after ${count} of ${effects.length} effects: consistent at once, settled at the next start, completed by repetition`, async () => {
      const directory = diedAfter(count);
      const doubled = await query(
        `SELECT source, date, base, quote FROM read_parquet('${directory}/current/daily/*/*/*.parquet')
         GROUP BY ALL HAVING count(*) <> 1`,
      );
      expect(doubled).toEqual([]);

      const isCommitted = count > commitOfDaily;
      const lake = await openLake({ directory, simulated: false });
      expect(await lake.version()).toBe(isCommitted ? newVersion : oldVersion);
      const { held: figures, damaged, coverage } = await lake.read();
      expect(damaged).toEqual([]);
      expect(coverage).toEqual((isCommitted ? after() : before()).coverage);
      expect(figures.map(({ date }) => date)).toEqual(
        (isCommitted ? after() : before()).held.map(({ date }) => date),
      );
      const expected = isCommitted ? contentsAfter : contentsBefore;
      expect(await loggedContents(directory)).toEqual(expected);
      expect(await contents(directory)).toEqual({
        current: expected.current,
        superseded: expected.superseded,
      });
      expect(readdirSync(join(directory, "current/daily/source=ecb_daily")).includes("year=2022")).toBe(
        !isCommitted,
      );

      await lake.commit(after);
      expect(await loggedContents(directory)).toEqual(contentsAfter);
      expect(await contents(directory)).toEqual({
        current: contentsAfter.current,
        superseded: contentsAfter.superseded,
      });
      expect((await lake.read()).observations.count).toBe(7);
      await lake.close();
    });
  }

  test("leaves files that no commit names and half-written ones, which upkeep removes", async () => {
    for (const count of [3, commitOfDaily - 1, commitOfDaily + 1]) {
      const directory = diedAfter(count);
      let now = Date.now();
      const lake = await openLake({ directory, simulated: false, now: () => now });
      now += 8 * 86_400_000;
      await lake.upkeep();
      await lake.close();
      expect(leftovers(directory)).toEqual([]);
      for (const table of ["daily", "revisions", "held"]) {
        const present = Array.from(new Bun.Glob(`${table}/**/*.parquet`).scanSync(directory), (path) =>
          join(directory, path),
        );
        expect(present.filter((path) => path.includes("/part-")).sort()).toEqual(
          loggedFiles(directory, table),
        );
      }
    }
  });
});
