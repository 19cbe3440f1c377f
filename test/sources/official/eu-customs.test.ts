/** The Union's customs rates: the ECB's figures of the second-to-last Wednesday hold for the whole month after. */

import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { formatDay, weekdayOf } from "#domain/day.ts";
import { parseEcbHistoryZip } from "#sources/ecb-csv.ts";
import {
  EUE_CUSTOMS,
  type EuroFigure,
  euCustomsReading,
  secondToLastWednesday,
} from "#sources/official/eu-customs.ts";
import { sharedDocument } from "#test/shared-data.ts";
import { day, documentOf, figuresOf, reasonOf, windowOf } from "#test/sources/documents.ts";
import { rowsOf } from "./tables.ts";

const figure = (date: string, quote: string, printed: string, base = "EUR"): EuroFigure => ({
  date: day(date),
  base,
  quote,
  printed,
});
// May 2026: the Wednesdays are 6, 13, 20, 27.
const MAY = [
  figure("2026-05-19", "USD", "1.1600"),
  figure("2026-05-20", "USD", "1.1700"),
  figure("2026-05-20", "JPY", "184.10"),
  figure("2026-05-21", "USD", "1.1800"),
];
const june = day("2026-06-01");

test("a month has the rates published on the second-to-last Wednesday of the month before", () => {
  const reading = euCustomsReading(june, MAY);
  expect(reading).toMatchObject({
    publication: "2026-06",
    validFrom: june,
    validTo: day("2026-06-30"),
    publishedAt: null,
  });
  expect(rowsOf(reading ?? { rows: [] })).toEqual(["1 EUR = 184.10 JPY mid", "1 EUR = 1.1700 USD mid"]);
});

test("any day names its month; the order of the figures does not matter", () => {
  const reading = euCustomsReading(june, MAY);
  expect(euCustomsReading(day("2026-06-30"), MAY.toReversed())).toEqual(reading);
});

test("without rates that Wednesday the most recent before it, as soon as a later day shows that none came", () => {
  const without = MAY.filter(({ date }) => date !== day("2026-05-20"));
  expect(rowsOf(euCustomsReading(june, without) ?? { rows: [] })).toEqual(["1 EUR = 1.1600 USD mid"]);
  expect(euCustomsReading(june, without.slice(0, 1))).toBeNull();
});

test("nothing before the Wednesday is over, and nothing from figures that do not reach back to it", () => {
  expect(euCustomsReading(june, [])).toBeNull();
  expect(euCustomsReading(june, MAY.slice(0, 1))).toBeNull();
  expect(euCustomsReading(june, MAY.slice(0, 2))).not.toBeNull();
  expect(euCustomsReading(june, MAY.slice(3))).toBeNull();
  expect(euCustomsReading(june, [figure("2026-05-12", "USD", "1.15"), ...MAY.slice(3)])).toBeNull();
});

test("figures of other currencies do not count", () => {
  expect(euCustomsReading(june, [...MAY, figure("2026-05-20", "TWD", "32.1", "USD")])).toEqual(
    euCustomsReading(june, MAY),
  );
  expect(euCustomsReading(june, [figure("2026-05-20", "TWD", "32.1", "USD")])).toBeNull();
});

test("two figures of a currency that differ are refused", () => {
  const doubled = [...MAY, figure("2026-05-20", "USD", "1.1701")];
  expect(reasonOf(() => euCustomsReading(june, doubled))).toContain("EUR USD mid is there twice");
});

test("a correction of the figure is other content under the same name", () => {
  const corrected = MAY.map((one) => (one.printed === "1.1700" ? { ...one, printed: "1.1710" } : one));
  expect(euCustomsReading(june, corrected)?.publication).toBe("2026-06");
  expect(rowsOf(euCustomsReading(june, corrected) ?? { rows: [] })).toContain("1 EUR = 1.1710 USD mid");
});

test("every month has a second-to-last Wednesday, a week before the last", () => {
  for (const [month, expected] of [
    ["2026-05-01", "2026-05-20"],
    ["2026-06-30", "2026-06-17"],
    ["2025-12-15", "2025-12-24"],
    ["2025-04-30", "2025-04-23"],
    ["2024-02-29", "2024-02-21"],
  ] as const) {
    expect(formatDay(secondToLastWednesday(day(month)))).toBe(expected);
    expect(weekdayOf(secondToLastWednesday(day(month)))).toBe(3);
  }
});

test("the table says that it is computed, and by which law", () => {
  expect(EUE_CUSTOMS.terms).toContain("Computed by this service");
  expect(EUE_CUSTOMS.terms).toContain("Article 146 of Implementing Regulation (EU) 2015/2447");
});

describe("real figures", () => {
  test("the ECB's history gives a table for every month since February 1999", () => {
    const path = sharedDocument("ecb/eurofxref-hist.zip");
    if (path === null) return;
    const window = windowOf("history", "1999-01-04", "2026-04-13");
    const { figures } = figuresOf(parseEcbHistoryZip(documentOf(new Uint8Array(readFileSync(path))), window));
    const names: string[] = [];
    for (let year = 1999; year <= 2026; year++) {
      for (let month = 1; month <= 12; month++) {
        const first = day(`${year}-${String(month).padStart(2, "0")}-01`);
        const near = figures.filter(({ date }) => date > first - 40 && date < first);
        const reading = euCustomsReading(first, near);
        if (reading !== null) names.push(reading.publication);
      }
    }
    expect(names[0]).toBe("1999-02");
    expect(names.at(-1)).toBe("2026-04");
    expect(names).toHaveLength(11 + 26 * 12 + 4);
    const december = euCustomsReading(day("2025-12-01"), figures);
    const printed = figures.find(({ date, quote }) => date === day("2025-11-19") && quote === "USD")?.printed;
    expect(rowsOf(december ?? { rows: [] })).toContain(`1 EUR = ${printed} USD mid`);
  });
});
