/** Banxico's series become publications; its errors become faults that name the remedy; the rest is refused with a reason. */

import { describe, expect, test } from "bun:test";
import type { OfficialAdapter } from "#ports/official.ts";
import { banxicoAdapters } from "#sources/official/mexico.ts";
import { windowOf } from "#test/sources/documents.ts";
import { realDocument, realText, testOn } from "#test/support/shared-data.ts";
import { faultOf, testsOf } from "./tables.ts";

const TOKEN = "0123456789abcdef";
const [FIX, SETTLEMENT] = banxicoAdapters(TOKEN) as [OfficialAdapter, OfficialAdapter];
const usual = { window: windowOf("latest", "2026-04-01", "2026-04-14"), at: "2026-04-14T20:00:00Z" };
const fix = testsOf(FIX, usual);
const settlement = testsOf(SETTLEMENT, usual);

const series = (id: string, ...values: [string, string][]) => ({
  idSerie: id,
  titulo: "Tipo de cambio          Pesos por dólar E.U.A.",
  datos: values.map(([fecha, dato]) => ({ fecha, dato })),
});
const answer = (...list: object[]) => JSON.stringify({ bmx: { series: list } });
const fixOf = (...values: [string, string][]) => answer(series("SF43718", ...values));
const TWO_DAYS = series("SF43718", ["09/04/2026", "17.6770"], ["10/04/2026", "17.7962"]);
const GOOD = answer(TWO_DAYS);
const LINES = [
  "2026-04-09 2026-04-09…: 1 USD = 17.6770 MXN mid",
  "2026-04-10 2026-04-10…: 1 USD = 17.7962 MXN mid",
];

describe("the FIX", () => {
  test("is a publication a day of determination, digits and zeros as printed, whatever series are beside it", () => {
    const other = series("SF46406", ["09/04/2026", "0.1105"]);
    for (const list of [[TWO_DAYS], [other, TWO_DAYS], [TWO_DAYS, other]])
      expect(fix.lines(answer(...list))).toEqual(LINES);
  });

  test("days without a value have no publication; a series without values is an empty window", () => {
    expect(fix.lines(fixOf(["02/04/2026", "N/E"], ["09/04/2026", "17.6770"]))).toEqual(LINES.slice(0, 1));
    expect(fix.parse(answer({ idSerie: "SF43718", titulo: "" })).outcome).toBe("empty");
    expect(fix.parse(fixOf()).outcome).toBe("empty");
  });

  test("thousands come with commas and go without", () => {
    expect(fix.lines(fixOf(["09/04/2026", "1,017.6770"]))[0]).toContain("= 1017.6770 MXN");
  });

  fix.keepsContract(GOOD, "17.6770");
  fix.refuses([
    ["a decimal comma", fixOf(["09/04/2026", "17,67"]), "not a rate"],
    ["tomorrow", fixOf(["15/04/2026", "17.68"]), "2026-04-15 is in the future, later than 2026-04-14"],
    [
      "what is Wednesday in UTC and still Tuesday in Mexico",
      fixOf(["15/04/2026", "17.68"]),
      "in the future",
      { at: "2026-04-15T05:59:59Z" },
    ],
    [
      "a FIX before noon of its day",
      fixOf(["14/04/2026", "17.68"]),
      "in the future",
      { at: "2026-04-14T17:59:59Z" },
    ],
    ["another series alone", answer(series("SF46406", ["09/04/2026", "0.11"])), "SF43718 is there 0 times"],
    ["the series twice", answer(TWO_DAYS, TWO_DAYS), "SF43718 is there 2 times"],
    ["a decimal comma before three digits", GOOD.replace("17.6770", "17,677"), "is not a rate"],
    ["a day twice with two values", GOOD.replace("10/04", "09/04"), '"2026-04-09" that differ'],
    ["a day that does not exist", GOOD.replace("09/04/2026", "31/04/2026"), 'not a date: "31/04/2026"'],
    ["a weekend, as months and days exchanged make it", GOOD.replace("09/04", "11/04"), "a weekend"],
    ["no list", '{"bmx":{}}', 'no list of objects "series"'],
  ]);
});

