/** The EU's customs rates as a table: which months a window has, from which day's figures, and that it is remade the same. */

import { expect, test } from "bun:test";
import { euCustomsTable } from "#assembly/official-computed.ts";
import { formatDay } from "#domain/day.ts";
import { windowsAt } from "#ingest/official/windows.ts";
import { datasetOf, ecb, fred } from "#test/domain/columns.ts";

const NOW = Date.parse("2026-11-20T16:30:00Z");
// The second-to-last Wednesdays are 21 October and 18 November.
const FIGURES = [
  ecb("2026-10-21", "USD", "1.1600", 4),
  ecb("2026-10-21", "JPY", "170", 2),
  ecb("2026-10-22", "USD", "1.1700", 4),
  ecb("2026-11-18", "USD", "1.1500", 4),
  fred("2026-10-21", "TWD", "32.1"),
];

function made(figures: typeof FIGURES, reach: "latest" | "recent" = "latest") {
  const dataset = datasetOf(figures);
  const table = euCustomsTable(() => dataset, { now: () => NOW });
  const [window] = windowsAt(NOW, table, reach, null);
  return window === undefined ? null : table.compute(window);
}

test("the month that runs and the next one, each from its Wednesday, printed as the ECB prints", () => {
  const publications = made(FIGURES)?.map(({ reading }) => ({
    name: reading.publication,
    from: formatDay(reading.validFrom),
    rows: reading.rows.map(({ quote, rate }) => `${quote} ${rate}`),
  }));
  expect(publications).toEqual([
    { name: "2026-11", from: "2026-11-01", rows: ["JPY 170.00", "USD 1.1600"] },
    { name: "2026-12", from: "2026-12-01", rows: ["USD 1.1500"] },
  ]);
});

test("next month's rates are not there before its Wednesday has been published", () => {
  expect(made(FIGURES.slice(0, 3))?.map(({ reading }) => reading.publication)).toEqual(["2026-11"]);
});

test("made anew of the same figures it has the same document, of others another", () => {
  const hashes = (figures: typeof FIGURES) => made(figures)?.map(({ document }) => document.sha256);
  expect(hashes(FIGURES)).toEqual(hashes(FIGURES) ?? []);
  expect(hashes(FIGURES)?.[0]).not.toBe(
    hashes([ecb("2026-10-21", "USD", "1.1601"), ...FIGURES.slice(2)])?.[0],
  );
});

test("without any figures nothing is said, which is not the same as no publication", () => {
  expect(made([])).toBeNull();
});
