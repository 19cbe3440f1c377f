/** The Union's customs rates: the ECB's rates of the second-to-last Wednesday hold for the whole month after, in every currency. */

import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { penultimateInMonth } from "#domain/history/periods.ts";
import { formatDay, weekdayOf } from "#domain/time/day.ts";
import { EUE_CUSTOMS, type EuroDay, euCustomsReading } from "#sources/official/eu.ts";
import { day, reasonOf, windowOf } from "#test/sources/documents.ts";
import { answer, namesOf, publicationsOf, routeOf, rowsOf } from "#test/sources/official/tables.ts";
import { sharedDocument } from "#test/support/shared-data.ts";

const euro = (date: string, rates: Readonly<Record<string, string>>): EuroDay => ({
  date: day(date),
  rows: () =>
    Object.entries(rates).map(([quote, rate]) => ({ base: "EUR", quote, rate, unit: 1, kind: "mid" })),
});
// May 2026: the Wednesdays are 6, 13, 20, 27.
const MAY = [
  euro("2026-05-19", { USD: "1.1600" }),
  euro("2026-05-20", { HRK: "7.5345", JPY: "184.10", USD: "1.1700" }),
  euro("2026-05-21", { USD: "1.1800" }),
] as const;
const june = day("2026-06-01");

test("a month has the rates published on the second-to-last Wednesday of the month before, outside the catalog too", () => {
  const reading = euCustomsReading(june, MAY);
  expect(reading).toMatchObject({
    publication: "2026-06",
    validFrom: june,
    validTo: day("2026-06-30"),
    publishedAt: null,
  });
  expect(rowsOf(reading ?? { rows: [] })).toEqual([
    "1 EUR = 7.5345 HRK mid",
    "1 EUR = 184.10 JPY mid",
    "1 EUR = 1.1700 USD mid",
  ]);
});

test("any day names its month", () => {
  expect(euCustomsReading(day("2026-06-30"), MAY)).toEqual(euCustomsReading(june, MAY));
});

test("without rates that Wednesday the most recent before it, as soon as a later day shows that none came", () => {
  const without = [MAY[0], MAY[2]];
  expect(rowsOf(euCustomsReading(june, without) ?? { rows: [] })).toEqual(["1 EUR = 1.1600 USD mid"]);
  expect(euCustomsReading(june, without.slice(0, 1))).toBeNull();
});

test("nothing before the Wednesday is over, and nothing from days that do not reach back to it", () => {
  expect(euCustomsReading(june, [])).toBeNull();
  expect(euCustomsReading(june, MAY.slice(0, 1))).toBeNull();
  expect(euCustomsReading(june, MAY.slice(0, 2))).not.toBeNull();
  expect(euCustomsReading(june, MAY.slice(2))).toBeNull();
  expect(euCustomsReading(june, [euro("2026-05-12", { USD: "1.15" }), ...MAY.slice(2)])).toBeNull();
});

test("a correction of the figure is other content under the same name", () => {
  const corrected = [MAY[0], euro("2026-05-20", { USD: "1.1710" }), MAY[2]];
  expect(euCustomsReading(june, corrected)?.publication).toBe("2026-06");
  expect(rowsOf(euCustomsReading(june, corrected) ?? { rows: [] })).toContain("1 EUR = 1.1710 USD mid");
});

test("every month has a second-to-last Wednesday, a week before the last", () => {
  for (const [month, expected] of [
    ["2026-05-01", "2026-05-20"],
    ["2026-06-30", "2026-06-17"],
    ["2025-12-15", "2025-12-24"],
    ["2025-04-30", "2025-04-23"],
    ["2024-02-29", "2024-02-21"],
  ] as const) {
    expect(formatDay(penultimateInMonth(3, day(month)))).toBe(expected);
    expect(weekdayOf(penultimateInMonth(3, day(month)))).toBe(3);
  }
});

test("the table states that it is computed, and by which law", () => {
  expect(EUE_CUSTOMS.terms).toContain("Computed by this service");
  expect(EUE_CUSTOMS.terms).toContain("Article 146 of Implementing Regulation (EU) 2015/2447");
});

