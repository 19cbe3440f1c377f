/** A copy that is kept up to date by changes is the same as one read anew, whatever is revised, taken back or late. */

import { describe, expect, test } from "bun:test";
import { changesSince } from "#domain/changes.ts";
import { crossRate, isUnfilled } from "#domain/cross.ts";
import { currencyIndex } from "#domain/currency.ts";
import type { Dataset } from "#domain/dataset.ts";
import { type Day, dayAt, type Instant, MILLISECONDS_PER_DAY } from "#domain/day.ts";
import { datasetAsOf } from "#domain/known-dataset.ts";
import type { Fill } from "#domain/series.ts";
import { syncFrom } from "#rates/range-changes.ts";
import { seededRandom } from "#test/seeded-random.ts";
import { day } from "./columns.ts";
import { datasetOfLives, type LifeRow, randomLives } from "./lives.ts";

const SYMBOLS = ["EUR", "GBP", "JPY", "TWD", "USD"].map(currencyIndex);
const MINUTE = 60_000;

/** The rows as a lake shows them after everything retrieved by `instant` has been committed, `late` ones excepted. */
function committedBy(rows: readonly LifeRow[], instant: Instant, late: (row: LifeRow) => boolean): LifeRow[] {
  const there = rows.filter((row) => row.retrievedAt <= instant && !late(row));
  return there.map((row) =>
    row.supersededAt !== null && row.supersededAt > instant
      ? { ...row, supersededAt: null, why: null }
      : // What ended it may itself be late: until then the row stands.
        row.why === "revised" &&
          !there.some((other) => sameFigure(row, other) && other.revision > row.revision)
        ? { ...row, supersededAt: null, why: null }
        : row,
  );
}

function sameFigure(a: LifeRow, b: LifeRow): boolean {
  return a.source === b.source && a.date === b.date && a.base === b.base && a.quote === b.quote;
}

type Copy = Map<string, string>;

/** Every value that a full read of the days up to today shows, with the revisions it rests on. */
function fullRead(dataset: Dataset, first: Day, today: Day, fill: Fill): Copy {
  const copy: Copy = new Map();
  for (let at = first; at <= today; at++) {
    for (const base of SYMBOLS) {
      for (const symbol of SYMBOLS) {
        const cross = crossRate(dataset.history, at, base, symbol);
        if (cross === null || (fill === "none" && !isUnfilled(dataset.history, at, cross))) continue;
        const { observations } = dataset.history;
        copy.set(
          `${at} ${base} ${symbol}`,
          `${cross.text} ${cross.rows.map((row) => observations.revision[row]).join()}`,
        );
      }
    }
  }
  return copy;
}

/** Applies what changed since an instant to a copy; returns how many values came. */
function sync(copy: Copy, dataset: Dataset, since: Instant, first: Day, today: Day, fill: Fill): number {
  const changes = changesSince(dataset, datasetAsOf(dataset, since, "retrieved"));
  let came = 0;
  for (const at of changes.days(first, today, fill)) {
    for (const base of SYMBOLS) {
      for (const symbol of SYMBOLS) {
        const change = changes.at(base, symbol, at, fill);
        if (change === null) continue;
        came += 1;
        const key = `${at} ${base} ${symbol}`;
        if (change.cross === null) copy.delete(key);
        else {
          const { observations } = dataset.history;
          const revisions = change.cross.rows.map((row) => observations.revision[row] as number);
          expect(change.revision).toBe(Math.max(...revisions));
          copy.set(key, `${change.cross.text} ${revisions.join()}`);
        }
      }
    }
  }
  return came;
}

describe.each(["none", "previous"] as const)("with fill=%s", (fill) => {
  test.each([11, 12, 13, 14, 15, 16])("increments replay to what a full read shows (%d)", (seed) => {
    const random = seededRandom(seed);
    const first = day("2026-03-01");
    const DAYS = 24;
    const rows = randomLives({
      random,
      firstDay: first,
      days: DAYS,
      latestRetrievalDays: seed % 2 === 0 ? 0.1 : 6,
    });
    const copy: Copy = new Map();
    const committed = new Set<LifeRow>();
    let since = 0;
    let now = first * MILLISECONDS_PER_DAY;
    for (let round = 0; now < (first + DAYS + 12) * MILLISECONDS_PER_DAY; round++) {
      // Sometimes minutes pass between two reads, sometimes days.
      now += random() < 0.4 ? random() * 20 * MINUTE : random() * 2 * MILLISECONDS_PER_DAY;
      // A parallel collection's documents of the last quarter of an hour may not be committed yet.
      const slow = random() < 0.5 ? "ecb_daily" : "fred_daily";
      const late = (row: LifeRow) =>
        !committed.has(row) && row.source === slow && row.retrievedAt > now - 14 * MINUTE;
      const visible = committedBy(rows, now, late);
      for (const row of rows) if (row.retrievedAt <= now && !late(row)) committed.add(row);
      if (visible.length === 0) continue;
      const dataset = datasetOfLives(`v${round}`, visible);
      const today = dayAt(now);
      sync(copy, dataset, since, first, today, fill);
      const whole = fullRead(dataset, first, today, fill);
      expect([...copy].sort()).toEqual([...whole].sort());
      since = syncFrom(dataset, since);
    }
  });
});

test("nothing retrieved since means nothing to do, and one correction touches only what hangs on it", () => {
  const random = seededRandom(5);
  const first = day("2026-03-01");
  const rows = randomLives({ random, firstDay: first, days: 20, latestRetrievalDays: 0.2 }).filter(
    (row) => row.supersededAt === null && row.revision === 1,
  );
  const before = datasetOfLives("v1", rows);
  const newest = Math.max(...rows.map((row) => row.retrievedAt));
  const today = dayAt(newest);
  expect(sync(new Map(), before, newest, first, today, "none")).toBe(0);

  const yen = rows.find((row) => row.quote === "JPY") as LifeRow;
  const at = newest + MINUTE;
  const after = datasetOfLives("v2", [
    ...rows.filter((row) => row !== yen),
    { ...yen, supersededAt: at, why: "revised" },
    { ...yen, printed: "9.8765", revision: 2, retrievedAt: at },
  ]);
  const changes = changesSince(after, datasetAsOf(after, newest, "retrieved"));
  const touched: string[] = [];
  for (const date of changes.days(first, today, "none")) {
    for (const symbol of SYMBOLS) {
      const change = changes.at(currencyIndex("EUR"), symbol, date, "none");
      if (change !== null) touched.push(`${date} ${symbol} ${change.revision} ${change.updatedAt}`);
    }
  }
  expect(touched).toEqual([`${yen.date} ${currencyIndex("JPY")} 2 ${at}`]);
});
