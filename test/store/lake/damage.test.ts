/** Damage in the daily lake: named, never served and never made up. A writer that died between any two effects of a commit: what readers see, and what the next start makes of it. A disk that fills up within one. */

import { beforeEach, describe, expect, test } from "bun:test";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { formatDay } from "#domain/time/day.ts";
import type { LakeChange, LakeRecord } from "#ports.ts";
import { openLake } from "#store/lake/lake.ts";
import { repairDaily } from "#store/lake/maintain.ts";
import { flip, flipSilently } from "#test/store/delta/sample.ts";
import { diedAfter, workBetween } from "#test/store/died-writer.ts";
import { smallDisk } from "#test/support/small-disk.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import {
  add,
  change,
  contents,
  copyOf,
  firstChange,
  held,
  leftovers,
  loggedContents,
  loggedFiles,
  observation,
  openedLake,
  query,
  secondChange,
} from "./sample.ts";

const template = (async () => {
  const directory = temporaryDirectory();
  const lake = await openedLake(directory);
  await lake.commit(() => firstChange());
  await lake.commit(() => secondChange());
  await lake.close();
  return directory;
})();

let directory = "";
beforeEach(async () => {
  directory = copyOf(await template);
});

const open = () => openedLake(directory);

function fileOf(table: string, partition = ""): string {
  return loggedFiles(directory, table).find((path) => path.includes(partition)) as string;
}

function years({ observations: { count, date, source } }: LakeRecord): string[] {
  const found = Array.from(
    { length: count },
    (_, row) => `${source[row]} ${formatDay(date[row] as number).slice(0, 4)}`,
  );
  return [...new Set(found)];
}

test("a file that went bad without a trace is found by an audit, and missing from then on", async () => {
  const lake = await open();
  await lake.read();
  flipSilently(fileOf("daily", "source=ecb_daily/year=2025"));
  expect((await lake.read()).damaged).toEqual([]);
  expect(await lake.audit()).toMatchObject([{ table: "daily", year: 2025 }]);
  expect(years(await lake.read())).not.toContain("0 2025");
});

const DAMAGES: readonly (readonly [string, string, (path: string) => void])[] = [
  ["missing", "is missing", (path) => rmSync(path)],
  ["changed in one bit", "does not have its content", (path) => flip(path, 300)],
];

describe.each([...DAMAGES])("a data file that is %s", (_, what, damage) => {
  test("is named, its figures are missing, and all others are there", async () => {
    const path = fileOf("daily", "source=ecb_daily/year=2025");
    damage(path);
    const lake = await open();
    const record = await lake.read();
    expect(years(record)).toEqual(["0 2023", "0 2024", "1 2025"]);
    expect(record.damaged).toEqual([
      {
        table: "daily",
        path: path.slice(directory.length + 1),
        sentence: `${path.slice(directory.length + 1)} ${what} (the log says 2 rows)`,
        source: "ecb_daily",
        year: 2025,
      },
    ]);
    expect(record.superseded).toHaveLength(2);
    expect(record.version).toStartWith(`${await lake.version()}-damaged`);
  });

  test("is noticed by a process that has the lake open, and put back it is fine again", async () => {
    const path = fileOf("daily", "source=fred_daily");
    const whole = readFileSync(path);
    const lake = await open();
    const before = await lake.read();
    expect(before.damaged).toEqual([]);
    damage(path);
    expect((await lake.read()).damaged).toHaveLength(1);
    expect(years(await lake.read())).not.toContain("1 2025");
    writeFileSync(path, whole);
    expect(await lake.read()).toMatchObject({ version: before.version, damaged: [] });
    expect(years(await lake.read())).toContain("1 2025");
  });
});

test("superseded and held figures of a damaged file are missing and named as well", async () => {
  flip(fileOf("revisions", "year=2024"), 200);
  flip(fileOf("held"), 200);
  const lake = await open();
  const { superseded, held: figures, damaged, observations } = await lake.read();
  expect(superseded.map(({ printed }) => printed)).toEqual(["1.0321"]);
  expect(figures).toEqual([]);
  expect(damaged.map(({ table, source, year }) => [table, source, year])).toEqual([
    ["revisions", "ecb_daily", 2024],
    ["held", null, null],
  ]);
  expect(observations.count).toBe(7);
});

test("nothing is written into a damaged year or judged against it, and the rest is unaffected", async () => {
  const path = fileOf("daily", "source=ecb_daily/year=2024");
  flip(path, 300);
  const lake = await open();
  const { version } = await lake.read();
  for (const figure of [
    observation("2024-12-31", "USD", "1.0389"),
    observation("2025-01-06", "USD", "1.0426"),
  ]) {
    const fault = await add(lake, { accepted: [figure] }).catch((thrown: unknown) => thrown);
    expect(fault).toMatchObject({ name: "LakeDamaged", path: path.slice(directory.length + 1) });
    expect(String(fault)).toContain("nothing is written beside it");
  }
  expect((await lake.read()).version).toBe(version);
  const others = [
    observation("2023-12-28", "USD", "1.1114"),
    observation("2026-01-02", "USD", "1.1721"),
    observation("2024-12-31", "TWD", "32.79", { source: "fred_daily", base: "USD", decimals: 2 }),
  ];
  await add(lake, { accepted: others });
  const record = await lake.read();
  expect(years(record)).toEqual(["0 2023", "0 2025", "0 2026", "1 2024", "1 2025"]);
  expect(record.damaged).toHaveLength(1);
});

