/** A copy that is updated by changes equals a newly read one, whatever is revised, withdrawn or late. */

import { describe, expect, test } from "bun:test";
import { currencyIndex } from "#domain/currency/currency.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import { crossRate, isUnfilled } from "#domain/history/cross.ts";
import type { Fill } from "#domain/history/rate-columns.ts";
import { changesSince } from "#domain/point-in-time/changes.ts";
import { datasetAsOf } from "#domain/point-in-time/dataset.ts";
import { openToken, type Reach, reachOf, type Since, tokenOf } from "#domain/point-in-time/since.ts";
import { type Day, dayAt, formatDay, type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { datasetOfLives, dollar, type RevisionRow, randomRevisions } from "#test/domain/acceptance/lives.ts";
import { day } from "#test/domain/history/columns.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

const SYMBOLS = ["EUR", "GBP", "JPY", "TWD", "USD"].map(currencyIndex);
const MINUTE = 60_000;

/** The rows as a lake shows them after everything retrieved by `instant` has been committed. */
function committedBy(rows: readonly RevisionRow[], instant: Instant): RevisionRow[] {
  const there = rows.filter((row) => row.retrievedAt <= instant);
  return there.map((row) =>
    row.supersededAt !== null && row.supersededAt > instant ? { ...row, supersededAt: null, why: null } : row,
  );
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

const changesAfter = (dataset: Dataset, { instant, day, foreign }: Reach, today = Number.POSITIVE_INFINITY) =>
  changesSince(dataset, datasetAsOf(dataset, instant, "retrieved"), { day, foreign }, today);
const until = (instant: Instant): Reach => ({ instant, day: dayAt(instant), foreign: null });

/** Applies what changed since an instant to a copy; returns how many values came. */
function sync(copy: Copy, dataset: Dataset, since: Reach, first: Day, today: Day, fill: Fill): number {
  const changes = changesAfter(dataset, since, today);
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
  test.each([11, 12])("increments replay to what a full read shows (%d)", (seed) => {
    const random = seededRandom(seed);
    const first = day("2026-03-01");
    const DAYS = 24;
    const rows = randomRevisions({
      random,
      firstDay: first,
      days: DAYS,
      latestRetrievalDays: seed % 2 === 0 ? 0.1 : 6,
    });
    const copy: Copy = new Map();
    let token: string | null = null;
    let now = first * MILLISECONDS_PER_DAY;
    for (let round = 0; now < (first + DAYS + 12) * MILLISECONDS_PER_DAY; round++) {
      // Sometimes minutes pass between two reads, sometimes days.
      now += random() < 0.4 ? random() * 20 * MINUTE : random() * 2 * MILLISECONDS_PER_DAY;
      const visible = committedBy(rows, now);
      if (visible.length === 0) continue;
      const dataset = datasetOfLives(`v${round}`, visible);
      const today = dayAt(now);
      const reach = token === null ? until(0) : reachOf(openToken(token) as Since, dataset, now);
      sync(copy, dataset, reach as Reach, first, today, fill);
      const whole = fullRead(dataset, first, today, fill);
      expect([...copy].sort()).toEqual([...whole].sort());
      token = tokenOf(dataset, now);
    }
  });
});

test("nothing retrieved since means nothing to do, and one correction touches only what hangs on it", () => {
  const random = seededRandom(5);
  const first = day("2026-03-01");
  const rows = randomRevisions({ random, firstDay: first, days: 20, latestRetrievalDays: 0.2 }).filter(
    (row) => row.supersededAt === null && row.revision === 1,
  );
  const before = datasetOfLives("v1", rows);
  const newest = Math.max(...rows.map((row) => row.retrievedAt));
  const today = dayAt(newest);
  expect(sync(new Map(), before, until(newest), first, today, "none")).toBe(0);

  const yen = rows.find((row) => row.quote === "JPY") as RevisionRow;
  const at = newest + MINUTE;
  const after = datasetOfLives("v2", [
    ...rows.filter((row) => row !== yen),
    { ...yen, supersededAt: at, why: "revised" },
    { ...yen, printed: "9.8765", revision: 2, retrievedAt: at },
  ]);
  const changes = changesAfter(after, until(newest));
  const touched: string[] = [];
  for (const date of changes.days(first, today, "none")) {
    for (const symbol of SYMBOLS) {
      const change = changes.at(currencyIndex("EUR"), symbol, date, "none");
      if (change !== null) touched.push(`${date} ${symbol} ${change.revision} ${change.updatedAt}`);
    }
  }
  expect(touched).toEqual([`${yen.date} ${currencyIndex("JPY")} 2 ${at}`]);
});

/** Two days of three currencies; the dollar of the second is first seen on the day after. */
describe("a dollar that comes late", () => {
  const [first, second] = [day("2026-04-07"), day("2026-04-08")];
  const figure = (date: Day, quote: "USD" | "GBP" | "JPY", printed: string, retrievedAt: Instant) => ({
    ...dollar(formatDay(date), printed, 1, new Date(retrievedAt).toISOString()),
    quote,
  });
  const evening = (date: Day) => date * MILLISECONDS_PER_DAY + 15 * 60 * MINUTE;
  const late = evening(second + 1);
  const known = [first, second].flatMap((date) => [
    figure(date, "GBP", "0.8700", evening(date)),
    figure(date, "JPY", "187.00", evening(date)),
  ]);
  const rows = [
    ...known,
    figure(first, "USD", "1.1600", evening(first)),
    figure(second, "USD", "1.1700", late),
  ];
  const changed = (dataset: Dataset, since: Instant, fill: Fill) => {
    const changes = changesAfter(dataset, until(since));
    return [...changes.days(first, second, fill)].flatMap((at) =>
      SYMBOLS.flatMap((symbol) => {
        const change = changes.at(currencyIndex("USD"), symbol, at, fill);
        return change === null ? [] : [`${at} ${symbol} ${change.cross?.text ?? "gone"}`];
      }),
    );
  };

  test.each(["none", "previous"] as const)("changes every dollar rate of its day, fill=%s", (fill) => {
    const found = changed(datasetOfLives("v1", rows), evening(second), fill);
    const wanted = { EUR: "0.8547008547", GBP: "0.7435897436", JPY: "159.8290598", USD: "1" };
    expect(found).toEqual(
      Object.entries(wanted).map(([code, text]) => `${second} ${currencyIndex(code)} ${text}`),
    );
  });
  test("and taken back takes them all to the day before, or away", () => {
    const takenBack = rows.map((row) =>
      row.retrievedAt === late
        ? { ...row, supersededAt: late + 60 * MINUTE, why: "withdrawn" as const }
        : row,
    );
    const dataset = datasetOfLives("v2", takenBack);
    const before = { EUR: "0.8620689655", GBP: "0.75", JPY: "161.2068966", USD: "1" };
    expect(changed(dataset, late + MINUTE, "previous")).toEqual(
      Object.entries(before).map(([code, text]) => `${second} ${currencyIndex(code)} ${text}`),
    );
    expect(changed(dataset, late + MINUTE, "none")).toEqual(
      Object.keys(before).map((code) => `${second} ${currencyIndex(code)} gone`),
    );
  });
});
