/** The ECB's reference rates as a publication: every currency that a file has, the same by every file; broken ones are refused. */

import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { fingerprintOf } from "#domain/official/doubts.ts";
import type { OfficialReading } from "#domain/official/publication.ts";
import { EUE_REFERENCE } from "#sources/official/eu.ts";
import { reasonOf, windowOf } from "#test/sources/documents.ts";
import { answer, namesOf, publicationsOf, routeOf, rowsOf, urlsOf } from "#test/sources/official/tables.ts";
import { zipOf as archiveOf } from "#test/sources/zip-writer.ts";
import { sharedDocument, testOn } from "#test/support/shared-data.ts";

const DECEMBER = windowOf("recent", "2025-12-29", "2026-01-02");
const ZIP = "https://example.org/eurofxref-hist.zip";
const XML = "https://example.org/eurofxref-hist-90d.xml";
const parse = (content: string | Uint8Array, url = XML, window = DECEMBER, came = "2026-01-02") =>
  routeOf(EUE_REFERENCE, window).parse(answer(content, url, came), window);

const cube = (date: string, rates: Readonly<Record<string, string>>) =>
  `<Cube time="${date}">${Object.entries(rates)
    .map(([code, rate]) => `<Cube currency='${code}' rate='${rate}'/>`)
    .join("")}</Cube>`;
const xml = (...cubes: readonly string[]) =>
  `<?xml version="1.0"?><gesmes:Envelope><gesmes:subject>Reference rates</gesmes:subject><Cube>${cubes.join("")}</Cube></gesmes:Envelope>`;
const BOTH = xml(
  cube("2026-01-02", { USD: "1.1700", JPY: "184.10" }),
  cube("2025-12-31", { USD: "1.1750", JPY: "184.00", BGN: "1.9558" }),
);
const zipOf = (name: string, text: string) => archiveOf([{ name, content: text }]);
const csv = (...lines: readonly string[]) =>
  zipOf("eurofxref-hist.csv", `Date,USD,JPY,BGN,SIT,\n${lines.map((line) => `${line},\n`).join("")}`);

test("a day is a publication named by it and valid until the next, with currencies outside the catalog", () => {
  const parsed = parse(BOTH);
  expect(namesOf(parsed)).toEqual(["2025-12-31 2025-12-31…", "2026-01-02 2026-01-02…"]);
  expect(publicationsOf(parsed).map(rowsOf)).toEqual([
    ["1 EUR = 1.9558 BGN mid", "1 EUR = 184.00 JPY mid", "1 EUR = 1.1750 USD mid"],
    ["1 EUR = 184.10 JPY mid", "1 EUR = 1.1700 USD mid"],
  ]);
});

test("the zip has the same, with the zeros that it leaves out where they are known", () => {
  const zip = csv("2026-01-02,1.17,184.1,N/A,N/A", "2025-12-31,1.175,184,1.9558,N/A");
  const parsed = parse(zip, ZIP);
  expect(publicationsOf(parsed).map(rowsOf)).toEqual(publicationsOf(parse(BOTH)).map(rowsOf));
});

test("days outside the window are passed over, and so are days without any rate", () => {
  expect(parse(BOTH, XML, windowOf("recent", "2026-01-01", "2026-01-01")).outcome).toBe("empty");
  expect(namesOf(parse(csv("2026-01-02,N/A,N/A,N/A,N/A", "2025-12-31,1.175,184,,"), ZIP))).toHaveLength(1);
});