describe("as a table", () => {
  const XML = "https://example.org/eurofxref-hist-90d.xml";
  const cubes = (days: readonly EuroDay[]) =>
    days.map(({ date, rows }) => {
      const rates = rows().map(({ quote, rate }) => `<Cube currency="${quote}" rate="${rate}"/>`);
      return `<Cube time="${formatDay(date)}">${rates.join("")}</Cube>`;
    });
  const xml = (...days: readonly EuroDay[]) =>
    `<gesmes:Envelope><Cube>${cubes(days).join("")}</Cube></gesmes:Envelope>`;
  const today = windowOf("latest", "2026-11-20", "2026-11-20");
  const parse = (text: string, window = today) =>
    routeOf(EUE_CUSTOMS, window).parse(answer(text, XML, "2026-11-20"), window);
  // The second-to-last Wednesdays are 21 October and 18 November.
  const DAYS = [
    euro("2026-10-21", { USD: "1.1600", JPY: "170.00" }),
    euro("2026-10-22", { USD: "1.1700" }),
    euro("2026-11-18", { USD: "1.1500" }),
  ];

  test("the month that runs and the next one, each from its Wednesday", () => {
    const parsed = parse(xml(...DAYS));
    expect(namesOf(parsed)).toEqual(["2026-11 2026-11-01…2026-11-30", "2026-12 2026-12-01…2026-12-31"]);
    expect(publicationsOf(parsed).map(rowsOf)).toEqual([
      ["1 EUR = 170.00 JPY mid", "1 EUR = 1.1600 USD mid"],
      ["1 EUR = 1.1500 USD mid"],
    ]);
  });

  test("next month's rates are not there before its Wednesday has been published", () => {
    expect(namesOf(parse(xml(...DAYS.slice(0, 2)))).map((name) => name.slice(0, 7))).toEqual(["2026-11"]);
  });

  test("a document that does not reach back far enough yields nothing for a month; a broken one is refused", () => {
    expect(parse(xml(...DAYS.slice(1, 2))).outcome).toBe("empty");
    expect(reasonOf(() => parse(xml(...DAYS).slice(0, -30)))).toContain("ECB XML");
    expect(reasonOf(() => parse("<html></html>"))).toContain("an HTML page came instead");
    const doubled = xml(...DAYS).replace('currency="JPY"', 'currency="USD"');
    expect(reasonOf(() => parse(doubled))).toContain('"USD" twice on one day');
  });

  test("the newest come from the file of 90 days, everything else from one zip", () => {
    const files = (reach: "latest" | "recent" | "history", from: string) =>
      EUE_CUSTOMS.routes(windowOf(reach, from, "2026-11-20")).flatMap(({ requests }) =>
        requests.map(({ url }) => url.slice(url.lastIndexOf("/") + 1)),
      );
    expect(files("latest", "2026-11-20")).toEqual(["eurofxref-hist-90d.xml", "eurofxref-hist.zip"]);
    expect(files("recent", "2026-08-12")).toEqual(["eurofxref-hist.zip"]);
    expect(files("history", "1990-01-01")).toEqual(["eurofxref-hist.zip"]);
    expect(EUE_CUSTOMS.routes(windowOf("history", "1990-01-01", "1998-11-30"))).toEqual([]);
  });
});

const ZIP = sharedDocument("ecb/eurofxref-hist.zip");
describe.skipIf(ZIP === null)("the real history", () => {
  const window = windowOf("history", "1990-01-01", "2026-04-13");
  const months = () => {
    const bytes = new Uint8Array(readFileSync(ZIP as string));
    const zip = answer(bytes, "https://example.org/eurofxref-hist.zip", "2026-04-13");
    const found = publicationsOf(routeOf(EUE_CUSTOMS, window).parse(zip, window));
    return new Map(found.map((reading) => [reading.publication, reading]));
  };

  test("gives a table for every month since February 1999, each with every currency of its Wednesday", () => {
    const found = months();
    const names = [...found.keys()];
    expect([names[0], names.at(-1)]).toEqual(["1999-02", "2026-04"]);
    expect(names).toHaveLength(11 + 26 * 12 + 4);
    const codes = (month: string) => found.get(month)?.rows.map(({ quote }) => quote) ?? [];
    // 18 May 2005: 35 currencies, eleven of which are outside the catalog of the rates today.
    expect(codes("2005-06")).toHaveLength(35);
    for (const gone of "BGN CYP EEK HRK LTL LVL MTL ROL RUB SIT SKK".split(" ")) {
      expect(codes("2005-06")).toContain(gone);
    }
    expect(codes("2022-12")).toContain("HRK");
    expect(codes("2023-02")).not.toContain("HRK");
    expect(codes("2026-02")).not.toContain("BGN");
    expect(rowsOf(found.get("2025-12") ?? { rows: [] })).toContain("1 EUR = 1.9558 BGN mid");
  });

  test("prints what the ECB printed on the Wednesday", () => {
    const lines = readFileSync(sharedDocument("ecb/eurofxref-hist.csv") as string, "utf8").split("\n");
    const [, usd] = lines.find((line) => line.startsWith("2025-11-19"))?.split(",") ?? [];
    expect(rowsOf(months().get("2025-12") ?? { rows: [] })).toContain(
      `1 EUR = ${Number(usd).toFixed(4)} USD mid`,
    );
  });
});
