/** Cursors of older versions: pages continue unchanged while the lake retains the version, and fail with advice afterwards. */

import { expect, test } from "bun:test";
import { newPrintedRows, rowsJson } from "#api/range/rows.ts";
import { createDatasetHolder } from "#assembly/daily.ts";
import { CacheBudget } from "#domain/cache/budget.ts";
import { currencyIndex } from "#domain/currency/currency.ts";
import type { RangeQuery } from "#rates/range/query.ts";
import { openAllSeriesCaches, range, recallFor } from "#rates/range/range.ts";
import { openLake } from "#store/lake/lake.ts";
import { change, observation } from "#test/store/lake/sample.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const DAY = 86_400_000;
const START = Date.parse("2026-03-02T18:00:00Z");

test("a cursor outlives many commits, and not the retention", async () => {
  let now = START;
  const clock = { now: () => now };
  const directory = temporaryDirectory();
  const lake = await openLake({ directory, simulated: false, now: clock.now, retentionDays: 7 });
  const holder = createDatasetHolder({
    simulated: false,
    clock,
    emit: () => {},
    recall: lake.at,
    caches: new CacheBudget(48_000_000),
  });
  const show = async () => holder.show(await lake.read());
  const days = ["2026-02-24", "2026-02-25", "2026-02-26", "2026-02-27"];
  await lake.commit(() => change({ accepted: days.map((date) => observation(date, "USD", "1.1000")) }));
  await show();

  const deps = {
    clock,
    dataset: holder.dataset,
    pinned: holder.pinned,
    recall: holder.recall,
    cursorSecret: "secret",
    ...openAllSeriesCaches(new CacheBudget(48 * 1024 * 1024)),
  };
  const query: RangeQuery = {
    base: currencyIndex("EUR"),
    symbols: [currencyIndex("USD")],
    start: Date.parse("2026-02-24T00:00:00Z") / DAY,
    end: Date.parse("2026-02-27T00:00:00Z") / DAY,
    fill: "none",
    limit: 2,
    cursor: null,
  };
  const first = range(deps, query);
  const rest = { ...query, cursor: first.nextCursor };
  const textsOf = (page: ReturnType<typeof range>) =>
    Buffer.concat(rowsJson(newPrintedRows(deps.caches), page, null).parts).toString();
  const before = textsOf(range(deps, rest));
  expect(before).toContain("1.1");

  for (let revision = 2; revision <= 6; revision++) {
    now += 3600_000;
    const printed = `1.${revision}000`;
    const corrected = observation("2026-02-27", "USD", printed, { revision, retrievedAt: now });
    await lake.commit(() => change({ accepted: [corrected] }));
    await show();
  }
  expect(() => range(deps, rest)).toThrow("no longer kept");
  await recallFor(deps, rest);
  const page = range(deps, rest);
  expect(textsOf(page)).toBe(before);
  expect(page.dataset.history.version).toBe(first.dataset.history.version);

  // A week later the version is gone, and with another version in its place in memory the cursor ends.
  now += 8 * DAY;
  await lake.upkeep();
  const later = createDatasetHolder({
    simulated: false,
    clock,
    emit: () => {},
    recall: lake.at,
    caches: new CacheBudget(48_000_000),
  });
  later.show(await lake.read());
  const laterDeps = { ...deps, dataset: later.dataset, pinned: later.pinned, recall: later.recall };
  await recallFor(laterDeps, rest);
  expect(() => range(laterDeps, rest)).toThrow("start again from start_date");
  await lake.close();
});
