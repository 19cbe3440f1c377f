/** The Turkish central bank's bulletins: named by their number, bid and ask, and nothing for banknotes. */

import { expect, test } from "bun:test";
import { TUR_INDICATIVE } from "#sources/official/tcmb.ts";
import { windowOf } from "#test/sources/documents.ts";
import { realDocument, testOn } from "#test/support/shared-data.ts";
import { testsOf } from "./tables.ts";

const SITE = "https://www.tcmb.gov.tr/kurlar";
const turkish = testsOf(TUR_INDICATIVE, {
  window: windowOf("latest", "2026-06-01", "2026-06-05"),
  at: "2026-06-05",
  url: `${SITE}/today.xml`,
});

const line = (code: string, unit: string, buying: string, selling: string, kod = code) =>
  `<Currency CrossOrder="1" Kod="${kod}" CurrencyCode="${code}">
    <Unit>${unit}</Unit><Isim>PARA </Isim><CurrencyName>MONEY</CurrencyName>
    <ForexBuying>${buying}</ForexBuying>${selling === "" ? "<ForexSelling/>" : `<ForexSelling>${selling}</ForexSelling>`}
    <BanknoteBuying>9.9999</BanknoteBuying><BanknoteSelling></BanknoteSelling><CrossRateUSD/><CrossRateOther>1.41</CrossRateOther>
  </Currency>`;
const LINES = line("USD", "1", "48.2000", "48.3000") + line("JPY", "100", "30.1000", "30.3000");
const bulletin = (lines = LINES, { tarih = "05.06.2026", date = "06/05/2026", number = "2026/105" } = {}) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<?xml-stylesheet type="text/xsl" href="isokur.xsl"?>
<Tarih_Date Tarih="${tarih}" Date="${date}"  Bulten_No="${number}" >${lines}</Tarih_Date>`;

test("a bulletin is named by its number, valid until the next, by either address; buying and selling by the unit, no banknotes", () => {
  for (const url of [`${SITE}/today.xml`, `${SITE}/202606/05062026.xml`])
    expect(turkish.lines(bulletin(), { url })).toEqual([
      "2026-105 2026-06-05…: 100 JPY = 30.1000 TRY buy, 100 JPY = 30.3000 TRY sell, " +
        "1 USD = 48.2000 TRY buy, 1 USD = 48.3000 TRY sell",
    ]);
});

test("a currency without a selling rate has a buying rate alone", () => {
  expect(turkish.lines(bulletin(line("XDR", "1", "65.1000", "")))).toEqual([
    "2026-105 2026-06-05…: 1 XDR = 65.1000 TRY buy",
  ]);
});

turkish.keepsContract(bulletin(), "48.2000");
turkish.refuses([
  ["two dates", bulletin(LINES, { date: "05/06/2026" }), "are not one date"],
  ["a date with another sign", bulletin(LINES, { tarih: "05/06/2026" }), "are not one date"],
  ["no such date", bulletin(LINES, { tarih: "31.06.2026", date: "06/31/2026" }), "are not one date"],
  ["the number of another year", bulletin(LINES, { number: "2025/105" }), "not the number of a bulletin"],
  ["no number", bulletin(LINES, { number: "105" }), "not the number of a bulletin"],
  [
    "a number that leaves the address",
    bulletin(LINES, { number: "2026/../1" }),
    "not the number of a bulletin",
  ],
  ["a bulletin without rows", bulletin(""), "without rates"],
  ["a unit of no power of ten", bulletin(line("JPY", "5", "1.5", "1.6")), "not by a power of ten"],
  ["another rate of a row", bulletin(LINES + line("USD", "1", "49.2", "48.3")), "USD TRY buy is there twice"],
  ["two codes for one currency", bulletin(line("USD", "1", "1.5", "1.6", "EUR")), 'USD is also "EUR"'],
  ["another day's bulletin", bulletin(), "was published under", { url: `${SITE}/202606/04062026.xml` }],
]);

test("latest: the newest bulletin, else each working day back over the longest feast; nothing before the new lira", () => {
  const [newest, [name, ...byDay] = []] = turkish.routes("latest", "2026-06-05", "2026-06-05");
  expect(newest).toEqual(["newest bulletin", `${SITE}/today.xml`]);
  expect([name, byDay.length, byDay[0], byDay.at(-1)]).toEqual([
    "bulletins by day",
    10,
    `${SITE}/202605/25052026.xml`,
    `${SITE}/202606/05062026.xml`,
  ]);
  expect(turkish.urls("history", "1999-01-04", "2005-01-10")[0]).toBe(`${SITE}/200501/03012005.xml`);
});

testOn("official/tcmb_today.real-values.xml")("the real values", () => {
  const window = windowOf("latest", "2026-09-01", "2026-09-06");
  const content = realDocument("official/tcmb_today.real-values.xml");
  expect(turkish.lines(content, { window, at: "2026-09-06" })).toEqual([
    "2026-166 2026-09-04…: 1 EUR = 56.0571 TRY buy, 1 EUR = 56.1581 TRY sell, " +
      "1 USD = 48.2326 TRY buy, 1 USD = 48.3195 TRY sell",
  ]);
});
