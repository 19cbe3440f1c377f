/** The US Treasury's reporting rates: a table a quarter, a further one for each amendment, codes by name or not at all. */

import { expect, test } from "bun:test";
import { treasuryCurrency, USA_TREASURY } from "#sources/official/treasury.ts";
import { windowOf } from "#test/sources/documents.ts";
import { realDocument, testOn } from "#test/support/shared-data.ts";
import { faultOf, publicationsOf, testsOf } from "./tables.ts";

const american = testsOf(USA_TREASURY, {
  window: windowOf("recent", "2026-01-01", "2026-12-31"),
  at: "2026-10-15",
});
const line = (name: string | null, rate: unknown, recorded = "2026-06-30", effective = recorded) => ({
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
const JUNE = "2026-06-30 2026-06-30…2026-09-30: ";
const REPORT = "1 USD = 0.87 EUR mid, 1 USD = 144.50 JPY mid, 1 USD = 17.077 MXN mid";
/** The lines of a page with the usual report and more, and its note. */
const readMore = (...more: object[]) => {
  const parsed = american.parse(page([...LINES, ...more]));
  return [publicationsOf(parsed)[0]?.rows.length, "note" in parsed ? parsed.note : undefined];
};

test("a report is named by its record date and valid from its effective date as printed, units for a dollar", () => {
  expect(american.lines(page(LINES))).toEqual([JUNE + REPORT]);
  expect(readMore()).toEqual([3, undefined]);
});

test("an amendment is a further table of the whole report from its day on, up to the last of its quarter; the report stays as it was", () => {
  const yen = line("Japan-Yen", "160.00", "2026-06-30", "2026-07-31");
  const peso = line("Mexico-Peso", "20.5", "2026-06-30", "2026-09-30");
  const amended = REPORT.replace("144.50", "160.00");
  expect(american.lines(page([...LINES, yen, peso]))).toEqual([
    JUNE + REPORT,
    `2026-06-30-from-2026-07-31 2026-07-31…2026-09-30: ${amended}`,
    `2026-06-30-from-2026-09-30 2026-09-30…2026-09-30: ${amended.replace("17.077", "20.5")}`,
  ]);
});

test("a report of a year's last day lies in that year, and its amendments in the next", () => {
  const text = page([
    line("Japan-Yen", "144", "2025-12-31"),
    line("Japan-Yen", "160", "2025-12-31", "2026-01-31"),
  ]);
  const window = windowOf("history", "2025-01-01", "2025-12-31");
  expect(american.lines(text, { window })).toEqual(["2025-12-31 2025-12-31…2026-03-31: 1 USD = 144 JPY mid"]);
  expect(american.lines(text)).toEqual([
    "2025-12-31-from-2026-01-31 2026-01-31…2026-03-31: 1 USD = 160 JPY mid",
  ]);
});

test.each([
  [
    "amendments without their report",
    [line("Japan-Yen", "150", "2026-03-31", "2026-05-31")],
    "amendments of 2026-03-31, which is not there itself",
  ],
  [
    "an amendment from a day outside its quarter",
    [line("Japan-Yen", "150", "2026-06-30", "2026-10-01")],
    "japan-yen of 2026-06-30 from 2026-10-01",
  ],
  [
    "a report within a quarter",
    [line("Japan-Yen", "150", "2026-05-31")],
    "japan-yen of 2026-05-31 from 2026-05-31",
  ],
  [
    "names that are no known currency, but not dollar and euro countries",
    ["Atlantis-Drachm", "Ecuador-Dolares", "Cyprus-Euro", "Venezuela-Fuerte (OLD)"].map((name) =>
      line(name, "1.0"),
    ),
    '"Atlantis-Drachm"; "Venezuela-Fuerte (OLD)"',
  ],
  [
    "a currency with two rates",
    [line("Sudan-Pound", "635"), line("Sudan-Pound", "725")],
    "SDG of 2026-06-30, at two rates",
  ],
])("%s are in no table, and reported", (_, lines, left) =>
  expect(readMore(...lines)).toEqual([3, `left out: ${left}`]),
);

test("countries that share a currency are one row; rates printed as JSON numbers keep their digits", () => {
  const zone = [line("Benin-CFA Franc", "615.0"), line("Togo-Cfa Franc", "615")];
  expect(american.lines(page(zone))).toEqual([`${JUNE}1 USD = 615.0 XOF mid`]);
  const text = page([line("Japan-Yen", "@")]).replace('"@"', "144.50");
  expect(american.lines(text)).toEqual([`${JUNE}1 USD = 144.50 JPY mid`]);
});

test("no lines are nothing published; the service's own error is a fault", () => {
  expect(american.parse(page([], { "total-pages": 0 })).outcome).toBe("empty");
  const error = JSON.stringify({ error: "Invalid Query Param", message: "Invalid query parameter 'fliter'" });
  expect(faultOf(() => american.parse(error)).message).toContain("Invalid Query Param");
});

american.keepsContract(page(LINES), "17.077");
american.refuses([
  ["the first of several pages", page(LINES, { "total-pages": 2, "total-count": 6 }), "2 pages"],
  ["fewer lines than there are", page(LINES, { "total-count": 4 }), "3 lines of 4"],
  ["no count", page(LINES, { "total-count": null }), "3 lines of an unknown number"],
  ["no meta", JSON.stringify({ data: LINES }), 'no object "meta"'],
  ["no date", page([line("Japan-Yen", "144", "06/30/2026")]), "not a date"],
  ["no effective date", page([line("Japan-Yen", "144", "2026-06-30", "null")]), "not a date"],
  ["no rate", page([line("Japan-Yen", null)]), "Japan-Yen is not a rate"],
  ["a line without a name", page([line(null, "1")]), "without country_currency_desc"],
  ["two rates alone", page([line("Sudan-Pound", "635"), line("Sudan-Pound", "725")]), "without rates"],
]);

test("a page a year, from the report at the end of the year before; none is older than the names are sure", () => {
  const filters = (reach: "latest" | "recent" | "history", from: string, to: string) =>
    american.urls(reach, from, to).map((url) => url.match(/\d{4}-\d{2}-\d{2}/g)?.join(".."));
  expect(american.urls("recent", "2026-01-01", "2026-12-31")[0]).toContain(
    "filter=record_date:gte:2025-12-31,record_date:lte:2026-12-31&sort=record_date,country_currency_desc" +
      "&page%5Bnumber%5D=1&page%5Bsize%5D=5000",
  );
  expect(filters("recent", "2026-01-01", "2026-12-31")).toEqual(["2025-12-31..2026-12-31"]);
  expect(filters("latest", "2026-01-10", "2026-01-10")).toHaveLength(2);
  expect(filters("history", "1999-01-04", "2026-06-30")).toHaveLength(5);
  expect(filters("history", "1999-01-04", "2022-12-31")).toEqual(["2022-12-31..2022-12-31"]);
  expect(filters("history", "1999-01-04", "2022-12-30")).toEqual([]);
});

test.each([
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
])("%s is %s, whatever its capitals", (name, code) => expect(treasuryCurrency(name)).toBe(code));

const SHAPE = "official/ustreasury_rates_of_exchange.shape.json";
testOn(SHAPE)(
  "the real shape: a line from before the names are sure is outside, that of a later report is read",
  () => {
    const arrival = { window: windowOf("recent", "2023-06-30", "2023-09-29"), at: "2023-07-15" };
    expect(american.lines(realDocument(SHAPE), arrival)).toEqual([
      "2023-06-30 2023-06-30…2023-09-30: 1 USD = 17.077 MXN mid",
    ]);
    const later = { window: windowOf("recent", "2023-07-01", "2023-12-31"), at: "2023-10-15" };
    expect(american.parse(realDocument(SHAPE), later).outcome).toBe("empty");
  },
);
