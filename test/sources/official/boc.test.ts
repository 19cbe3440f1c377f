/** The Bank of Canada's daily rates: a table a day from one answer, digits as printed. */

import { expect, test } from "bun:test";
import { UpstreamFault } from "#domain/faults/upstream.ts";
import { CAN_DAILY } from "#sources/official/boc.ts";
import { reasonOf, windowOf } from "#test/sources/documents.ts";
import { testOn } from "#test/support/shared-data.ts";
import { answer, namesOf, publicationsOf, realText, routeOf, rowsOf, urlsOf } from "./tables.ts";

const week = windowOf("recent", "2026-06-01", "2026-06-05");
const valet = (...observations: readonly object[]) =>
  JSON.stringify({ terms: { url: "https://example.org" }, groupDetail: {}, seriesDetail: {}, observations });
const parse = (text: string) =>
  routeOf(CAN_DAILY, week).parse(answer(text, "https://example.org/valet", "2026-06-05"), week);

test("every day is a table of Canadian dollars for one unit, valid until the next; zeros stay", () => {
  const parsed = parse(
    valet(
      { d: "2026-06-04", FXUSDCAD: { v: "1.3700" }, FXIDRCAD: { v: "0.000081" } },
      { d: "2026-06-05", FXUSDCAD: { v: "1.3710" } },
    ),
  );
  expect(namesOf(parsed)).toEqual(["2026-06-04 2026-06-04…", "2026-06-05 2026-06-05…"]);
  expect(publicationsOf(parsed).map(rowsOf)).toEqual([
    ["1 IDR = 0.000081 CAD average", "1 USD = 1.3700 CAD average"],
    ["1 USD = 1.3710 CAD average"],
  ]);
});

test("a day without figures is none; series that are no rate in dollars are left out and reported", () => {
  expect(parse(valet({ d: "2026-06-05" })).outcome).toBe("empty");
  expect(parse(valet()).outcome).toBe("empty");
  const parsed = parse(valet({ d: "2026-06-05", FXUSDCAD: { v: "1.37" }, CEER: { v: "118.2" } }));
  expect(publicationsOf(parsed).map(rowsOf)).toEqual([["1 USD = 1.37 CAD average"]]);
  expect(parsed).toMatchObject({ note: 'series that are no rate in CAD, left out: "CEER"' });
});

test("the service's own message is a fault", () => {
  const message = JSON.stringify({
    message: "Bad observations request parameters",
    docs: "https://example.org",
  });
  expect(() => parse(message)).toThrow(UpstreamFault);
  expect(() => parse(message)).toThrow("Bad observations request parameters");
});

const whole = valet({ d: "2026-06-05", FXUSDCAD: { v: "1.37" } });
test.each<readonly [string, string, string]>([
  ["a cut-off answer", whole.slice(0, -3), "Bank of Canada rates: "],
  ["another answer", "{}", "no list of objects"],
  ["a day in the future", valet({ d: "2026-06-08", FXUSDCAD: { v: "1.37" } }), "in the future"],
  ["no date", valet({ d: "05/06/2026", FXUSDCAD: { v: "1.37" } }), "not a date"],
  ["no digits", valet({ d: "2026-06-05", FXUSDCAD: { v: "NaN" } }), "FXUSDCAD on 2026-06-05 is not a rate"],
  [
    "a number where text belongs",
    valet({ d: "2026-06-05", FXUSDCAD: { v: 1.37 } }),
    "has no text as its value",
  ],
  ["a figure without a value", valet({ d: "2026-06-05", FXUSDCAD: {} }), "has no text as its value"],
  [
    "a series twice on one day",
    `{"observations":[{"d":"2026-06-05","FXUSDCAD":{"v":"1"},"FXUSDCAD":{"v":"2"}}]}`,
    "twice",
  ],
  [
    "a day twice with other rates",
    valet({ d: "2026-06-05", FXUSDCAD: { v: "1.37" } }, { d: "2026-06-05", FXUSDCAD: { v: "1.38" } }),
    "that differ",
  ],
])("%s is refused", (_, text, reason) => expect(reasonOf(() => parse(text))).toContain(reason));

test("routes: the window in stretches of a year, back over Christmas for the newest, nothing before 2017", () => {
  const query = (reach: "history" | "recent" | "latest", from: string, to: string) =>
    urlsOf(CAN_DAILY, windowOf(reach, from, to)).map((url) => url.replace(/^.*\?/, ""));
  expect(query("recent", "2026-06-01", "2026-06-05")).toEqual(["start_date=2026-06-01&end_date=2026-06-05"]);
  expect(query("latest", "2026-06-05", "2026-06-05")).toEqual(["start_date=2026-05-26&end_date=2026-06-05"]);
  expect(query("history", "1999-01-04", "2018-06-30")).toEqual([
    "start_date=2017-01-03&end_date=2018-01-03",
    "start_date=2018-01-04&end_date=2018-06-30",
  ]);
  expect(CAN_DAILY.routes(windowOf("history", "1999-01-04", "2016-12-31"))).toEqual([]);
});

testOn("official/boc-valet-fx-rates-daily.json")("the real answer", () => {
  const text = realText("boc-valet-fx-rates-daily.json");
  const window = windowOf("recent", "2026-03-12", "2026-03-18");
  const parsed = routeOf(CAN_DAILY, window).parse(answer(text, "https://example.org", "2026-03-19"), window);
  const readings = publicationsOf(parsed);
  expect(readings.map(({ publication }) => publication)).toEqual([
    "2026-03-12",
    "2026-03-13",
    "2026-03-16",
    "2026-03-17",
    "2026-03-18",
  ]);
  expect(readings.map(({ rows }) => rows.length)).toEqual([23, 23, 23, 23, 23]);
  expect(rowsOf(readings[0] ?? { rows: [] })).toContain("1 AUD = 0.9661 CAD average");
  const newest = rowsOf(readings.at(-1) ?? { rows: [] });
  for (const row of [
    "1 USD = 1.3706 CAD average",
    "1 TWD = 0.04291 CAD average",
    "1 TRY = 0.03100 CAD average",
  ]) {
    expect(newest).toContain(row);
  }
});