test("held figures that are damaged are not replaced by a shorter list", async () => {
  flip(fileOf("held"), 200);
  const lake = await open();
  const before = fileOf("held");
  const attempt = lake.commit(({ coverage }) =>
    change({ coverage, held: [held("2025-01-06", "JPY", "1620")] }),
  );
  expect(await attempt.catch((fault: unknown) => fault)).toMatchObject({ name: "LakeDamaged" });
  // A list that is as empty as what can be read is no change.
  await lake.commit((record) =>
    change({ coverage: record.coverage, accepted: [observation("2026-01-02", "USD", "1.17")] }),
  );
  expect(fileOf("held")).toBe(before);
});

test("an older version that is not whole any more is none", async () => {
  const lake = await open();
  const first = await add(lake, { accepted: [observation("2026-01-02", "USD", "1.17")] });
  const older = fileOf("daily", "year=2026");
  await add(lake, { accepted: [observation("2026-01-05", "USD", "1.18")] });
  expect((await lake.at(first))?.observations.count).toBe(8);
  flip(older, 300);
  expect(await lake.at(first)).toBeNull();
  expect((await lake.read()).damaged).toEqual([]);
  for (const name of ["revisions", "held", "statements"])
    rmSync(join(directory, name, "_delta_log/00000000000000000000.json"));
  expect(await lake.at("1-0")).toBeNull();
});

const REPAIRED_AT = Date.now();

test.each([
  ["the newest commit of revisions", "revisions/_delta_log/00000000000000000001.json"],
  ["the whole log of held", "held/_delta_log"],
])(
  "a lake with a damaged log does not open, and nothing is made in its place before a repair: %s is missing",
  async (_, path) => {
    rmSync(join(directory, path), { recursive: true });
    const before = Array.from(new Bun.Glob("**/*").scanSync({ cwd: directory, dot: true })).sort();
    const fault = await open().catch((thrown: unknown) => thrown);
    expect(fault).toMatchObject({ name: "LakeDamaged" });
    expect(String(fault)).toContain(join(directory, path));
    expect(Array.from(new Bun.Glob("**/*").scanSync({ cwd: directory, dot: true })).sort()).toEqual(before);

    const planned = await repairDaily(directory, REPAIRED_AT, false);
    expect(planned.steps.join()).toContain(join(directory, path));
    expect((await repairDaily(directory, REPAIRED_AT, true)).steps).toEqual(
      expect.arrayContaining([...planned.steps]),
    );
    const lake = await open();
    await lake.upkeep();
    const { damaged, statements, coverage } = await lake.read();
    // Routes stated what they did beside figures of before.
    expect([damaged, statements]).toEqual([[], []]);
    expect(coverage.map(({ coveredThrough }) => coveredThrough)).toEqual(coverage.map(() => 0));
    // What no log names any more is moved, and no clean-up deletes it.
    const names = (paths: readonly string[]) => new Set(paths.map((path) => basename(path)));
    const parts = names(before.filter((path) => path.includes("/part-")));
    expect(names(Array.from(new Bun.Glob("**/part-*").scanSync(directory)))).toEqual(parts);
  },
);

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

const DISK_BYTES = 1024 * 1024;
/** What a file on the small disk takes at the least. */
const PAGE_BYTES = 4096;
const disk = smallDisk("a disk that fills up", DISK_BYTES);

test.skipIf(!disk.isMounted)(
  "wherever the room ends, a commit is there as a whole or not at all, and with room again it completes",
  async () => {
    const template = temporaryDirectory();
    const made = await openLake({ directory: template, simulated: false });
    await made.commit(() => firstChange());
    await made.close();
    const before = await loggedContents(template);
    const complete = copyOf(template);
    const second = await openLake({ directory: complete, simulated: false });
    await second.commit(() => secondChange());
    await second.close();
    const after = await loggedContents(complete);
    const filler = join(disk.path, "filler");
    const directory = join(disk.path, "small");
    let [failed, fitted] = [0, false];
    for (let pages = 0; !fitted; pages++) {
      cpSync(template, directory, { recursive: true });
      const lake = await openLake({ directory, simulated: false });
      disk.fill(filler, pages * PAGE_BYTES);
      const fault = await lake
        .commit(() => secondChange())
        .then(
          () => null,
          (thrown: unknown) => String(thrown),
        );
      rmSync(filler);
      fitted = fault === null;
      if (fault !== null) {
        failed += 1;
        expect(fault).toMatch(/no space left|disk is full/i);
        const { current } = await loggedContents(directory);
        const isThere = Bun.deepEquals(current, after.current);
        if (!isThere) expect(current).toEqual(before.current);
        const { superseded, held } = await lake.read();
        expect([superseded.length, held.length]).toEqual(isThere ? [2, 1] : [0, 0]);
      }
      await lake.commit(() => secondChange());
      expect(await loggedContents(directory)).toEqual(after);
      expect(await contents(directory)).toEqual({ current: after.current, superseded: after.superseded });
      expect(leftovers(directory)).toEqual([]);
      await lake.close();
      rmSync(directory, { recursive: true });
    }
    // Files of data, then commits and what says how far they reach.
    expect(failed).toBeGreaterThan(8);
  },
);
