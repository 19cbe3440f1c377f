/** The Turkish central bank's bulletins: named by their number, bid and ask, and nothing for banknotes. */

import { describe, expect, test } from "bun:test";
import { TUR_INDICATIVE } from "#sources/official/tcmb.ts";
import { reasonOf, windowOf } from "#test/sources/documents.ts";
import { testOn } from "#test/support/shared-data.ts";
import { answer, namesOf, publicationsOf, realText, routeOf, rowsOf, urlsOf } from "./tables.ts";

const SITE = "https://www.tcmb.gov.tr/kurlar";
const week = windowOf("latest", "2026-06-01", "2026-06-05");

const line = (code: string, unit: string, buying: string, selling: string, kod = code) =>
  `<Currency CrossOrder="1" Kod="${kod}" CurrencyCode="${code}">
    <Unit>${unit}</Unit><Isim>PARA </Isim><CurrencyName>MONEY</CurrencyName>
    <ForexBuying>${buying}</ForexBuying>${selling === "" ? "<ForexSelling/>" : `<ForexSelling>${selling}</ForexSelling>`}
    <BanknoteBuying>9.9999</BanknoteBuying><BanknoteSelling></BanknoteSelling><CrossRateUSD/><CrossRateOther>1.41</CrossRateOther>
  </Currency>`;
const LINES = line("USD", "1", "48.2000", "48.3000") + line("JPY", "100", "30.1000", "30.3000");
const bulletin = (lines: string, { tarih = "05.06.2026", date = "06/05/2026", number = "2026/105" } = {}) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<?xml-stylesheet type="text/xsl" href="isokur.xsl"?>
<Tarih_Date Tarih="${tarih}" Date="${date}"  Bulten_No="${number}" >${lines}</Tarih_Date>`;
const parse = (text: string, url = `${SITE}/today.xml`, came = "2026-06-05") =>
  routeOf(TUR_INDICATIVE, week).parse(answer(text, url, came), week);

test("a bulletin is named by its number and valid until the next; buying and selling by the unit, no banknotes", () => {
  const parsed = parse(bulletin(LINES));
  expect(namesOf(parsed)).toEqual(["2026-105 2026-06-05…"]);
  expect(publicationsOf(parsed).map(rowsOf)).toEqual([
    [
      "100 JPY = 30.1000 TRY buy",
      "100 JPY = 30.3000 TRY sell",
      "1 USD = 48.2000 TRY buy",
      "1 USD = 48.3000 TRY sell",
    ],
  ]);
});

test("a currency without a selling rate has a buying rate alone", () => {
  const [reading] = publicationsOf(parse(bulletin(line("XDR", "1", "65.1000", ""))));
  expect(rowsOf(reading ?? { rows: [] })).toEqual(["1 XDR = 65.1000 TRY buy"]);
});

test("the same under its day's address", () => {
  const text = bulletin(LINES);
  expect(parse(text, `${SITE}/202606/05062026.xml`)).toEqual(parse(text));
});

test.each<readonly [string, string, string]>([
  ["a cut-off bulletin", bulletin(LINES).slice(0, -20), "not well-formed"],
  ["two dates", bulletin(LINES, { date: "05/06/2026" }), "are not one date"],
  ["dates with another sign", bulletin(LINES, { tarih: "05/06/2026" }), "are not one date"],
  [
    "a date that does not exist",
    bulletin(LINES, { tarih: "31.06.2026", date: "06/31/2026" }),
    "are not one date",
  ],
  ["a date in the future", bulletin(LINES, { tarih: "08.06.2026", date: "06/08/2026" }), "in the future"],
  ["the number of another year", bulletin(LINES, { number: "2025/105" }), "not the number of a bulletin"],
  ["no number", bulletin(LINES, { number: "105" }), "not the number of a bulletin"],
  [
    "a number that leaves the address",
    bulletin(LINES, { number: "2026/../1" }),
    "not the number of a bulletin",
  ],
  ["no rows", bulletin(""), "without rates"],
  ["a unit of no power of ten", bulletin(line("JPY", "5", "1.5", "1.6")), "not by a power of ten"],
  ["no digits", bulletin(line("USD", "1", "NaN", "48.3")), "USD ForexBuying is not a rate"],
  [
    "a doubled row with another rate",
    bulletin(LINES + line("USD", "1", "49.2000", "48.3000")),
    "USD TRY buy is there twice",
  ],
  ["two codes for one currency", bulletin(line("USD", "1", "1.5", "1.6", "EUR")), 'USD is also "EUR"'],
])("%s is refused", (_, text, reason) => expect(reasonOf(() => parse(text))).toContain(reason));

test("another day's bulletin under an address", () => {
  expect(reasonOf(() => parse(bulletin(LINES), `${SITE}/202606/04062026.xml`))).toContain(
    "was published under",
  );
});

describe("routes", () => {
  test("latest: the newest bulletin, else each working day back over the longest feast", () => {
    expect(urlsOf(TUR_INDICATIVE, week)).toEqual([`${SITE}/today.xml`]);
    const byDay = urlsOf(TUR_INDICATIVE, week, 1);
    expect(byDay[0]).toBe(`${SITE}/202605/25052026.xml`);
    expect(byDay.at(-1)).toBe(`${SITE}/202606/05062026.xml`);
    expect(byDay).toHaveLength(10);
  });

  test("nothing before the new lira", () => {
    const [first] = urlsOf(TUR_INDICATIVE, windowOf("history", "1999-01-04", "2005-01-10"));
    expect(first).toBe(`${SITE}/200501/03012005.xml`);
    expect(TUR_INDICATIVE.routes(windowOf("history", "1999-01-04", "2004-12-31"))).toEqual([]);
  });
});

testOn("official/tcmb_today.real-values.xml")("the real values", () => {
  const text = realText("tcmb_today.real-values.xml");
  const window = windowOf("latest", "2026-09-01", "2026-09-06");
  const parsed = routeOf(TUR_INDICATIVE, window).parse(
    answer(text, `${SITE}/today.xml`, "2026-09-06"),
    window,
  );
  expect(namesOf(parsed)).toEqual(["2026-166 2026-09-04…"]);
  expect(publicationsOf(parsed).map(rowsOf)).toEqual([
    [
      "1 EUR = 56.0571 TRY buy",
      "1 EUR = 56.1581 TRY sell",
      "1 USD = 48.2326 TRY buy",
      "1 USD = 48.3195 TRY sell",
    ],
  ]);
});
