/** Documents of figures: found by the figure and its revision, also in the version before a commit; none out of a damaged file. */

import { beforeEach, expect, test } from "bun:test";
import { appendFileSync } from "node:fs";
import { CacheBudget } from "#domain/cache/budget.ts";
import type { FigureDocuments, FigureName } from "#ports.ts";
import { filesOf } from "#store/delta/snapshot.ts";
import { openFigureDocuments } from "#store/lake/documents.ts";
import { type OpenedLake, openLake } from "#store/lake/lake.ts";
import { openReader } from "#store/parquet/duckdb-process.ts";
import { atEnd } from "#test/support/at-end.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { change, day, observation, RETRIEVED } from "./sample.ts";

let lake: OpenedLake;
let documents: FigureDocuments;
beforeEach(async () => {
  const directory = temporaryDirectory();
  lake = await openLake({ directory, simulated: false, now: () => RETRIEVED });
  atEnd(() => lake.close());
  const reader = openReader(directory);
  atEnd(reader.close);
  documents = openFigureDocuments({
    reader,
    daily: lake.tables.daily,
    caches: new CacheBudget(48 * 1024 * 1024),
  });
});

const fred = { source: "fred_daily", base: "USD" } as const;
const commit = (...accepted: readonly ReturnType<typeof observation>[]) =>
  lake.commit(() => change({ accepted }));
const name = (date: string, quote: FigureName["quote"], more: Partial<FigureName> = {}): FigureName => ({
  source: "ecb_daily",
  date: day(date),
  base: "EUR",
  quote,
  revision: 1,
  ...more,
});
const namesOf = (found: Awaited<ReturnType<FigureDocuments["of"]>>) =>
  found.map((one) => one?.document.replace(/^.*\/(\w+)\.xml$/, "$1") ?? null);

test("each figure has its own, by source, year, date, pair and revision, in the order of the question; another has none", async () => {
  const version = await commit(
    observation("2024-12-30", "USD", "1.0444", { name: "zip" }),
    observation("2025-01-02", "USD", "1.0321", { name: "daily" }),
    observation("2025-01-02", "NOK", "11.71", { name: "sdmx", documentSha256: "0b".repeat(32) }),
    observation("2025-01-02", "TWD", "32.8", { ...fred, name: "fred" }),
  );
  const found = await documents.of(version, [
    name("2025-01-02", "TWD", fred),
    name("2025-01-02", "NOK"),
    name("2024-12-30", "USD"),
    name("2025-01-02", "USD"),
  ]);
  expect(namesOf(found)).toEqual(["fred", "sdmx", "zip", "daily"]);
  expect(found[1]?.documentSha256).toBe("0b".repeat(32));
  const others = await documents.of(version, [
    name("2025-01-03", "USD"),
    name("2025-01-02", "GBP"),
    name("2023-01-02", "USD"),
    name("2024-12-30", "TWD", fred),
    name("2025-01-02", "USD", { revision: 2 }),
  ]);
  expect(others).toEqual([null, null, null, null, null]);
});

test("a figure that was corrected since is found in the version that was asked about", async () => {
  const before = await commit(observation("2025-01-02", "USD", "1.0321", { name: "first" }));
  const later = { retrievedAt: RETRIEVED + 3_600_000, name: "second", revision: 2 };
  const after = await commit(observation("2025-01-02", "USD", "1.0330", later));
  expect(namesOf(await documents.of(before, [name("2025-01-02", "USD")]))).toEqual(["first"]);
  expect(namesOf(await documents.of(after, [name("2025-01-02", "USD", { revision: 2 })]))).toEqual([
    "second",
  ]);
  expect(namesOf(await documents.of("999-zz", [name("2025-01-02", "USD")]))).toEqual([null]);
});

test("a damaged file names none", async () => {
  const version = await commit(observation("2025-01-02", "USD", "1.0321"));
  const snapshot = lake.tables.daily.latest();
  for (const file of snapshot === null ? [] : filesOf(snapshot))
    appendFileSync(lake.tables.daily.pathOf(file), "x");
  expect(await documents.of(version, [name("2025-01-02", "USD")])).toEqual([null]);
});
