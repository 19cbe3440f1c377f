/** A writer that died between any two effects of a commit: what readers see, what the next start makes of it, and what a repetition completes. */

import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { LakeChange } from "#ports.ts";
import { openLake } from "#store/lake/lake.ts";
import { diedAfter, workBetween } from "#test/store/died-writer.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import {
  contents,
  copyOf,
  firstChange,
  held,
  loggedContents,
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

/** In the order of a change's effects: all data files, the commits of the tables, the fixed names. */
const ORDER = [
  ...["revisions", "daily", "held", "statements"].map((table) => new RegExp(`^${table}/.*part-.*parquet$`)),
  ...["revisions", "held", "statements", "daily"].flatMap((table) => [
    new RegExp(`^${table}/_delta_log/\\d+\\.json$`),
    new RegExp(`^${table}/_delta_log/\\.head\\.json$`),
  ]),
  /^current\//,
];

/** The same lake before and after the second change, and its versions. */
async function changed() {
  const one = temporaryDirectory();
  const lake = await openLake({ directory: one, simulated: false });
  const oldVersion = await lake.commit(before);
  await lake.close();
  const two = copyOf(one);
  const second = await openLake({ directory: two, simulated: false });
  const newVersion = await second.commit(after);
  await second.close();
  return { work: workBetween(one, two, ORDER), oldVersion, newVersion };
}

const { work, oldVersion, newVersion } = await changed();
const { effects } = work;
const commitOfDaily = effects.indexOf("daily/_delta_log/00000000000000000002.json");
const [contentsBefore, contentsAfter] = [await loggedContents(work.before), await loggedContents(work.after)];

test("the second change has every kind of effect, and its commits in the documented order", () => {
  const commits = effects.filter((path) => path.includes("_delta_log/0")).map((path) => path.split("/")[0]);
  expect(commits).toEqual(["revisions", "held", "statements", "daily"]);
  for (const table of ["revisions", "held", "daily"])
    expect(effects.filter((path) => path.startsWith(`${table}/`)).length).toBeGreaterThan(2);
  expect(contentsAfter).not.toEqual(contentsBefore);
});

describe("a writer that died", () => {
  // Nothing names a data file before the first commit: one death among them stands for all.
  const isData = (at: number) => /\/part-[^/]*\.parquet$/.test(effects[at] ?? "");
  for (let count = 0; count <= effects.length; count++) {
    if (count > 1 && isData(count - 1) && isData(count)) continue;
    test(`after ${count} of ${effects.length} effects: consistent at once, settled at the next start, completed by repetition`, async () => {
      const directory = diedAfter(work, count);
      const doubled = await query(
        `SELECT source, date, base, quote FROM read_parquet('${directory}/current/daily/*/*/*.parquet')
         GROUP BY ALL HAVING count(*) <> 1`,
      );
      expect(doubled).toEqual([]);

      const isCommitted = count > commitOfDaily;
      const lake = await openLake({ directory, simulated: false });
      expect(await lake.version()).toBe(isCommitted ? newVersion : oldVersion);
      const { held: figures, damaged, coverage, statements } = await lake.read();
      const made = isCommitted ? after() : before();
      expect([damaged, coverage, statements]).toEqual([[], made.coverage, made.statements ?? []]);
      expect(figures.map(({ date }) => date)).toEqual(made.held.map(({ date }) => date));
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
});
