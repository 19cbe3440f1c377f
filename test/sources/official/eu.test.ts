/** The Union's two tables from the ECB's files: reference rates the same by every file, and customs rates of the second-to-last Wednesday. */

import { describe, expect, test } from "bun:test";
import { penultimateInMonth } from "#domain/history/periods.ts";
import { fingerprintOf } from "#domain/official/doubts.ts";
import { formatDay, weekdayOf } from "#domain/time/day.ts";
import { EUE_CUSTOMS, EUE_REFERENCE, type EuroDay, euCustomsReading } from "#sources/official/eu.ts";
import { day, windowOf } from "#test/sources/documents.ts";
import { zipOf as archiveOf } from "#test/sources/zip-writer.ts";
import { realDocument, realText, testOn } from "#test/support/shared-data.ts";
import { linesOf, publicationsOf, rowsOf, testsOf } from "./tables.ts";

const ZIP = "https://example.org/eurofxref-hist.zip";
const XML = "https://example.org/eurofxref-hist-90d.xml";
const DECEMBER = windowOf("recent", "2025-12-29", "2026-01-02");
const reference = testsOf(EUE_REFERENCE, { window: DECEMBER, at: "2026-01-02T15:00:00Z", url: XML });
const NOVEMBER = windowOf("latest", "2026-11-20", "2026-11-20");
const customs = testsOf(EUE_CUSTOMS, { window: NOVEMBER, at: "2026-11-20", url: XML });

const cube = (date: string, rates: Readonly<Record<string, string>>) =>
  `<Cube time="${date}">${Object.entries(rates)
    .map(([code, rate]) => `<Cube currency='${code}' rate='${rate}'/>`)
    .join("")}</Cube>`;
const xml = (...cubes: readonly string[]) =>
  `<?xml version="1.0"?><gesmes:Envelope><gesmes:subject>Reference rates</gesmes:subject><Cube>${cubes.join("")}</Cube></gesmes:Envelope>`;
const zipOf = (content: string) => archiveOf([{ name: "eurofxref-hist.csv", content }]);
const csv = (...lines: readonly string[]) =>
  zipOf(`Date,USD,JPY,BGN,SIT,\n${lines.map((line) => `${line},\n`).join("")}`);
const filesOf = (routes: readonly (readonly string[])[]) =>
  routes.flatMap(([, ...urls]) => urls.map((url) => url.replace(/^.*\/eurofxref-/, "")));

describe("reference rates", () => {
  const BOTH = xml(
    cube("2026-01-02", { USD: "1.1700", JPY: "184.10" }),
    cube("2025-12-31", { USD: "1.1750", JPY: "184.00", BGN: "1.9558" }),
  );

  test("a day is a publication named by it, with currencies outside the catalog, the same by XML and by zip", () => {
    const lines = [
      "2025-12-31 2025-12-31…: 1 EUR = 1.9558 BGN mid, 1 EUR = 184.00 JPY mid, 1 EUR = 1.1750 USD mid",
      "2026-01-02 2026-01-02…: 1 EUR = 184.10 JPY mid, 1 EUR = 1.1700 USD mid",
    ];
    expect(reference.lines(BOTH)).toEqual(lines);
    // The zip leaves out zeros at the end.
    const zip = csv("2026-01-02,1.17,184.1,N/A,N/A", "2025-12-31,1.175,184,1.9558,N/A");
    expect(reference.lines(zip, { url: ZIP })).toEqual(lines);
  });

  test("days outside the window are passed over, and so are days without any rate", () => {
    const window = windowOf("recent", "2026-01-01", "2026-01-01");
    expect(reference.parse(BOTH, { window }).outcome).toBe("empty");
    const zip = csv("2026-01-02,N/A,N/A,N/A,N/A", "2025-12-31,1.175,184,,");
    expect(reference.lines(zip, { url: ZIP })).toHaveLength(1);
  });

  reference.keepsContract(BOTH, "1.1700");
  // The readers of both files are tested in ../ecb/ecb.test.ts.
  reference.refuses([
    ["another XML", "<Envelope/>", "the document is not a"],
    ["an XML without days", xml(), "no day in it"],
    ["a day of the future", xml(cube("2026-01-05", { USD: "1.1" })), "in the future"],
    ["a day before its rates are observed", BOTH, "in the future", { at: "2026-01-02T12:59:59Z" }],
    ["a Saturday", xml(cube("2025-12-27", { USD: "1.1" })), "a weekend"],
    ["a code in lower case", xml(cube("2026-01-02", { usd: "1.17" })), "not a currency code"],
    ["something else in a day", xml('<Cube time="2026-01-02"><Rate/></Cube>'), "holds something else"],
    ["a zip that is cut off", csv("2026-01-02,1.17,184.1,N/A,N/A").slice(0, -10), "zip", { url: ZIP }],
  ]);

  test("the newest from the day's XML, the last weeks from 90 days, the rest from the zip; never SDMX", () => {
    const files = (...question: Parameters<typeof reference.routes>) =>
      filesOf(reference.routes(...question));
    expect(files("latest", "2026-01-02", "2026-01-02")).toEqual(["daily.xml", "hist-90d.xml"]);
    expect(files("recent", "2025-12-03", "2026-01-02")).toEqual(["hist-90d.xml", "hist.zip"]);
    expect(files("recent", "2025-06-03", "2026-01-02")).toEqual(["hist.zip"]);
    expect(files("history", "1990-01-01", "1999-12-31")).toEqual(["hist.zip"]);
    expect(files("history", "1990-01-01", "1999-01-03")).toEqual([]);
    expect(reference.urls("latest", "2026-01-02", "2026-01-02")[0]).toStartWith("https://www.ecb.europa.eu/");
  });
});

