/** The US Treasury's reporting rates: a table a quarter, a further one for each amendment, codes by name or not at all. */

import { describe, expect, test } from "bun:test";
import { UpstreamFault } from "#domain/faults/upstream.ts";
import { USA_TREASURY } from "#sources/official/treasury.ts";
import { treasuryCurrency } from "#sources/official/treasury-currencies.ts";
import { reasonOf, windowOf } from "#test/sources/documents.ts";
import { testOn } from "#test/support/shared-data.ts";
import { answer, namesOf, publicationsOf, realText, routeOf, rowsOf, urlsOf } from "./tables.ts";

const year = windowOf("recent", "2026-01-01", "2026-12-31");
const line = (name: string, rate: unknown, recorded = "2026-06-30", effective = recorded) => ({
  record_date: recorded,
  country_currency_desc: name,
  exchange_rate: rate,
  effective_date: effective,
});
const page = (data: readonly object[], meta: object = {}) =>
  JSON.stringify({
    data,
    meta: { count: data.length, labels: {}, "total-count": data.length, "total-pages": 1, ...meta },
    links: { self: "", next: null },
  });
const LINES = [line("Mexico-Peso", "17.077"), line("Japan-Yen", "144.50"), line("Euro Zone-Euro", "0.87")];
const parse = (text: string, window = year, came = "2026-10-15") =>
  routeOf(USA_TREASURY, window).parse(answer(text, "https://example.org/rates", came), window);

test("a report is named by its record date and valid from its effective date as printed, units for a dollar", () => {
  const parsed = parse(page(LINES));
  expect(namesOf(parsed)).toEqual(["2026-06-30 2026-06-30…2026-09-30"]);
  expect(publicationsOf(parsed).map(rowsOf)).toEqual([
    ["1 USD = 0.87 EUR mid", "1 USD = 144.50 JPY mid", "1 USD = 17.077 MXN mid"],
  ]);
  expect(parsed).not.toHaveProperty("note");
});

test("an amendment is a further table of the whole report from its day on; the report stays as it was", () => {
  const parsed = parse(
    page([
      ...LINES,
      line("Japan-Yen", "160.00", "2026-06-30", "2026-07-31"),
      line("Mexico-Peso", "20.5", "2026-06-30", "2026-08-31"),
    ]),
  );
  expect(namesOf(parsed)).toEqual([
    "2026-06-30 2026-06-30…2026-09-30",
    "2026-06-30-from-2026-07-31 2026-07-31…2026-09-30",
    "2026-06-30-from-2026-08-31 2026-08-31…2026-09-30",
  ]);
  expect(publicationsOf(parsed).map(rowsOf)).toEqual([
    ["1 USD = 0.87 EUR mid", "1 USD = 144.50 JPY mid", "1 USD = 17.077 MXN mid"],
    ["1 USD = 0.87 EUR mid", "1 USD = 160.00 JPY mid", "1 USD = 17.077 MXN mid"],
    ["1 USD = 0.87 EUR mid", "1 USD = 160.00 JPY mid", "1 USD = 20.5 MXN mid"],
  ]);
});

test("a report of a year's last day lies in that year, and its amendments in the next", () => {
  const lines = [
    line("Japan-Yen", "144", "2025-12-31"),
    line("Japan-Yen", "160", "2025-12-31", "2026-01-31"),
  ];
  const text = page(lines);
  expect(namesOf(parse(text, windowOf("history", "2025-01-01", "2025-12-31")))).toEqual([
    "2025-12-31 2025-12-31…2026-03-31",
  ]);
  expect(namesOf(parse(text))).toEqual(["2025-12-31-from-2026-01-31 2026-01-31…2026-03-31"]);
});

test("amendments without their report, or from a day outside its quarter, are in no table, and reported", () => {
  const orphan = parse(page([...LINES, line("Japan-Yen", "150", "2026-03-31", "2026-05-31")]));
  expect(namesOf(orphan)).toEqual(["2026-06-30 2026-06-30…2026-09-30"]);
  expect(orphan).toMatchObject({ note: "left out: amendments of 2026-03-31, which is not there itself" });
  const outside = parse(page([...LINES, line("Japan-Yen", "150", "2026-06-30", "2026-10-01")]));
  expect(outside).toMatchObject({ note: "left out: japan-yen of 2026-06-30 from 2026-10-01" });
  const between = parse(page([...LINES, line("Japan-Yen", "150", "2026-05-31")]));
  expect(between).toMatchObject({ note: "left out: japan-yen of 2026-05-31 from 2026-05-31" });
});

test("names that are no known currency are left out and reported; dollar and euro countries are passed over", () => {
  const others = ["Atlantis-Drachm", "Ecuador-Dolares", "Cyprus-Euro", "Venezuela-Fuerte (OLD)"];
  const parsed = parse(page([...LINES, ...others.map((name) => line(name, "1.0"))]));
  expect(publicationsOf(parsed)[0]?.rows).toHaveLength(3);
  expect(parsed).toMatchObject({ note: 'left out: "Atlantis-Drachm"; "Venezuela-Fuerte (OLD)"' });
});

