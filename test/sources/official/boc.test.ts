/** The Bank of Canada's daily rates: a table a day from one answer, digits as printed. */

import { expect, test } from "bun:test";
import { CAN_DAILY } from "#sources/official/boc.ts";
import { windowOf } from "#test/sources/documents.ts";
import { realDocument, testOn } from "#test/support/shared-data.ts";
import { faultOf, publicationsOf, rowsOf, testsOf } from "./tables.ts";

const canadian = testsOf(CAN_DAILY, {
  window: windowOf("recent", "2026-06-01", "2026-06-05"),
  at: "2026-06-05T20:00:00Z",
});
const valet = (...observations: readonly object[]) =>
  JSON.stringify({ terms: { url: "https://example.org" }, groupDetail: {}, seriesDetail: {}, observations });
const dollar = (v: unknown, d = "2026-06-05") => ({ d, FXUSDCAD: { v } });
const LINE = "2026-06-05 2026-06-05…: 1 USD = 1.3710 CAD average";

test("every day is a table of Canadian dollars for one unit, valid until the next; zeros stay", () => {
  const fourth = { ...dollar("1.3700", "2026-06-04"), FXIDRCAD: { v: "0.000081" } };
  expect(canadian.lines(valet(fourth, dollar("1.3710")))).toEqual([
    "2026-06-04 2026-06-04…: 1 IDR = 0.000081 CAD average, 1 USD = 1.3700 CAD average",
    LINE,
  ]);
});

test("a day without figures is no table; series that are no rate in dollars are left out and reported", () => {
  expect(canadian.parse(valet({ d: "2026-06-05" })).outcome).toBe("empty");
  expect(canadian.parse(valet()).outcome).toBe("empty");
  const answer = valet({ ...dollar("1.3710"), CEER: { v: "118.2" } });
  expect(canadian.lines(answer)).toEqual([LINE]);
  expect(canadian.parse(answer)).toMatchObject({ note: 'series that are no rate in CAD, left out: "CEER"' });
});

test("the service's own message is a fault", () => {
  const message = JSON.stringify({ message: "Bad observations request parameters", docs: "" });
  expect(faultOf(() => canadian.parse(message)).message).toContain("Bad observations request parameters");
});

canadian.keepsContract(valet(dollar("1.37")), "1.37");
canadian.refuses([
  ["another answer", "{}", "no list of objects"],
  ["a day in the future", valet(dollar("1.37", "2026-06-08")), "in the future"],
  ["no date", valet(dollar("1.37", "05/06/2026")), "not a date"],
  ["a number where text belongs", valet(dollar(1.37)), "has no text as its value"],
  ["a figure without a value", valet({ d: "2026-06-05", FXUSDCAD: {} }), "has no text as its value"],
  ["a series twice", '{"observations":[{"FXUSDCAD":{"v":"1"},"FXUSDCAD":{"v":"2"}}]}', "twice"],
  ["a day twice with other rates", valet(dollar("1.37"), dollar("1.38")), "that differ"],
]);

test("routes: the window in stretches of a year, back over Christmas for the newest, nothing before 2017", () => {
  const queries = (reach: "history" | "recent" | "latest", from: string, to: string) =>
    canadian.urls(reach, from, to).map((url) => url.replace(/^.*\?/, ""));
  expect(queries("recent", "2026-06-01", "2026-06-05")).toEqual([
    "start_date=2026-06-01&end_date=2026-06-05",
  ]);
  expect(queries("latest", "2026-06-05", "2026-06-05")).toEqual([
    "start_date=2026-05-26&end_date=2026-06-05",
  ]);
  expect(queries("history", "1999-01-04", "2018-06-30")).toEqual([
    "start_date=2017-01-03&end_date=2018-01-03",
    "start_date=2018-01-04&end_date=2018-06-30",
  ]);
  expect(canadian.routes("history", "1999-01-04", "2016-12-31")).toEqual([]);
});

testOn("official/boc-valet-fx-rates-daily.json")("the real answer: five days of 23 currencies", () => {
  const window = windowOf("recent", "2026-03-12", "2026-03-18");
  const content = realDocument("official/boc-valet-fx-rates-daily.json");
  const readings = publicationsOf(canadian.parse(content, { window, at: "2026-03-19" }));
  expect(readings.map(({ publication, rows }) => `${publication.slice(8)} ${rows.length}`)).toEqual(
    ["12", "13", "16", "17", "18"].map((day) => `${day} 23`),
  );
  const rows = readings.map(rowsOf);
  expect(rows[0]).toContain("1 AUD = 0.9661 CAD average");
  for (const row of ["1 USD = 1.3706", "1 TWD = 0.04291", "1 TRY = 0.03100"])
    expect(rows.at(-1)).toContain(`${row} CAD average`);
});