describe("customs rates", () => {
  const euro = (date: string, rates: Readonly<Record<string, string>>): EuroDay => ({
    date: day(date),
    rows: () =>
      Object.entries(rates).map(([quote, rate]) => ({ base: "EUR", quote, rate, unit: 1, kind: "mid" })),
  });
  // May 2026: the Wednesdays are 6, 13, 20, 27.
  const before = euro("2026-05-19", { USD: "1.1600" });
  const wednesday = euro("2026-05-20", { HRK: "7.5345", JPY: "184.10", USD: "1.1700" });
  const after = euro("2026-05-21", { USD: "1.1800" });
  const june = (days: readonly EuroDay[], of = "2026-06-01") => {
    const reading = euCustomsReading(day(of), days);
    return reading && linesOf({ outcome: "publications", publications: [reading] })[0];
  };
  const JUNE = "2026-06 2026-06-01…2026-06-30: ";

  test("are those published on the second-to-last Wednesday of the month before, outside the catalog too", () => {
    for (const of of ["2026-06-01", "2026-06-30"])
      expect(june([before, wednesday, after], of)).toBe(
        `${JUNE}1 EUR = 7.5345 HRK mid, 1 EUR = 184.10 JPY mid, 1 EUR = 1.1700 USD mid`,
      );
    const corrected = euro("2026-05-20", { USD: "1.1710" });
    expect(june([before, corrected, after])).toBe(`${JUNE}1 EUR = 1.1710 USD mid`);
  });

  test("are of no other day: without that Wednesday its rates can still come, or the file has lost them", () => {
    for (const days of [[], [before], [after], [before, after]]) expect(june(days)).toBeNull();
    expect(june([before, wednesday])).not.toBeNull();
    const lines = customs.lines(
      xml(DAYS[0] as string, cube("2026-11-17", { USD: "1.14" }), cube("2026-11-19", { USD: "1.16" })),
    );
    expect(lines).toHaveLength(1);
  });

  test.each([
    ["2026-05-01", "2026-05-20"],
    ["2026-06-30", "2026-06-17"],
    ["2025-12-15", "2025-12-24"],
    ["2025-04-30", "2025-04-23"],
    ["2024-02-29", "2024-02-21"],
  ])("the month of %s has its second-to-last Wednesday on %s", (month, expected) => {
    const found = penultimateInMonth(3, day(month));
    expect([formatDay(found), weekdayOf(found)]).toEqual([expected, 3]);
  });

  test("the table states that it is computed, and by which law", () => {
    expect(EUE_CUSTOMS.terms).toContain("Computed by this service");
    expect(EUE_CUSTOMS.terms).toContain("Article 146 of Implementing Regulation (EU) 2015/2447");
  });

  // The second-to-last Wednesdays are 21 October and 18 November.
  const DAYS = [
    cube("2026-10-21", { USD: "1.1600", JPY: "170.00" }),
    cube("2026-10-22", { USD: "1.1700" }),
    cube("2026-11-18", { USD: "1.1500" }),
  ];

  test("the month that runs and the next one come each from its Wednesday, and not before it", () => {
    const november = "2026-11 2026-11-01…2026-11-30: 1 EUR = 170.00 JPY mid, 1 EUR = 1.1600 USD mid";
    const december = "2026-12 2026-12-01…2026-12-31: 1 EUR = 1.1500 USD mid";
    expect(customs.lines(xml(...DAYS))).toEqual([november, december]);
    expect(customs.lines(xml(...DAYS.slice(0, 2)))).toEqual([november]);
    expect(customs.parse(xml(...DAYS.slice(1, 2))).outcome).toBe("empty");
  });

  customs.keepsContract(xml(...DAYS), "1.1600");

  test("the newest come from the file of 90 days, everything else from one zip", () => {
    const files = (...question: Parameters<typeof customs.routes>) => filesOf(customs.routes(...question));
    expect(files("latest", "2026-11-20", "2026-11-20")).toEqual(["hist-90d.xml", "hist.zip"]);
    expect(files("recent", "2026-08-12", "2026-11-20")).toEqual(["hist.zip"]);
    expect(files("history", "1990-01-01", "2026-11-20")).toEqual(["hist.zip"]);
    expect(files("history", "1990-01-01", "2016-03-31")).toEqual([]);
  });
});