test("countries that share a currency are one row; where they differ the currency is left out and reported", () => {
  const zone = ["Benin-CFA Franc", "Togo-Cfa Franc"];
  const same = parse(page([...LINES, ...zone.map((name, at) => line(name, at === 0 ? "615.0" : "615"))]));
  expect(rowsOf(publicationsOf(same)[0] ?? { rows: [] })).toContain("1 USD = 615.0 XOF mid");
  const other = parse(page([...LINES, line("Sudan-Pound", "635"), line("Sudan-Pound", "725")]));
  expect(publicationsOf(other)[0]?.rows).toHaveLength(3);
  expect(other).toMatchObject({ note: "left out: SDG of 2026-06-30, at two rates" });
});

test("rates printed as JSON numbers keep their digits", () => {
  const text = page([line("Japan-Yen", "@")]).replace('"@"', "144.50");
  expect(rowsOf(publicationsOf(parse(text))[0] ?? { rows: [] })).toEqual(["1 USD = 144.50 JPY mid"]);
});

test("no lines are nothing published", () => {
  expect(parse(page([], { "total-pages": 0 })).outcome).toBe("empty");
});

test("the service's own error is a fault", () => {
  const error = JSON.stringify({ error: "Invalid Query Param", message: "Invalid query parameter 'fliter'" });
  expect(() => parse(error)).toThrow(UpstreamFault);
  expect(() => parse(error)).toThrow("Invalid Query Param");
});

test.each<readonly [string, string, string]>([
  ["a cut-off answer", page(LINES).slice(0, -5), "Treasury reporting rates: "],
  ["the first of several pages", page(LINES, { "total-pages": 2, "total-count": 6 }), "2 pages"],
  ["fewer lines than there are", page(LINES, { "total-count": 4 }), "3 lines of 4"],
  ["no count", page(LINES, { "total-count": null }), "3 lines of an unknown number"],
  ["no meta", JSON.stringify({ data: LINES }), 'no object "meta"'],
  ["a report of the future", page([line("Japan-Yen", "144", "2026-12-31")]), "in the future"],
  ["no date", page([line("Japan-Yen", "144", "06/30/2026")]), "not a date"],
  ["no effective date", page([line("Japan-Yen", "144", "2026-06-30", "null")]), "not a date"],
  ["no digits", page([line("Japan-Yen", "NaN")]), "Japan-Yen is not a rate"],
  ["no rate", page([line("Japan-Yen", null)]), "Japan-Yen is not a rate"],
  [
    "a line without a name",
    page([{ ...line("", "1"), country_currency_desc: null }]),
    "without country_currency_desc",
  ],
  [
    "only lines that are left out",
    page([line("Sudan-Pound", "635"), line("Sudan-Pound", "725")]),
    "without rates",
  ],
])("%s is refused", (_, text, reason) => expect(reasonOf(() => parse(text))).toContain(reason));

describe("routes", () => {
  test("a page a year, from the report at the end of the year before", () => {
    const [first, ...more] = urlsOf(USA_TREASURY, year);
    expect(more).toEqual([]);
    expect(first).toContain("filter=record_date:gte:2025-12-31,record_date:lte:2026-12-31&");
    expect(first).toContain("page%5Bnumber%5D=1&page%5Bsize%5D=5000");
  });

  test("the newest report may be of the year before; none is older than the names are sure", () => {
    expect(urlsOf(USA_TREASURY, windowOf("latest", "2026-01-10", "2026-01-10"))).toHaveLength(2);
    expect(urlsOf(USA_TREASURY, windowOf("history", "1999-01-04", "2026-06-30"))).toHaveLength(5);
    const [oldest] = urlsOf(USA_TREASURY, windowOf("history", "1999-01-04", "2022-12-31"));
    expect(oldest).toContain("filter=record_date:gte:2022-12-31,record_date:lte:2022-12-31&");
    expect(USA_TREASURY.routes(windowOf("history", "1999-01-04", "2022-12-30"))).toEqual([]);
  });
});

test("names are known in either spelling, whatever their capitals", () => {
  for (const [name, code] of [
    ["Cote D'Ivoire-Cfa Franc", "XOF"],
    ["Republic Of North Macedonia-Denar", "MKD"],
    ["Tonga-Pa'Anga", "TOP"],
    ["Moldova-LEU", "MDL"],
    ["Taiwan-Dollar", "TWD"],
    ["South Sudan-Sudanese Pound", "SSP"],
    ["Marshall Islands-U.S. Dollar", "none"],
    ["Croatia-Euro", "none"],
    ["Euro Zone-Euro", "EUR"],
    ["Sierra Leone-Old Leone", null],
    ["United States-Dollar", null],
  ] as const) {
    expect(treasuryCurrency(name)).toBe(code);
  }
});

testOn("official/ustreasury_rates_of_exchange.shape.json")(
  "the real shape: a line from before the names are sure is outside, the same line of a later report is read",
  () => {
    const text = realText("ustreasury_rates_of_exchange.shape.json");
    const window = windowOf("recent", "2023-06-30", "2023-09-29");
    const parsed = parse(text, window, "2023-07-15");
    expect(namesOf(parsed)).toEqual(["2023-06-30 2023-06-30…2023-09-30"]);
    expect(publicationsOf(parsed).map(rowsOf)).toEqual([["1 USD = 17.077 MXN mid"]]);
    expect(parse(text, windowOf("recent", "2023-07-01", "2023-12-31"), "2023-10-15").outcome).toBe("empty");
  },
);
