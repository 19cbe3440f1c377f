import { describe, expect, test } from "bun:test";
import { CURRENCY_COUNT } from "#domain/currency/currency.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import { crossRate } from "#domain/history/cross.ts";
import { type AsOfBasis, knownFrom, type RevisionTimes } from "#domain/history/observation.ts";
import { newestDueDay, scheduledPublication } from "#domain/history/schedule.ts";
import { datasetAsOf, isReconstructed, newestInstant, timelineOf } from "#domain/point-in-time/dataset.ts";
import { atWallTime, isUsFederalDay } from "#domain/time/calendar.ts";
import { dayAt, formatDay, type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { datasetOfLives, dollar, type RevisionRow, randomRevisions } from "#test/domain/acceptance/lives.ts";
import { datasetOf, day, ecb } from "#test/domain/history/columns.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

const at = (text: string) => Date.parse(text);
const HOUR = 3_600_000;

describe("the scheduled publication", () => {
  test.each([
    ["2026-04-06", "2026-04-13T20:15:00Z"],
    ["2026-04-10", "2026-04-13T20:15:00Z"],
    ["2026-04-13", "2026-04-20T20:15:00Z"],
    // Washington's Birthday, Monday 16 February 2026: the release comes on Tuesday.
    ["2026-02-13", "2026-02-17T21:15:00Z"],
  ])("of H.10 for %s is %s", (date, release) => {
    expect(scheduledPublication("fred_daily", day(date))).toBe(at(release));
  });
  test("of the ECB is 16:00 Frankfurt by the zone tables, on every day of 29 years", () => {
    for (let date = day("1999-01-01"); date < day("2028-01-01"); date += 1) {
      const expected = atWallTime("Europe/Berlin", date, 16, 0);
      if (scheduledPublication("ecb_daily", date) !== expected) throw new Error(formatDay(date));
    }
  });
  test("of H.10 agrees with what counts as due", () => {
    for (let date = day("2024-01-02"); date < day("2026-12-31"); date += 1) {
      const release = scheduledPublication("fred_daily", date);
      if (!isUsFederalDay(date)) continue;
      // Three hours of grace pass before anything is due.
      expect(newestDueDay("fred_daily", release + 3 * HOUR)).toBeGreaterThanOrEqual(date);
      expect(newestDueDay("fred_daily", release + 3 * HOUR - 60_000)).toBeLessThan(date);
    }
  });
});

describe("a revision is known", () => {
  const first: RevisionTimes = {
    source: "ecb_daily",
    date: day("2026-04-13"),
    revision: 1,
    publishedAt: null,
    retrievedAt: at("2026-04-13T14:31:00Z"),
  };
  const april = (time: string) => at(`2026-04-${time}Z`);
  const CORRECTION = { revision: 2, retrievedAt: april("14T09:00:00") };
  test.each<[string, Partial<RevisionTimes>, string]>([
    ["from the stated publication", { publishedAt: april("13T13:57:01") }, "13T13:57:01"],
    ["from the scheduled publication without one", {}, "13T14:00:00"],
    ["from a retrieval before the schedule", { retrievedAt: april("13T13:58:00") }, "13T13:58:00"],
    ["from a retrieval before the stated publication", { publishedAt: april("30T00:00:00") }, "13T14:31:00"],
    [
      "from the schedule although retrieved later",
      { retrievedAt: at("2036-01-01T00:00:00Z") },
      "13T14:00:00",
    ],
    ["if corrected, as stated", { ...CORRECTION, publishedAt: april("14T08:00:00") }, "14T08:00:00"],
    ["if corrected, from its retrieval without a statement", CORRECTION, "14T09:00:00"],
  ])("%s", (_, changes, expected) => {
    expect(knownFrom({ ...first, ...changes }, "published")).toBe(april(expected));
  });
  test("from its retrieval on the other basis, whatever is stated", () => {
    const stated = { ...first, publishedAt: april("13T13:57:01") };
    expect(knownFrom(stated, "retrieved")).toBe(first.retrievedAt);
  });
});

test("equal knowledge is one history, other knowledge another version", () => {
  const dataset = datasetOf([ecb("2026-04-09", "USD", "1.1"), ecb("2026-04-10", "USD", "1.2")]);
  // These observations were retrieved in 1970: only the basis of retrieval knows them all from the start.
  const state = (instant: Instant, basis: AsOfBasis) => datasetAsOf(dataset, instant, basis).history;
  expect(state(0, "retrieved")).toBe(dataset.history);
  expect(state(-1, "retrieved")).toBe(state(-5, "retrieved"));
  expect(state(-1, "retrieved").version).not.toBe(dataset.history.version);
  expect(state(-1, "published").version).not.toBe(state(-1, "retrieved").version);
  expect(state(-1, "retrieved").observations.count).toBe(0);
});

/** What is known at an instant, by walking the revisions of one figure in time: the definition, nothing clever. */
function naive(rows: readonly RevisionRow[], instant: Instant, basis: AsOfBasis): RevisionRow | null {
  let known: RevisionRow | null = null;
  for (const row of [...rows].sort((a, b) => a.revision - b.revision)) {
    const scheduled = scheduledPublication(row.source, row.date);
    const published =
      row.publishedAt ?? (row.revision === 1 ? Math.min(scheduled, row.retrievedAt) : row.retrievedAt);
    const from = basis === "retrieved" ? row.retrievedAt : Math.min(published, row.retrievedAt);
    if (from <= instant) known = row;
  }
  return known !== null && known.supersededAt !== null && known.supersededAt <= instant ? null : known;
}

test("a figure is reconstructed until the very instant of its retrieval", () => {
  const dataset = datasetOfLives("v", [dollar("2026-04-13", "1.1684", 1, "2026-04-13T14:31:00Z")]);
  const isSo = (instant: string) => isReconstructed(datasetAsOf(dataset, at(instant), "published"), 0);
  expect([isSo("2026-04-13T14:30:59.999Z"), isSo("2026-04-13T14:31:00Z")]).toEqual([true, false]);
});

describe("over random lives of figures", () => {
  const firstDay = day("2026-03-01");
  const DAYS = 40;

  function figures(rows: readonly RevisionRow[]): Map<string, RevisionRow[]> {
    const byKey = new Map<string, RevisionRow[]>();
    for (const row of rows) {
      const key = `${row.source} ${row.date} ${row.base} ${row.quote}`;
      byKey.set(key, [...(byKey.get(key) ?? []), row]);
    }
    return byKey;
  }

  function printedIn({ history: { observations: all } }: Dataset): string[] {
    return Array.from(
      { length: all.count },
      (_, row) =>
        `${all.source[row]} ${all.date[row]} ${all.base[row]} ${all.quote[row]} ${all.units[row]} ${all.revision[row]}`,
    ).sort();
  }

  test.each([1, 2])("what is known is what the definition says, never early and never lost (%d)", (seed) => {
    const random = seededRandom(seed);
    const latestRetrievalDays = seed % 2 === 0 ? 0.2 : 30;
    const rows = randomRevisions({ random, firstDay, days: DAYS, latestRetrievalDays });
    const dataset = datasetOfLives("v", rows);
    const lives = [...figures(rows).values()];
    for (const basis of ["published", "retrieved"] as const) {
      const { instants } = timelineOf(dataset, basis);
      for (let round = 0; round < 30; round++) {
        // Boundaries themselves, a millisecond beside them, and anything.
        const boundary = instants[Math.floor(random() * instants.length)] as Instant;
        const instant =
          round % 3 === 0
            ? boundary
            : round % 3 === 1
              ? boundary - 1
              : (firstDay + random() * (DAYS + 40)) * MILLISECONDS_PER_DAY;
        const expected = lives
          .map((revisions) => naive(revisions, instant, basis))
          .filter((row) => row !== null)
          .map((row) => ({ ...row, supersededAt: null, why: null }));
        expect(printedIn(datasetAsOf(dataset, instant, basis))).toEqual(
          printedIn(datasetOfLives("naive", expected)),
        );
      }
    }
  });

  test("a window answers its days as the whole does", () => {
    const random = seededRandom(77);
    const rows = randomRevisions({ random, firstDay, days: DAYS, latestRetrievalDays: 5 });
    const [dataset, inWindows] = [datasetOfLives("v", rows), datasetOfLives("v", rows)];
    for (let round = 0; round < 60; round++) {
      const basis = random() < 0.5 ? "published" : "retrieved";
      const instant = (firstDay + random() * (DAYS + 10)) * MILLISECONDS_PER_DAY;
      const first = firstDay + Math.floor(random() * DAYS);
      const last = Math.min(first + Math.floor(random() * 5), dayAt(instant));
      const whole = datasetAsOf(dataset, instant, basis).history;
      // Another window of the same state is another history.
      datasetAsOf(inWindows, instant, basis, { first: last + 20, last: last + 21 });
      const part = datasetAsOf(inWindows, instant, basis, { first, last }).history;
      for (let date = first; date <= last; date++) {
        for (let currency = 0; currency < CURRENCY_COUNT; currency++) {
          expect(crossRate(part, date, 29, currency)?.text).toBe(crossRate(whole, date, 29, currency)?.text);
        }
      }
    }
  });

  test("after the newest change the dataset is itself, on either basis", () => {
    const rows = randomRevisions({ random: seededRandom(9), firstDay, days: DAYS, latestRetrievalDays: 3 });
    const dataset = datasetOfLives("v", rows);
    for (const basis of ["published", "retrieved"] as const) {
      expect(datasetAsOf(dataset, newestInstant(dataset), basis).history).toBe(dataset.history);
    }
  });
});
