/** BNR's XML becomes a publication a cube, without gold by the gram; everything else is refused with a reason. */

import { expect, test } from "bun:test";
import { ROU_REFERENCE } from "#sources/official/bnr.ts";
import { windowOf } from "#test/sources/documents.ts";
import { realDocument, testOn } from "#test/support/shared-data.ts";
import { publicationsOf, rowsOf, testsOf } from "./tables.ts";

const romanian = testsOf(ROU_REFERENCE, {
  window: windowOf("latest", "2026-01-05", "2026-01-08"),
  at: "2026-01-08",
  route: "year",
});

const XML = `<?xml version="1.0" encoding="utf-8"?>
<DataSet xmlns="https://www.bnr.ro/xsd" xmlns:xsi="https://www.w3.org/2001/XMLSchema-instance">
  <Header><Publisher>National Bank of Romania</Publisher><PublishingDate>2026-01-08</PublishingDate></Header>
  <Body><Subject>Reference rates</Subject><OrigCurrency>RON</OrigCurrency>
    <Cube date="2026-01-05"><Rate currency="EUR">5.0905</Rate><Rate currency="HUF" multiplier="100">1.3247</Rate><Rate currency="XAU">621.3365</Rate></Cube>
    <Cube date="2026-01-08"><Rate currency="EGP">0.0920</Rate><Rate currency="EUR">5.0871</Rate></Cube>
  </Body>
</DataSet>`;

test("a cube is a publication named by its day: multipliers as units, digits as printed, no gold", () => {
  expect(romanian.lines(XML)).toEqual([
    "2026-01-05 2026-01-05…: 1 EUR = 5.0905 RON mid, 100 HUF = 1.3247 RON mid",
    "2026-01-08 2026-01-08…: 1 EGP = 0.0920 RON mid, 1 EUR = 5.0871 RON mid",
  ]);
});

test("an envelope without cubes is an empty window, and so are cubes outside it", () => {
  expect(romanian.parse(XML.replace(/<Cube[\s\S]*<\/Cube>/, "")).outcome).toBe("empty");
  const window = windowOf("recent", "2026-01-06", "2026-01-07");
  expect(romanian.parse(XML, { window }).outcome).toBe("empty");
});

test("a dash is no rate, and the others of its day are read", () => {
  expect(romanian.lines(XML.replace("1.3247", "-"))[0]).toBe(
    "2026-01-05 2026-01-05…: 1 EUR = 5.0905 RON mid",
  );
});

romanian.keepsContract(XML, "5.0905");
romanian.refuses([
  ["another XML", "<Envelope><Cube/></Envelope>", "not a DataSet"],
  ["another currency", XML.replace(">RON<", ">ROL<"), "the rates are not in RON"],
  ["no currency", XML.replace("<OrigCurrency>RON</OrigCurrency>", ""), "<Body> without <OrigCurrency>"],
  ["a multiplier that is no power of ten", XML.replace('"100"', '"50"'), 'counted by "50"'],
  ["a cube of tomorrow", XML.replace('"2026-01-08"', '"2026-01-09"'), "in the future"],
  ["a cube without a day", XML.replace(' date="2026-01-08"', ""), "<Cube> without date"],
  ["two cubes of a day that differ", XML.replace('"2026-01-08"', '"2026-01-05"'), "two publications"],
  ["a currency twice", XML.replace('"HUF" multiplier="100"', '"EUR"'), "EUR RON mid is there twice"],
  ["a cube without rates", XML.replace(/<Rate currency="EGP".*<\/Rate>/, ""), "without rates"],
  ["a rate within a rate", XML.replace("5.0905", '<Rate currency="USD">4</Rate>'), "holds more than rates"],
  ["a cube within a cube", XML.replace("<Rate", '<Cube date="2026-01-06"/><Rate'), "holds more than rates"],
]);

test("the newest comes from the short file, else from the years; a history from a file a year", () => {
  const year = (name: number) => `https://curs.bnr.ro/files/xml/years/nbrfxrates${name}.xml`;
  expect(romanian.routes("latest", "2026-01-08", "2026-01-08")).toEqual([
    ["ten days", "https://curs.bnr.ro/nbrfxrates10days.xml"],
    ["year", year(2025), year(2026)],
  ]);
  const years = romanian.urls("history", "1999-01-04", "2026-01-08");
  expect([years.length, years[0]]).toEqual([21, year(2006)]);
});

testOn("official/bnr-nbrfxrates2026.xml")("real documents: 157 days of 2026, 36 currencies each", () => {
  const window = windowOf("history", "2026-01-01", "2026-08-19");
  const content = realDocument("official/bnr-nbrfxrates2026.xml");
  const read = publicationsOf(romanian.parse(content, { window, at: "2026-08-19" })).map(rowsOf);
  expect(read).toHaveLength(157);
  expect(new Set(read.map(({ length }) => length))).toEqual(new Set([36]));
  expect(read[0]).toContain("100 HUF = 1.3247 RON mid");
  expect(read[0]).toContain("1 EUR = 5.0905 RON mid");
  expect(read.at(-1)).toContain("1 USD = 4.5190 RON mid");
  expect(read.flat().some((row) => row.includes("XAU"))).toBe(false);
});
