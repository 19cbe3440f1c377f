/** CNB's fixing by the list of a year or of a day; everything but such a list is refused with a reason. */

import { expect, test } from "bun:test";
import { CZE_FIXING } from "#sources/official/cnb.ts";
import { windowOf } from "#test/sources/documents.ts";
import { realDocument, testOn } from "#test/support/shared-data.ts";
import { publicationsOf, rowsOf, testsOf } from "./tables.ts";

const czech = testsOf(CZE_FIXING, {
  window: windowOf("latest", "2026-01-05", "2026-01-05"),
  at: "2026-01-05T14:00:00Z",
  route: "year",
});

const LINES = [
  ["EUR", 1, "24.170"],
  ["HUF", 100, "6.304"],
  ["IDR", 1000, "1.233"],
] as const;
const linesOf = (day: string) =>
  LINES.map(
    ([code, amount, rate]) =>
      `{"currencyCode":"${code}","amount":${amount},"validFor":"${day}","rate":${rate}}`,
  );
const yearList = (...days: string[]) => `{"rates":[${days.flatMap(linesOf).join(",")}]}`;
const YEAR = yearList("2026-01-02", "2026-01-05");

test("a list is a publication a day, with every digit as printed", () => {
  expect(czech.lines(YEAR)).toEqual(
    ["2026-01-02", "2026-01-05"].map(
      (day) => `${day} ${day}…: 1 EUR = 24.170 CZK mid, 100 HUF = 6.304 CZK mid, 1000 IDR = 1.233 CZK mid`,
    ),
  );
});

test("a year without a fixing yet is an empty window", () => {
  expect(czech.parse('{"rates":[]}').outcome).toBe("empty");
});

test("a fixing does not exist before its day's afternoon in Prague", () => {
  const early = yearList("2026-01-05");
  expect(czech.lines(early, { at: "2026-01-05T13:00:00Z" })).toHaveLength(1);
  expect(czech.refusal(early, { at: "2026-01-05T12:59:59Z" })).toContain("in the future");
});

czech.keepsContract(YEAR, "6.304");
czech.refuses([
  ["an amount that is no power of ten", YEAR.replace("100", "25"), 'counted by "25"'],
  ["a comma for a point", YEAR.replace("6.304", '"6,304"'), "is not a rate"],
  ["a code that is none", YEAR.replace("HUF", "Huf"), 'not a currency code: "Huf"'],
  ["a currency twice, different", YEAR.replace("IDR", "HUF"), "HUF CZK mid is there twice, as 6.304 for 100"],
  ["an error", '{"errorCode":"VALIDATION_ERROR","messageId":"x"}', 'no list of objects "rates"'],
  ["a line without a day", YEAR.replace('"validFor":"2026-01-02",', ""), 'not a date: ""'],
]);

test("the newest is one small list, else the years; a short window is a year's list, else a list a day; a long one is years", () => {
  const routes = (reach: "latest" | "recent" | "history", from: string, to: string) =>
    czech
      .routes(reach, from, to)
      .map(([name, ...urls]) => [name, ...urls.map((url) => url.replace(/^.*exrates\/|&lang=EN$/g, ""))]);
  expect(routes("latest", "2026-01-05", "2026-01-05")).toEqual([
    ["day", "daily?date=2026-01-05"],
    ["year", "daily-year?year=2025", "daily-year?year=2026"],
  ]);
  expect(routes("recent", "2026-01-02", "2026-01-05")).toEqual([
    ["year", "daily-year?year=2026"],
    ["day", "daily?date=2026-01-02", "daily?date=2026-01-05"],
  ]);
  const [only, ...others] = routes("history", "1980-01-01", "2026-01-05");
  expect([only?.length, only?.[1], others.length]).toEqual([35, "daily-year?year=1993", 0]);
});

testOn("official/cnb-daily-year.json")(
  "65 real fixings of the first quarter of 2026, 30 currencies each",
  () => {
    const window = windowOf("history", "2026-01-01", "2026-12-31");
    const content = realDocument("official/cnb-daily-year.json");
    const read = publicationsOf(czech.parse(content, { window, at: "2026-04-02T14:00:00Z" }));
    expect(read).toHaveLength(65);
    expect(new Set(read.map(({ rows }) => rows.length))).toEqual(new Set([30]));
    expect([read[0]?.publication, read.at(-1)?.publication]).toEqual(["2026-01-02", "2026-04-02"]);
    const rows = read.map(rowsOf)[0] ?? [];
    for (const row of ["100 HUF = 6.304", "1000 IDR = 1.233", "1 EUR = 24.170"])
      expect(rows).toContain(`${row} CZK mid`);
    expect(rows.filter((row) => row.startsWith("100 "))).toHaveLength(8);
  },
);