describe("the real history", () => {
  const HISTORY = "ecb/eurofxref-hist.zip";
  const arrival = { window: windowOf("history", "1990-01-01", "2026-04-13"), at: "2026-04-13", url: ZIP };
  const byName = ({ parse }: typeof customs) =>
    new Map(publicationsOf(parse(realDocument(HISTORY), arrival)).map((one) => [one.publication, one]));
  type Named = ReturnType<typeof byName>;
  const codes = (all: Named, name: string) => all.get(name)?.rows.map(({ quote }) => quote) ?? [];
  const rows = (all: Named, name: string) => rowsOf(all.get(name) ?? { rows: [] });

  testOn(HISTORY)("has every date and every cell, currencies that are gone included", () => {
    const all = byName(reference);
    expect(all.size).toBe(6983);
    // 6,983 dates by 41 columns, of which 68,748 are N/A.
    const cells = [...all.values()].reduce((sum, one) => sum + one.rows.length, 0);
    expect(cells).toBe(6983 * 41 - 68_748);
    expect(codes(all, "2005-05-18")).toHaveLength(35);
    for (const [date, code] of [
      ["2025-12-31", "BGN"],
      ["2022-12-30", "HRK"],
      ["2022-03-01", "RUB"],
      ["1999-01-04", "SIT"],
      ["2004-12-31", "TRL"],
    ] as const)
      expect(codes(all, date)).toContain(code);
    expect(codes(all, "2026-01-02")).toHaveLength(29);
  });

  const DAILY = "ecb/eurofxref-daily.2025-10-22.xml";
  testOn(HISTORY, DAILY)("states what the day's XML states", () => {
    const [daily] = publicationsOf(reference.parse(realDocument(DAILY), { ...arrival, url: XML }));
    const all = byName(reference);
    expect(rows(all, "2025-10-22")).toContain("1 EUR = 1.9558 BGN mid");
    expect([daily, all.get("2025-10-22")].map((one) => one && fingerprintOf(one))).toEqual(
      Array(2).fill(fingerprintOf(daily as NonNullable<typeof daily>)),
    );
  });

  testOn(HISTORY, "ecb/eurofxref-hist.csv")(
    "gives customs rates for every month under the Regulation, with what its Wednesday printed",
    () => {
      const all = byName(customs);
      const names = [...all.keys()];
      expect([names[0], names.at(-1), names.length]).toEqual(["2016-05", "2026-04", 120]);
      expect(codes(all, "2022-12")).toContain("HRK");
      expect(codes(all, "2023-02")).not.toContain("HRK");
      expect(codes(all, "2026-02")).not.toContain("BGN");
      expect(rows(all, "2025-12")).toContain("1 EUR = 1.9558 BGN mid");
      const lines = realText("ecb/eurofxref-hist.csv").split("\n");
      const [, usd] = lines.find((line) => line.startsWith("2025-11-19"))?.split(",") ?? [];
      expect(rows(all, "2025-12")).toContain(`1 EUR = ${Number(usd).toFixed(4)} USD mid`);
    },
  );
});
