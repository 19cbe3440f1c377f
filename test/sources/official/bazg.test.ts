/** The Swiss customs' daily rates: named by the day of determination, valid on the days that they list. */

import { describe, expect, test } from "bun:test";
import { CHE_DAILY } from "#sources/official/bazg.ts";
import { reasonOf, windowOf } from "#test/sources/documents.ts";
import { testOn } from "#test/support/shared-data.ts";
import { answer, namesOf, publicationsOf, realText, routeOf, rowsOf, urlsOf } from "./tables.ts";

const SITE = "https://www.backend-rates.bazg.admin.ch/api/xmldaily";
const week = windowOf("latest", "2026-06-01", "2026-06-05");

const line = (code: string, amount: string, rate: string) =>
  `<devise code="${code}"><land_de>Land</land_de><land_en>Country</land_en><waehrung>${amount}</waehrung><kurs>${rate}</kurs></devise>`;
const LINES =
  line("eur", "1 EUR", "0.94100") + line("jpy", "100 JPY", "0.53000") + line("idr", "10000 IDR", "0.45902");
const table = (
  lines: string,
  {
    datum = "05.06.2026",
    days = "06.06.2026,07.06.2026,08.06.2026",
    xmlns = "https://www.backend-rates.bazg.admin.ch/xmldaily",
  } = {},
) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<wechselkurse xmlns="${xmlns}"><datum>${datum}</datum><zeit>07:00:04</zeit><gueltigkeit>${days}</gueltigkeit>${lines}</wechselkurse>`;
const parse = (text: string, url = SITE, came = "2026-06-05") =>
  routeOf(CHE_DAILY, week).parse(answer(text, url, came), week);

test("a Friday's rates are valid from Saturday to Monday, francs for as many units as counted, zeros kept", () => {
  const parsed = parse(table(LINES));
  expect(namesOf(parsed)).toEqual(["2026-06-05 2026-06-06…2026-06-08"]);
  expect(publicationsOf(parsed).map(rowsOf)).toEqual([
    ["1 EUR = 0.94100 CHF sell", "10000 IDR = 0.45902 CHF sell", "100 JPY = 0.53000 CHF sell"],
  ]);
});

test("the same by its day's address; a closed day may be answered with the day before", () => {
  const text = table(LINES);
  const newest = publicationsOf(parse(text));
  expect(publicationsOf(parse(text, `${SITE}?d=20260605&locale=en`))).toEqual(newest);
  expect(publicationsOf(parse(text, `${SITE}?d=20260606&locale=en`))).toEqual(newest);
});

test.each<readonly [string, string, string]>([
  ["a cut-off document", table(LINES).slice(0, -30), "not well-formed"],
  [
    "the monthly average",
    table(LINES, { xmlns: "https://www.backend-rates.bazg.admin.ch/xmlavgmonth" }),
    "the document is a wechselkurse of",
  ],
  ["a date in the future", table(LINES, { datum: "12.06.2026", days: "13.06.2026" }), "in the future"],
  ["no date", table(LINES, { datum: "06/05/2026" }), "not a date"],
  ["a validity with a gap", table(LINES, { days: "06.06.2026,08.06.2026" }), "not the days after 2026-06-05"],
  ["a validity before it", table(LINES, { days: "04.06.2026" }), "not the days after 2026-06-05"],
  ["a validity long after it", table(LINES, { days: "06.07.2026" }), "not the days after 2026-06-05"],
  ["no validity", table(LINES, { days: "" }), "not the days after 2026-06-05"],
  [
    "a validity without an end",
    table(LINES, {
      days: Array.from({ length: 13 }, (_, at) => `${String(at + 6).padStart(2, "0")}.06.2026`).join(","),
    }),
    "not the days after",
  ],
  ["no rows", table(""), "without rates"],
  ["an amount that is no power of ten", table(line("jpy", "50 JPY", "0.26")), "not by a power of ten"],
  [
    "another currency than the code's",
    table(line("jpy", "100 EUR", "0.53")),
    '"JPY" is counted as "100 EUR"',
  ],
  ["no amount", table(line("jpy", "JPY", "0.53")), '"JPY" is counted as "JPY"'],
  ["no digits", table(line("eur", "1 EUR", "NaN")), "EUR is not a rate"],
  [
    "a doubled row with another rate",
    table(LINES + line("eur", "1 EUR", "0.95")),
    "EUR CHF sell is there twice",
  ],
  [
    "a doubled row with another unit",
    table(LINES + line("jpy", "1 JPY", "0.53")),
    "JPY CHF sell is there twice",
  ],
])("%s is refused", (_, text, reason) => expect(reasonOf(() => parse(text))).toContain(reason));

test("a later day's rates under an address", () => {
  expect(reasonOf(() => parse(table(LINES), `${SITE}?d=20260604&locale=en`))).toContain(
    "was published under",
  );
});

describe("routes", () => {
  test("latest: the newest document, else the working days; tomorrow's validity is inside", () => {
    expect(CHE_DAILY.routes(week).map(({ name }) => name)).toEqual(["newest daily XML", "daily XML by day"]);
    expect(urlsOf(CHE_DAILY, week)).toEqual([SITE]);
  });

  test("a document for each working day from the one before the window", () => {
    const days = urlsOf(CHE_DAILY, windowOf("recent", "2026-06-02", "2026-06-09"));
    expect(days.map((url) => url.slice(SITE.length))).toEqual(
      ["0601", "0602", "0603", "0604", "0605", "0608", "0609"].map((date) => `?d=2026${date}&locale=en`),
    );
  });
});

testOn("official/bazg_xmldaily.real-header.xml")("the real document", () => {
  const text = realText("bazg_xmldaily.real-header.xml");
  const window = windowOf("recent", "2023-11-04", "2023-11-06");
  const url = urlsOf(CHE_DAILY, window)[0] ?? "";
  expect(url).toContain("d=20231103");
  const parsed = routeOf(CHE_DAILY, window).parse(answer(text, url, "2023-11-03"), window);
  expect(namesOf(parsed)).toEqual(["2023-11-03 2023-11-04…2023-11-06"]);
  expect(publicationsOf(parsed).map(rowsOf)).toEqual([
    ["1 EUR = 0.94223 CHF sell", "1000 HUF = 2.40000 CHF sell", "100 JPY = 0.53271 CHF sell"],
  ]);
});
