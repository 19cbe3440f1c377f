/** Colombia's TRM: a value a row, with the days of its validity as printed; everything else is refused with a reason. */

import { expect, test } from "bun:test";
import { COL_TRM } from "#sources/official/trm.ts";
import { reasonOf, windowOf } from "#test/sources/documents.ts";
import { testOn } from "#test/support/shared-data.ts";
import { answer, namesOf, publicationsOf, realText, routeOf, rowsOf, urlsOf } from "./tables.ts";

const week = windowOf("recent", "2026-06-08", "2026-06-15");
const row = (from: string, to: string, valor: unknown = "3691.9", more: object = {}) => ({
  valor,
  unidad: "COP",
  vigenciadesde: `${from}T00:00:00.000`,
  vigenciahasta: `${to}T00:00:00.000`,
  ...more,
});
// 15 June 2026 is a holiday: the value of the Friday before it is valid on four days.
const ROWS = [
  row("2026-06-11", "2026-06-11"),
  row("2026-06-12", "2026-06-12", "3700.10"),
  row("2026-06-13", "2026-06-16"),
];
const parse = (content: unknown, window = week, came = "2026-06-12") => {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return routeOf(COL_TRM, window).parse(answer(text, "https://example.org/trm", came), window);
};

test("a row is a publication named by its first day, valid to its last as printed, pesos for a dollar", () => {
  const parsed = parse(ROWS);
  expect(namesOf(parsed)).toEqual([
    "2026-06-11 2026-06-11…2026-06-11",
    "2026-06-12 2026-06-12…2026-06-12",
    "2026-06-13 2026-06-13…2026-06-16",
  ]);
  expect(publicationsOf(parsed).map(rowsOf)).toEqual([
    ["1 USD = 3691.9 COP mid"],
    ["1 USD = 3700.10 COP mid"],
    ["1 USD = 3691.9 COP mid"],
  ]);
});

test("tomorrow's value is out in the evening, and is in the window of today", () => {
  const today = windowOf("latest", "2026-06-12", "2026-06-12");
  expect(namesOf(parse(ROWS, today)).at(-1)).toBe("2026-06-13 2026-06-13…2026-06-16");
});

test("no row is nothing published; a number that is no text preserves its digits", () => {
  expect(parse([]).outcome).toBe("empty");
  const text = JSON.stringify([row("2026-06-11", "2026-06-11", "@")]).replace('"@"', "3691.90");
  expect(rowsOf(publicationsOf(parse(text))[0] ?? { rows: [] })).toEqual(["1 USD = 3691.90 COP mid"]);
});

test("the same row twice is one publication", () => {
  expect(namesOf(parse([ROWS[0], ROWS[0]]))).toHaveLength(1);
});

const good = ROWS[0] as object;
test.each<readonly [string, unknown, string]>([
  ["a cut-off list", JSON.stringify(ROWS).slice(0, -3), "TRM: "],
  ["the portal's own error", { code: "query.soql", error: true, message: "no" }, "TRM: "],
  ["another unit", [{ ...good, unidad: "USD" }], 'counted in "USD"'],
  ["no unit", [{ ...good, unidad: null }], "counted in"],
  ["a decimal comma", [{ ...good, valor: "3691,9" }], "the dollar of 2026-06-11 is not a rate"],
  ["no value", [{ ...good, valor: null }], "is not a rate"],
  ["a first day later than tomorrow", [row("2026-06-14", "2026-06-14")], "in the future"],
  ["a validity that ends before it begins", [row("2026-06-11", "2026-06-10")], "not a validity"],
  ["a validity without an end", [{ ...good, vigenciahasta: null }], "not a validity"],
  ["a validity of a month", [row("2026-06-11", "2026-07-11")], "not a validity"],
  ["an instant within a day", [{ ...good, vigenciadesde: "2026-06-11T05:00:00.000" }], "not a date"],
  ["a day twice with other values", [good, { ...good, valor: "1" }], "two publications"],
  ["a full page", Array.from({ length: 1000 }, () => good), "a full page"],
])("%s is refused", (_, content, reason) => expect(reasonOf(() => parse(content))).toContain(reason));

test("a page holds its window with tomorrow, in order", () => {
  const [url, ...more] = urlsOf(COL_TRM, week);
  expect(more).toEqual([]);
  expect(decodeURIComponent(url ?? "")).toBe(
    "https://www.datos.gov.co/resource/32sa-8pi3.json?$select=valor,unidad,vigenciadesde,vigenciahasta" +
      "&$where=vigenciadesde between '2026-06-08T00:00:00.000' and '2026-06-16T00:00:00.000'" +
      "&$order=vigenciadesde&$limit=1000",
  );
  expect(urlsOf(COL_TRM, windowOf("recent", "2025-01-01", "2026-06-15"))).toHaveLength(2);
  expect(COL_TRM.routes(windowOf("history", "1990-01-01", "1991-11-26"))).toEqual([]);
});

testOn("official/col-trm.json")("the real rows: five values, the last one for four days", () => {
  const text = realText("col-trm.json");
  const parsed = parse(text, windowOf("recent", "2026-03-17", "2026-03-20"), "2026-03-20");
  expect(namesOf(parsed)).toHaveLength(5);
  expect(namesOf(parsed).at(-1)).toBe("2026-03-21 2026-03-21…2026-03-24");
  expect(publicationsOf(parsed).flatMap(rowsOf).at(-1)).toBe("1 USD = 3704.87 COP mid");
});
