/** NBP's tables become publications under NBP's own numbers, digit by digit; everything else is refused with a reason. */

import { describe, expect, test } from "bun:test";
import { POL_A, POL_B, POL_C } from "#sources/official/nbp.ts";
import { windowOf } from "#test/sources/documents.ts";
import { realDocument, testOn } from "#test/support/shared-data.ts";
import { publicationsOf, rowsOf, testsOf } from "./tables.ts";

const usual = { window: windowOf("latest", "2026-02-23", "2026-03-04"), at: "2026-03-04T11:30:00Z" };
const [a, b, c] = [testsOf(POL_A, usual), testsOf(POL_B, usual), testsOf(POL_C, usual)];

const ONE =
  '{"table":"A","no":"041/A/NBP/2026","effectiveDate":"2026-03-02","rates":[' +
  '{"currency":"dolar amerykański","code":"USD","mid":3.6050},' +
  '{"currency":"forint (Węgry)","code":"HUF","mid":0.011155}]}';
const TWO = ONE.replace("041/A", "042/A").replace("03-02", "03-03").replace("3.6050", "3.6351");
const A = `[${ONE},${TWO}]`;

describe("table A", () => {
  test("is named by its number, with rows in order and every digit of its JSON numbers, an exponent put in", () => {
    const second = "042-A-NBP-2026 2026-03-03…: 1 HUF = 0.011155 PLN mid, 1 USD = 3.6351 PLN mid";
    const first = "041-A-NBP-2026 2026-03-02…: 1 HUF = 0.011155 PLN mid, 1 USD = 3.6050 PLN mid";
    expect(a.lines(A)).toEqual([first, second]);
    expect(a.lines(A, { window: windowOf("recent", "2026-03-03", "2026-03-04") })).toEqual([second]);
    expect(a.lines(`[${ONE.replace("0.011155", "1.10E-05")}]`)).toEqual([
      first.replace("0.011155", "0.0000110"),
    ]);
  });

  test("nothing at all is an empty window, also in NBP's text for it", () => {
    expect(a.parse("[]").outcome).toBe("empty");
    expect(a.parse("404 NotFound - Not Found - Brak danych").outcome).toBe("empty");
  });

  a.keepsContract(A, "3.6050");
  a.refuses([
    ["something after its end", `${A},"more":[]`, "something after its end"],
    ["an object", ONE, 'no list of objects "list"'],
    ["another kind of 404", "404 NotFound", "NBP table A:"],
    ["a table that calls itself B", A.replace('"table":"A"', '"table":"B"'), "not such a table"],
    ["table B under this address", A.replaceAll("/A/", "/B/"), "not such a table"],
    ["table C, which has no mean", A.replaceAll('"mid"', '"bid"'), "is not a rate"],
    ["a number that is none", A.replace("041/A/NBP/2026", "041/A/NBP"), 'not such a table: "041/A/NBP"'],
    ["a currency twice", A.replace('"HUF"', '"USD"'), "USD PLN mid is there twice"],
    ["one number for two tables", A.replace("042/A", "041/A"), '"041-A-NBP-2026" that differ'],
    ["a table of tomorrow", A.replace("2026-03-03", "2026-03-05"), "in the future"],
    ["null", A.replace("3.6050", "null"), "is not a rate"],
    ["a code of two characters", A.replace('"USD"', '"US"'), "not a currency code"],
    ["a table without rates", `[${ONE.replace(/"rates":\[.*\]/, '"rates":[]')}]`, "without rates"],
  ]);
});

describe("table C", () => {
  const C =
    '[{"table":"C","no":"041/C/NBP/2026","tradingDate":"2026-02-27","effectiveDate":"2026-03-02","rates":[' +
    '{"currency":"dolar amerykański","code":"USD","bid":3.5690,"ask":3.6410},' +
    '{"currency":"forint (Węgry)","code":"HUF","bid":0.011042,"ask":0.011264}]}]';

  test("has the bank's bid and ask, digit by digit, valid from the effective date", () => {
    expect(c.lines(C)).toEqual([
      "041-C-NBP-2026 2026-03-02…: " +
        "1 HUF = 0.011042 PLN buy, 1 HUF = 0.011264 PLN sell, 1 USD = 3.5690 PLN buy, 1 USD = 3.6410 PLN sell",
    ]);
  });

  c.keepsContract(C, "3.5690");
  c.refuses([
    ["one without an ask", C.replace(',"ask":3.6410', ""), "USD ask in 041/C/NBP/2026 is not a rate"],
    ["one with a mean", C.replace('"bid"', '"mid"'), "USD bid in 041/C/NBP/2026 is not a rate"],
    ["table A", A, "not such a table"],
  ]);
});

test("requests: at most 93 days, from the first day of the archive; two weeks back for the newest, three for the weekly table", () => {
  const spans = a.urls("history", "1999-01-04", "2026-03-04").map((url) => url.split("/").slice(7, 9));
  expect(spans[0]).toEqual(["2002-01-02", "2002-04-04"]);
  expect([spans.length, spans.at(-1)?.[1]]).toEqual([95, "2026-03-04"]);
  const API = "https://api.nbp.pl/api/exchangerates/tables";
  const newest = [a, b, c].flatMap(({ urls }) => urls("latest", "2026-03-04", "2026-03-04"));
  expect(newest).toEqual([
    `${API}/A/2026-02-18/2026-03-04/?format=json`,
    `${API}/B/2026-02-11/2026-03-04/?format=json`,
    `${API}/C/2026-02-18/2026-03-04/?format=json`,
  ]);
});

const PATHS = ["official/nbp-table-A.json", "official/nbp-table-B.json"] as const;
testOn(...PATHS)("real documents: four tables A with 32 rates each, one table B with 116", () => {
  const arrival = { window: windowOf("recent", "2026-03-01", "2026-03-05"), at: "2026-03-05" };
  const [daily = [], weekly = []] = [a, b].map(({ parse }, nth) =>
    publicationsOf(parse(realDocument(PATHS[nth] as string), arrival)),
  );
  expect([...daily, ...weekly].map(({ publication, rows }) => `${publication} ${rows.length}`)).toEqual([
    "041-A-NBP-2026 32",
    "042-A-NBP-2026 32",
    "043-A-NBP-2026 32",
    "044-A-NBP-2026 32",
    "009-B-NBP-2026 116",
  ]);
  const [first = [], fifth = []] = [daily.map(rowsOf)[0], weekly.map(rowsOf)[0]];
  for (const row of ["1 CAD = 2.6410", "1 HUF = 0.011155"]) expect(first).toContain(`${row} PLN mid`);
  for (const row of ["1 VND = 0.00014035", "1 PAB = 3.6770"]) expect(fifth).toContain(`${row} PLN mid`);
});
