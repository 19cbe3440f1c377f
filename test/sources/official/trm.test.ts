/** Colombia's TRM: a value a row, with the days of its validity as printed; everything else is refused with a reason. */

import { expect, test } from "bun:test";
import { COL_TRM } from "#sources/official/trm.ts";
import { windowOf } from "#test/sources/documents.ts";
import { realDocument, testOn } from "#test/support/shared-data.ts";
import { testsOf } from "./tables.ts";

const colombian = testsOf(COL_TRM, {
  window: windowOf("recent", "2026-06-08", "2026-06-15"),
  at: "2026-06-12",
});
const row = (from: string, to: string, valor: unknown = "3691.9", more: object = {}) => ({
  valor,
  unidad: "COP",
  vigenciadesde: `${from}T00:00:00.000`,
  vigenciahasta: `${to}T00:00:00.000`,
  ...more,
});
const list = (...rows: object[]) => JSON.stringify(rows);
const ROW = row("2026-06-11", "2026-06-11");
// 15 June 2026 is a holiday: the value of the Friday before it is valid on four days.
const ROWS = list(ROW, row("2026-06-12", "2026-06-12", "3700.10"), row("2026-06-13", "2026-06-16"));

test("a row is a publication named by its first day, valid to its last as printed, pesos for a dollar; tomorrow's is out today", () => {
  const lines = [
    "2026-06-11 2026-06-11…2026-06-11: 1 USD = 3691.9 COP mid",
    "2026-06-12 2026-06-12…2026-06-12: 1 USD = 3700.10 COP mid",
    "2026-06-13 2026-06-13…2026-06-16: 1 USD = 3691.9 COP mid",
  ];
  expect(colombian.lines(ROWS)).toEqual(lines);
  expect(colombian.lines(ROWS, { window: windowOf("latest", "2026-06-12", "2026-06-12") })).toEqual(lines);
});

test("no row is nothing published; a number that is no text keeps its digits; the same row twice is one publication", () => {
  expect(colombian.parse("[]").outcome).toBe("empty");
  const text = list(row("2026-06-11", "2026-06-11", "@")).replace('"@"', "3691.90");
  expect(colombian.lines(text)).toEqual(["2026-06-11 2026-06-11…2026-06-11: 1 USD = 3691.90 COP mid"]);
  expect(colombian.lines(list(ROW, ROW))).toHaveLength(1);
});

colombian.keepsContract(ROWS, "3691.9");
colombian.refuses([
  ["the portal's own error", '{"code":"query.soql","error":true,"message":"no"}', "TRM: "],
  ["another unit", list({ ...ROW, unidad: "USD" }), 'counted in "USD"'],
  ["no unit", list({ ...ROW, unidad: null }), "counted in"],
  ["a decimal comma", list({ ...ROW, valor: "3691,9" }), "the dollar of 2026-06-11 is not a rate"],
  ["no value", list({ ...ROW, valor: null }), "is not a rate"],
  ["a first day later than tomorrow", list(row("2026-06-14", "2026-06-14")), "in the future"],
  ["a validity that ends before it begins", list(row("2026-06-11", "2026-06-10")), "not a validity"],
  ["a validity without an end", list({ ...ROW, vigenciahasta: null }), "not a validity"],
  ["a validity of a month", list(row("2026-06-11", "2026-07-11")), "not a validity"],
  ["an instant within a day", list({ ...ROW, vigenciadesde: "2026-06-11T05:00:00.000" }), "not a date"],
  ["a day twice with other values", list(ROW, { ...ROW, valor: "1" }), "two publications"],
  ["a full page", list(...Array.from({ length: 1000 }, () => ROW)), "a full page"],
]);

test("a page holds its window with tomorrow, in order; nothing before the first value", () => {
  expect(colombian.urls("recent", "2026-06-08", "2026-06-15").map(decodeURIComponent)).toEqual([
    "https://www.datos.gov.co/resource/32sa-8pi3.json?$select=valor,unidad,vigenciadesde,vigenciahasta" +
      "&$where=vigenciadesde between '2026-06-08T00:00:00.000' and '2026-06-16T00:00:00.000'" +
      "&$order=vigenciadesde&$limit=1000",
  ]);
  expect(colombian.urls("recent", "2025-01-01", "2026-06-15")).toHaveLength(2);
  expect(colombian.routes("history", "1990-01-01", "1991-11-26")).toEqual([]);
});

testOn("official/col-trm.json")("the real rows: five values, the last one for four days", () => {
  const window = windowOf("recent", "2026-03-17", "2026-03-20");
  const lines = colombian.lines(realDocument("official/col-trm.json"), { window, at: "2026-03-20" });
  expect(lines).toHaveLength(5);
  expect(lines.at(-1)).toBe("2026-03-21 2026-03-21…2026-03-24: 1 USD = 3704.87 COP mid");
});
