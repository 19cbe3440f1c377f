/** BNR's XML becomes a publication a cube, without gold by the gram; everything else is refused with a reason. */

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { ROU_REFERENCE } from "#sources/official/bnr.ts";
import { reasonOf, windowOf } from "#test/sources/documents.ts";
import { sharedDocument, testOn } from "#test/support/shared-data.ts";
import { arrivedAt, publicationsOf, routeOf, textsOf } from "./tables.ts";

const WINDOW = windowOf("latest", "2026-01-05", "2026-01-08");
const parse = (content: string | Uint8Array, window = WINDOW, at = "2026-01-08T12:00:00Z") =>
  routeOf(ROU_REFERENCE, window, "year").parse(arrivedAt(at, content), window);

const XML = `<?xml version="1.0" encoding="utf-8"?>
<DataSet xmlns="https://www.bnr.ro/xsd" xmlns:xsi="https://www.w3.org/2001/XMLSchema-instance">
  <Header><Publisher>National Bank of Romania</Publisher><PublishingDate>2026-01-08</PublishingDate></Header>
  <Body><Subject>Reference rates</Subject><OrigCurrency>RON</OrigCurrency>
    <Cube date="2026-01-05"><Rate currency="EUR">5.0905</Rate><Rate currency="HUF" multiplier="100">1.3247</Rate><Rate currency="XAU">621.3365</Rate></Cube>
    <Cube date="2026-01-08"><Rate currency="EGP">0.0920</Rate><Rate currency="EUR">5.0871</Rate></Cube>
  </Body>
</DataSet>`;

test("a cube is a publication named by its day: multipliers as units, digits as printed, no gold", () => {
  expect(textsOf(parse(XML))).toEqual([
    "2026-01-05 2026-01-05.. EUR/RON 5.0905 for 1, HUF/RON 1.3247 for 100",
    "2026-01-08 2026-01-08.. EGP/RON 0.0920 for 1, EUR/RON 5.0871 for 1",
  ]);
});

test("an envelope without cubes is an empty window, and so are cubes outside it", () => {
  expect(parse(XML.replace(/<Cube[\s\S]*<\/Cube>/, "")).outcome).toBe("empty");
  expect(parse(XML, windowOf("recent", "2026-01-06", "2026-01-07")).outcome).toBe("empty");
});

test("a dash is no rate, and the others of its day are read", () => {
  expect(textsOf(parse(XML.replace("1.3247", "-")))[0]).toBe("2026-01-05 2026-01-05.. EUR/RON 5.0905 for 1");
});

test.each([
  ["cut off", XML.slice(0, XML.indexOf("</Body>")), "Missing end tag for element Body"],
  ["another XML", "<Envelope><Cube/></Envelope>", "not a DataSet"],
  ["another currency", XML.replace(">RON<", ">ROL<"), "the rates are not in RON"],
  ["no currency", XML.replace("<OrigCurrency>RON</OrigCurrency>", ""), "<Body> without <OrigCurrency>"],
  ["a multiplier that is no power of ten", XML.replace('"100"', '"50"'), 'counted by "50"'],
  ["a cube of tomorrow", XML.replace('"2026-01-08"', '"2026-01-09"'), "in the future"],
  ["a cube without a day", XML.replace(' date="2026-01-08"', ""), "<Cube> without date"],
  ["two cubes of a day that differ", XML.replace('"2026-01-08"', '"2026-01-05"'), "two publications"],
  [
    "a currency twice in a cube",
    XML.replace('"HUF" multiplier="100"', '"EUR"'),
    "EUR RON mid is there twice",
  ],
  ["a cube without rates", XML.replace(/<Rate currency="EGP".*<\/Rate>/, ""), "without rates"],
  ["NaN", XML.replace("5.0905", "NaN"), 'EUR of 2026-01-05 is not a rate: "NaN"'],
  ["a rate within a rate", XML.replace("5.0905", '<Rate currency="USD">4</Rate>'), "holds more than rates"],
  ["a cube within a cube", XML.replace("<Rate", '<Cube date="2026-01-06"/><Rate'), "holds more than rates"],
])("%s is refused", (_, text, reason) => expect(reasonOf(() => parse(text))).toContain(reason));

test("the newest comes from the short file, else from the years; a history from a file a year", () => {
  const files = (reach: "latest" | "history", from: string, to: string) =>
    ROU_REFERENCE.routes(windowOf(reach, from, to)).map(({ requests }) => requests.map(({ url }) => url));
  expect(files("latest", "2026-01-08", "2026-01-08")).toEqual([
    ["https://curs.bnr.ro/nbrfxrates10days.xml"],
    [
      "https://curs.bnr.ro/files/xml/years/nbrfxrates2025.xml",
      "https://curs.bnr.ro/files/xml/years/nbrfxrates2026.xml",
    ],
  ]);
  const [years] = files("history", "1999-01-04", "2026-01-08");
  expect([years?.length, years?.[0]]).toEqual([21, "https://curs.bnr.ro/files/xml/years/nbrfxrates2006.xml"]);
});

testOn("official/bnr-nbrfxrates2026.xml")("real documents: 157 days of 2026, 36 currencies each", () => {
  const path = sharedDocument("official/bnr-nbrfxrates2026.xml") as string;
  const window = windowOf("history", "2026-01-01", "2026-08-19");
  const found = publicationsOf(parse(readFileSync(path), window, "2026-08-19T12:00:00Z"));
  expect(found).toHaveLength(157);
  expect(new Set(found.map(({ rows }) => rows.length))).toEqual(new Set([36]));
  expect([found[0]?.publication, found.at(-1)?.publication]).toEqual(["2026-01-05", "2026-08-19"]);
  const row = (at: number, base: string) => found.at(at)?.rows.find((one) => one.base === base);
  expect(row(0, "HUF")).toEqual({ base: "HUF", quote: "RON", rate: "1.3247", unit: 100, kind: "mid" });
  expect(row(0, "EUR")?.rate).toBe("5.0905");
  expect(row(-1, "USD")?.rate).toBe("4.5190");
  expect(found.flatMap(({ rows }) => rows).some(({ base }) => base === "XAU")).toBe(false);
});