const ahead = answer(series("SF60653", ["14/04/2026", "17.68"], ["16/04/2026", "17.79"]));

test("the settlement rate is published ahead of its day, by at most ten days", () => {
  expect(settlement.lines(ahead)).toEqual([
    "2026-04-14 2026-04-14…: 1 USD = 17.68 MXN mid",
    "2026-04-16 2026-04-16…: 1 USD = 17.79 MXN mid",
  ]);
  expect(settlement.refusal(ahead.replace("16/04", "27/04"))).toContain("in the future");
});

describe("requests", () => {
  const API = "https://www.banxico.org.mx/SieAPIRest/service/v1/series";

  test("carry the token as a header and not in the address", () => {
    const [request] = FIX.routes(usual.window).flatMap(({ requests }) => requests);
    expect(request?.secretHeaders).toEqual({ "Bmx-Token": TOKEN });
    expect(fix.urls("recent", "2026-04-01", "2026-04-14")).toEqual([
      `${API}/SF43718/datos/2026-04-01/2026-04-14`,
    ]);
  });

  test("are bounded stretches of the whole history, from its first day on", () => {
    const spans = fix.urls("history", "1900-01-01", "2026-04-14").map((url) => url.split("/").slice(-2));
    expect([spans.length, spans[0]?.[0], spans.at(-1)?.[1]]).toEqual([4, "1991-11-12", "2026-04-14"]);
  });

  test("of the newest look back over any holiday; those of the settlement ahead", () => {
    expect(fix.urls("latest", "2026-04-14", "2026-04-14")[0]).toEndWith("/2026-03-31/2026-04-14");
    expect(settlement.urls("latest", "2026-04-14", "2026-04-14")).toEqual([
      `${API}/SF60653/datos/2026-03-31/2026-04-24`,
    ]);
  });
});

describe("real documents", () => {
  testOn("banxico/series.json")("the first fortnight of March 2026: ten determinations", () => {
    const window = windowOf("history", "2026-01-01", "2026-03-15");
    const lines = fix.lines(realDocument("banxico/series.json"), { window, at: "2026-03-31" });
    expect(lines).toHaveLength(10);
    expect(lines).toContain("2026-03-02 2026-03-02…: 1 USD = 17.3485 MXN mid");
    expect(lines).toContain("2026-03-05 2026-03-05…: 1 USD = 17.6770 MXN mid");
  });

  testOn("banxico/SF60653_range.real.json")("the settlement is the FIX two bank days before", () => {
    const window = windowOf("history", "2020-11-01", "2020-11-30");
    const content = realDocument("banxico/SF60653_range.real.json");
    expect(settlement.lines(content, { window, at: "2020-11-25" })).toEqual([
      "2020-11-26 2020-11-26…: 1 USD = 20.0577 MXN mid",
      "2020-11-27 2020-11-27…: 1 USD = 20.0465 MXN mid",
    ]);
  });

  const ALL = "banxico/SF43718-fix-1991-11-12_2025-11-25.csv";
  testOn(ALL)("8,556 determinations since 1991, each a bank day, and not one is refused", () => {
    const lines = realText(ALL).trim().split("\n").slice(1);
    const values = lines.map((line): [string, string] => {
      const [date = "", rate = ""] = line.trim().split(",");
      return [date.split("-").reverse().join("/"), rate];
    });
    const window = windowOf("history", "1991-01-01", "2026-01-01");
    const read = fix.lines(fixOf(...values), { window, at: "2025-11-26" });
    expect(read).toHaveLength(8556);
    expect([read[0], read.at(-1)]).toEqual([
      "1991-11-12 1991-11-12…: 1 USD = 3.0735 MXN mid",
      "2025-11-25 2025-11-25…: 1 USD = 18.4308 MXN mid",
    ]);
  });

  for (const [path, kind] of [
    ["banxico/error_token.real.json", "refused_credentials"],
    ["banxico/error_limit.documented.json", "rate_limited"],
  ] as const)
    testOn(path)(`${path} is ${kind}`, () => {
      expect(faultOf(() => fix.parse(realDocument(path))).kind).toBe(kind);
    });
});
