/** The Swiss customs' daily rates: named by the day of determination, valid on the days that they list. */

import { expect, test } from "bun:test";
import { CHE_DAILY } from "#sources/official/bazg.ts";
import { windowOf } from "#test/sources/documents.ts";
import { realDocument, testOn } from "#test/support/shared-data.ts";
import { testsOf } from "./tables.ts";

const SITE = "https://www.backend-rates.bazg.admin.ch/api/xmldaily";
const swiss = testsOf(CHE_DAILY, {
  window: windowOf("latest", "2026-06-01", "2026-06-05"),
  at: "2026-06-05",
  url: SITE,
});

const line = (code: string, amount: string, rate: string) =>
  `<devise code="${code}"><land_de>Land</land_de><land_en>Country</land_en><waehrung>${amount}</waehrung><kurs>${rate}</kurs></devise>`;
const LINES =
  line("eur", "1 EUR", "0.94100") + line("jpy", "100 JPY", "0.53000") + line("idr", "10000 IDR", "0.45902");
const table = (
  lines = LINES,
  {
    datum = "05.06.2026",
    days = "06.06.2026,07.06.2026,08.06.2026",
    xmlns = "https://www.backend-rates.bazg.admin.ch/xmldaily",
  } = {},
) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<wechselkurse xmlns="${xmlns}"><datum>${datum}</datum><zeit>07:00:04</zeit><gueltigkeit>${days}</gueltigkeit>${lines}</wechselkurse>`;

test("a Friday's rates are valid from Saturday to Monday, by the newest address, by its own, and by that of a closed day", () => {
  for (const query of ["", "?d=20260605&locale=en", "?d=20260606&locale=en"])
    expect(swiss.lines(table(), { url: `${SITE}${query}` })).toEqual([
      "2026-06-05 2026-06-06…2026-06-08: " +
        "1 EUR = 0.94100 CHF sell, 10000 IDR = 0.45902 CHF sell, 100 JPY = 0.53000 CHF sell",
    ]);
  expect(swiss.lines(table(LINES, { days: "05.06.2026" }))[0]).toStartWith(
    "2026-06-05 2026-06-05…2026-06-05: ",
  );
});

swiss.keepsContract(table(), "0.94100");

const FORTNIGHT = Array.from({ length: 13 }, (_, at) => `${String(at + 6).padStart(2, "0")}.06.2026`);
swiss.refuses([
  [
    "the monthly average",
    table(LINES, { xmlns: "https://www.backend-rates.bazg.admin.ch/xmlavgmonth" }),
    "the document is a wechselkurse of",
  ],
  ["another document", table().replaceAll("wechselkurse", "kurse"), "the document is a kurse of"],
  ["no date", table(LINES, { datum: "06/05/2026" }), "not a date"],
  ["a validity with a gap", table(LINES, { days: "06.06.2026,08.06.2026" }), "not the days after 2026-06-05"],
  ["a validity before it", table(LINES, { days: "04.06.2026" }), "not the days after 2026-06-05"],
  ["a validity long after it", table(LINES, { days: "06.07.2026" }), "not the days after 2026-06-05"],
  ["no validity", table(LINES, { days: "" }), "not the days after 2026-06-05"],
  ["a validity without an end", table(LINES, { days: FORTNIGHT.join(",") }), "not the days after"],
  ["a table without rows", table(""), "without rates"],
  ["an amount that is no power of ten", table(line("jpy", "50 JPY", "0.26")), "not by a power of ten"],
  ["another currency", table(line("jpy", "100 EUR", "0.53")), '"JPY" is counted as "100 EUR"'],
  ["no amount", table(line("jpy", "JPY", "0.53")), '"JPY" is counted as "JPY"'],
  ["another rate of a row", table(LINES + line("eur", "1 EUR", "0.95")), "EUR CHF sell is there twice"],
  ["another unit of a row", table(LINES + line("jpy", "1 JPY", "0.53")), "JPY CHF sell is there twice"],
  ["a later day", table(), "was published under", { url: `${SITE}?d=20260604&locale=en` }],
]);

test("latest: the newest document, else a document for each working day from the one before the window", () => {
  const byDay = (...dates: string[]) => dates.map((date) => `${SITE}?d=2026${date}&locale=en`);
  expect(swiss.routes("latest", "2026-06-05", "2026-06-05").map(([name, first]) => [name, first])).toEqual([
    ["newest daily XML", SITE],
    ["daily XML by day", ...byDay("0525")],
  ]);
  expect(swiss.urls("recent", "2026-06-02", "2026-06-09")).toEqual(
    byDay("0601", "0602", "0603", "0604", "0605", "0608", "0609"),
  );
});

testOn("official/bazg_xmldaily.real-header.xml")("the real document", () => {
  const window = windowOf("recent", "2023-11-04", "2023-11-06");
  const url = swiss.urls("recent", "2023-11-04", "2023-11-06")[0] as string;
  expect(url).toContain("d=20231103");
  const content = realDocument("official/bazg_xmldaily.real-header.xml");
  expect(swiss.lines(content, { window, url, at: "2023-11-03" })).toEqual([
    "2023-11-03 2023-11-04…2023-11-06: " +
      "1 EUR = 0.94223 CHF sell, 1000 HUF = 2.40000 CHF sell, 100 JPY = 0.53271 CHF sell",
  ]);
});
