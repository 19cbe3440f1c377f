/** HMRC's monthly rates: one table a month, whatever its address, and nothing that is not that month's table. */

import { describe, expect, test } from "bun:test";
import { formatDay } from "#domain/time/day.ts";
import { GBR_MONTHLY } from "#sources/official/hmrc.ts";
import { reasonOf, windowOf } from "#test/sources/documents.ts";
import { testOn } from "#test/support/shared-data.ts";
import { answer, namesOf, publicationsOf, realText, routeOf, rowsOf, urlsOf } from "./tables.ts";

const FILES = "https://www.trade-tariff.service.gov.uk/api/v2/exchange_rates/files";
const june = windowOf("latest", "2026-06-01", "2026-06-10");

const row = (country: string, code: string, rate: string) =>
  `<exchangeRate><countryName>${country}</countryName><countryCode>XX</countryCode>` +
  `<currencyName>Money</currencyName><currencyCode>${code}</currencyCode><rateNew>${rate}</rateNew></exchangeRate>`;
const list = (rows: string, period = "01/Jun/2026 to 30/Jun/2026") =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<exchangeRateMonthList Period="${period}">${rows}</exchangeRateMonthList>\n`;
const ROWS = [
  row("USA", "USD", "1.3400"),
  row("Antigua &amp; Barbuda", "XCD", "3.6200"),
  row("Grenada", "XCD", "3.62"),
];

const parse = (text: string, url = `${FILES}/monthly_xml_2026-6.xml`, came = "2026-06-10", window = june) =>
  routeOf(GBR_MONTHLY, window).parse(answer(text, url, came), window);

test("a month is named by itself, valid from its first to its last day, a row for each currency", () => {
  const parsed = parse(list(ROWS.join("")));
  expect(namesOf(parsed)).toEqual(["2026-06 2026-06-01…2026-06-30"]);
  expect(publicationsOf(parsed).map(rowsOf)).toEqual([["1 GBP = 1.3400 USD mid", "1 GBP = 3.6200 XCD mid"]]);
  expect(parsed).not.toHaveProperty("note");
});

test("a currency with two rates is left out and reported, the others are published", () => {
  const parsed = parse(list([...ROWS, row("Dominica", "XCD", "3.9000")].join("")));
  expect(publicationsOf(parsed).map(rowsOf)).toEqual([["1 GBP = 1.3400 USD mid"]]);
  expect(parsed).toMatchObject({ note: "2026-06: two rates for XCD, left out" });
});

test("leap years have their February", () => {
  const window = windowOf("recent", "2024-02-01", "2024-02-02");
  const text = list(ROWS.join(""), "01/Feb/2024 to 29/Feb/2024");
  const parsed = parse(text, `${FILES}/monthly_xml_2024-2.xml`, "2024-02-02", window);
  expect(namesOf(parsed)).toEqual(["2024-02 2024-02-01…2024-02-29"]);
});

const whole = list(ROWS.join(""));
test.each<readonly [string, string, string]>([
  [
    "a cut-off file",
    whole.slice(0, whole.lastIndexOf("<rateNew>")),
    "Missing end tag for element exchangeRate",
  ],
  ["another list", "<list/>", "the document is a list"],
  ["another month", list(ROWS.join(""), "01/May/2026 to 31/May/2026"), "the rates of 2026-05 are under"],
  ["half a month", list(ROWS.join(""), "01/Jun/2026 to 15/Jun/2026"), "not a calendar month"],
  ["a period that begins late", list(ROWS.join(""), "02/Jun/2026 to 30/Jun/2026"), "not a calendar month"],
  [
    "a month that does not exist",
    list(ROWS.join(""), "01/Juin/2026 to 30/Juin/2026"),
    "not a calendar month",
  ],
  ["no rows", list(""), "without rates"],
  ["no digits", list(row("USA", "USD", "NaN")), "USD is not a rate"],
  ["lower case", list(row("USA", "usd", "1.34")), "not a currency code"],
  [
    "a row without a rate",
    list("<exchangeRate><currencyCode>USD</currencyCode></exchangeRate>"),
    "without <rateNew>",
  ],
])("%s is refused", (_, text, reason) => expect(reasonOf(() => parse(text))).toContain(reason));

test("a month further ahead than HMRC ever publishes", () => {
  expect(reasonOf(() => parse(whole, undefined, "2026-05-10"))).toContain("in the future");
});

describe("routes", () => {
  test("the month in force, by every address it is known to have", () => {
    expect(GBR_MONTHLY.routes(june).map(({ requests }) => requests.map(({ url }) => url))).toEqual([
      [`${FILES}/monthly_xml_2026-6.xml`],
      ["https://www.trade-tariff.service.gov.uk/uk/api/exchange_rates/files/monthly_xml_2026-6.xml"],
    ]);
  });

  test("every address gives the same publication", () => {
    const text = list(ROWS.join(""));
    const read = GBR_MONTHLY.routes(june).map((route) => {
      return publicationsOf(route.parse(answer(text, route.requests[0]?.url ?? "", "2026-06-10"), june));
    });
    expect(read[1]).toEqual(read[0] ?? []);
  });

  test("next month's is requested from the penultimate Thursday on, and read ahead of its time", () => {
    // Thursdays of June 2026: 4, 11, 18, 25.
    expect(urlsOf(GBR_MONTHLY, windowOf("latest", "2026-06-10", "2026-06-17"))).toHaveLength(1);
    const ahead = windowOf("latest", "2026-06-10", "2026-06-18");
    expect(urlsOf(GBR_MONTHLY, ahead)[1]).toEndWith("2026-7.xml");
    const july = list(ROWS.join(""), "01/Jul/2026 to 31/Jul/2026");
    const parsed = parse(july, `${FILES}/monthly_xml_2026-7.xml`, "2026-06-18", ahead);
    expect(namesOf(parsed)).toEqual(["2026-07 2026-07-01…2026-07-31"]);
  });

  test("a history is one file a month since 2021, and nothing before", () => {
    const history = urlsOf(GBR_MONTHLY, windowOf("history", "1999-01-04", "2026-06-30"));
    expect(history).toHaveLength(66);
    expect(history[0]).toEndWith("2021-1.xml");
    expect(history.at(-1)).toEndWith("2026-6.xml");
    expect(GBR_MONTHLY.routes(windowOf("history", "1999-01-04", "2020-12-31"))).toEqual([]);
  });

  test("over a turn of the year", () => {
    const december = windowOf("latest", "2026-12-20", "2026-12-28");
    expect(urlsOf(GBR_MONTHLY, december).map((url) => url.slice(-11))).toEqual([
      "2026-12.xml",
      "_2027-1.xml",
    ]);
  });
});

describe("real files", () => {
  const cases = [
    ["hmrc-monthly-2025-12.xml", "2025-12", 142, ["1 GBP = 1.3126 USD mid", "1 GBP = 40.9663 TWD mid"]],
    ["hmrc-monthly-2026-06.xml", "2026-06", 141, ["1 GBP = 1.3399 USD mid", "1 GBP = 42.3831 TWD mid"]],
  ] as const;
  for (const [file, month, currencies, some] of cases) {
    testOn(`official/${file}`)(file, () => {
      const text = realText(file);
      const window = windowOf("recent", `${month}-01`, `${month}-05`);
      const url = urlsOf(GBR_MONTHLY, window)[0] ?? "";
      const parsed = parse(text, url, `${month}-05`, window);
      const [reading] = publicationsOf(parsed);
      expect(reading?.publication).toBe(month);
      expect(reading?.rows).toHaveLength(currencies);
      expect(rowsOf(reading ?? { rows: [] })).toEqual(expect.arrayContaining([...some]));
      expect(parsed).not.toHaveProperty("note");
      expect(formatDay(reading?.validFrom ?? 0)).toBe(`${month}-01`);
    });
  }
});