test.each<readonly [string, string | Uint8Array, string, string]>([
  ["a cut-off XML", BOTH.slice(0, -30), XML, "ECB XML: "],
  ["another XML", "<Envelope/>", XML, "the document is not a"],
  ["an XML without days", xml(), XML, "no day in it"],
  ["a day without a date", xml("<Cube><Cube currency='USD' rate='1.1'/></Cube>"), XML, "without time"],
  [
    "a day twice",
    xml(cube("2026-01-02", { USD: "1" }), cube("2026-01-02", { USD: "1" })),
    XML,
    "is there twice",
  ],
  ["a day of the future", xml(cube("2026-01-05", { USD: "1.1" })), XML, "in the future"],
  ["a Saturday", xml(cube("2025-12-27", { USD: "1.1" })), XML, "a weekend"],
  ["NaN", xml(cube("2026-01-02", { USD: "NaN" })), XML, "USD of 2026-01-02 is not a rate"],
  ["no code", xml(cube("2026-01-02", { usd: "1.17" })), XML, "not a currency code"],
  ["something else in a day", xml('<Cube time="2026-01-02"><Rate/></Cube>'), XML, "holds something else"],
  ["a zip that is none", "<html></html>", ZIP, "zip"],
  ["a zip that is cut off", csv("2026-01-02,1.17,184.1,N/A,N/A").slice(0, -10), ZIP, "zip"],
  ["another header", zipOf("eurofxref-hist.csv", "Day,USD,\n2026-01-02,1.17,\n"), ZIP, "unknown header"],
  ["a row that is too short", csv("2026-01-02,1.17"), ZIP, "ECB history CSV"],
])("%s is refused", (_, content, url, reason) =>
  expect(reasonOf(() => parse(content, url)).toLowerCase()).toContain(reason.toLowerCase()),
);

test("the newest from the day's XML, the last weeks from 90 days, the rest from the zip; never SDMX", () => {
  const files = (reach: "latest" | "recent" | "history", from: string, to: string) =>
    EUE_REFERENCE.routes(windowOf(reach, from, to)).flatMap(({ requests }) =>
      requests.map(({ url }) => url.slice(url.lastIndexOf("/") + 1)),
    );
  expect(files("latest", "2026-01-02", "2026-01-02")).toEqual([
    "eurofxref-daily.xml",
    "eurofxref-hist-90d.xml",
  ]);
  expect(files("recent", "2025-12-03", "2026-01-02")).toEqual([
    "eurofxref-hist-90d.xml",
    "eurofxref-hist.zip",
  ]);
  expect(files("recent", "2025-06-03", "2026-01-02")).toEqual(["eurofxref-hist.zip"]);
  expect(files("history", "1990-01-01", "1999-12-31")).toEqual(["eurofxref-hist.zip"]);
  expect(files("history", "1990-01-01", "1999-01-03")).toEqual([]);
  expect(urlsOf(EUE_REFERENCE, DECEMBER)[0]).toStartWith("https://www.ecb.europa.eu/stats/eurofxref/");
});

describe("real documents", () => {
  const path = sharedDocument("ecb/eurofxref-hist.zip");
  const window = windowOf("history", "1990-01-01", "2026-04-13");
  const bytes = path === null ? null : new Uint8Array(readFileSync(path));
  const history = () =>
    new Map(
      publicationsOf(parse(bytes as Uint8Array, ZIP, window, "2026-04-13")).map((one) => [
        one.publication,
        one,
      ]),
    );
  const codes = (reading: OfficialReading | undefined) => reading?.rows.map(({ quote }) => quote) ?? [];

  test.skipIf(bytes === null)(
    "every date and every cell of the history is there, currencies that are gone included",
    () => {
      const all = history();
      expect(all.size).toBe(6983);
      const cells = [...all.values()].reduce((sum, { rows }) => sum + rows.length, 0);
      // 6,983 dates by 41 columns, of which 68,748 are N/A.
      expect(cells).toBe(6983 * 41 - 68_748);
      expect(codes(all.get("2005-05-18"))).toHaveLength(35);
      for (const [date, code] of [
        ["2025-12-31", "BGN"],
        ["2022-12-30", "HRK"],
        ["2022-03-01", "RUB"],
        ["1999-01-04", "SIT"],
        ["2004-12-31", "TRL"],
      ] as const) {
        expect(codes(all.get(date))).toContain(code);
      }
      expect(codes(all.get("2026-01-02"))).toHaveLength(29);
    },
  );

  const xmlName = "ecb/eurofxref-daily.2025-10-22.xml";
  testOn("ecb/eurofxref-hist.zip", xmlName)("the day's XML states what the zip states", () => {
    const xmlPath = sharedDocument(xmlName) as string;
    const [daily] = publicationsOf(parse(readFileSync(xmlPath, "utf8"), XML, window, "2025-10-22"));
    expect(rowsOf(daily ?? { rows: [] })).toContain("1 EUR = 1.9558 BGN mid");
    expect(fingerprintOf(daily as OfficialReading)).toBe(
      fingerprintOf(history().get("2025-10-22") as OfficialReading),
    );
  });
});
