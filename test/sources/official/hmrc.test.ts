/** HMRC's monthly rates: one table a month, whatever its address, and nothing that is not that month's table. */

import { describe, expect, test } from "bun:test";
import { GBR_MONTHLY } from "#sources/official/hmrc.ts";
import { windowOf } from "#test/sources/documents.ts";
import { realDocument, testOn } from "#test/support/shared-data.ts";
import { publicationsOf, rowsOf, testsOf } from "./tables.ts";

const SITE = "https://www.trade-tariff.service.gov.uk";
const fileOf = (month: string, folder = "api/v2") =>
  `${SITE}/${folder}/exchange_rates/files/monthly_xml_${month}.xml`;
const british = testsOf(GBR_MONTHLY, {
  window: windowOf("latest", "2026-06-01", "2026-06-10"),
  at: "2026-06-10",
  url: fileOf("2026-6"),
});

const row = (country: string, code: string, rate: string) =>
  `<exchangeRate><countryName>${country}</countryName><countryCode>XX</countryCode>` +
  `<currencyName>Money</currencyName><currencyCode>${code}</currencyCode><rateNew>${rate}</rateNew></exchangeRate>`;
const ROWS = [
  row("USA", "USD", "1.3400"),
  row("Antigua &amp; Barbuda", "XCD", "3.6200"),
  row("Grenada", "XCD", "3.62"),
].join("");
const list = (rows = ROWS, period = "01/Jun/2026 to 30/Jun/2026") =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<exchangeRateMonthList Period="${period}">${rows}</exchangeRateMonthList>`;
const JUNE = "2026-06 2026-06-01…2026-06-30: 1 GBP = 1.3400 USD mid, 1 GBP = 3.6200 XCD mid";

test("a month is named by itself, valid from its first to its last day, a row for each currency, by every address", () => {
  for (const [name, url] of british.routes("latest", "2026-06-01", "2026-06-10"))
    expect(british.lines(list(), { route: name as string, url: url as string })).toEqual([JUNE]);
  expect(british.parse(list())).not.toHaveProperty("note");
});

test("a currency with two rates is left out and reported, the others are published", () => {
  const parsed = british.parse(list(ROWS + row("Dominica", "XCD", "3.9000")));
  expect(publicationsOf(parsed).map(rowsOf)).toEqual([["1 GBP = 1.3400 USD mid"]]);
  expect(parsed).toMatchObject({ note: "2026-06: two rates for XCD, left out" });
});

test("leap years have their February", () => {
  const window = windowOf("recent", "2024-02-01", "2024-02-02");
  const february = list(ROWS, "01/Feb/2024 to 29/Feb/2024");
  const [line] = british.lines(february, { window, url: fileOf("2024-2"), at: "2024-02-02" });
  expect(line).toStartWith("2024-02 2024-02-01…2024-02-29: ");
});

british.keepsContract(list(), "1.3400");
british.refuses([
  ["another list", "<list/>", "the document is a list"],
  ["another month", list(ROWS, "01/May/2026 to 31/May/2026"), "the rates of 2026-05 are under"],
  ["half a month", list(ROWS, "01/Jun/2026 to 15/Jun/2026"), "not a calendar month"],
  ["a period that begins late", list(ROWS, "02/Jun/2026 to 30/Jun/2026"), "not a calendar month"],
  ["a month that does not exist", list(ROWS, "01/Juin/2026 to 30/Juin/2026"), "not a calendar month"],
  ["a list without rows", list(""), "without rates"],
  ["a code in lower case", list(row("USA", "usd", "1.34")), "not a currency code"],
  ["a row without a rate", list(ROWS.replace("<rateNew>1.3400</rateNew>", "")), "without <rateNew>"],
  ["a month further ahead than HMRC ever publishes", list(), "in the future", { at: "2026-05-10" }],
]);

describe("routes", () => {
  const months = (reach: "latest" | "history", from: string, to: string) =>
    british.urls(reach, from, to).map((url) => url.replace(/^.*_xml_|\.xml$/g, ""));

  test("the month in force, by every address it is known to have", () => {
    for (const to of ["2026-06-01", "2026-06-10"])
      expect(british.routes("latest", "2026-06-01", to).map(([, ...urls]) => urls)).toEqual([
        [fileOf("2026-6")],
        [fileOf("2026-6", "uk/api")],
      ]);
  });

  test("next month's is requested from the penultimate Thursday on, and read ahead of its time", () => {
    // Thursdays of June 2026: 4, 11, 18, 25.
    expect(months("latest", "2026-06-10", "2026-06-17")).toEqual(["2026-6"]);
    expect(months("latest", "2026-06-10", "2026-06-18")).toEqual(["2026-6", "2026-7"]);
    expect(months("latest", "2026-12-20", "2026-12-28")).toEqual(["2026-12", "2027-1"]);
    const window = windowOf("latest", "2026-06-10", "2026-06-18");
    const july = list(ROWS, "01/Jul/2026 to 31/Jul/2026");
    const [line] = british.lines(july, { window, url: fileOf("2026-7"), at: "2026-06-18" });
    expect(line).toStartWith("2026-07 2026-07-01…2026-07-31: ");
  });

  test("a history is one file a month since 2021, and nothing before", () => {
    const history = months("history", "1999-01-04", "2026-06-30");
    expect([history.length, history[0], history.at(-1)]).toEqual([66, "2021-1", "2026-6"]);
    expect(british.routes("history", "1999-01-04", "2020-12-31")).toEqual([]);
  });
});

describe("real files", () => {
  for (const [month, currencies, ...some] of [
    ["2025-12", 142, "1 GBP = 1.3126 USD mid", "1 GBP = 40.9663 TWD mid"],
    ["2026-06", 141, "1 GBP = 1.3399 USD mid", "1 GBP = 42.3831 TWD mid"],
  ] as const) {
    const path = `official/hmrc-monthly-${month}.xml`;
    testOn(path)(path, () => {
      const [from, to] = [`${month}-01`, `${month}-05`];
      const url = british.urls("recent", from, to)[0] as string;
      const parsed = british.parse(realDocument(path), { window: windowOf("recent", from, to), url, at: to });
      const [reading] = publicationsOf(parsed);
      expect([reading?.publication, reading?.rows.length]).toEqual([month, currencies]);
      expect(rowsOf(reading ?? { rows: [] })).toEqual(expect.arrayContaining([...some]));
      expect(parsed).not.toHaveProperty("note");
    });
  }
});
