/** NBP's tables become publications under NBP's own numbers, digit by digit; everything else is refused with a reason. */

import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { POL_A, POL_B, POL_C } from "#sources/official/nbp.ts";
import { day, reasonOf, windowOf } from "#test/sources/documents.ts";
import { sharedDocument, testOn } from "#test/support/shared-data.ts";
import { arrivedAt, publicationsOf, routeOf, textsOf } from "./tables.ts";

const WINDOW = windowOf("latest", "2026-02-23", "2026-03-04");
const parse = (content: string | Uint8Array, adapter = POL_A, window = WINDOW) =>
  routeOf(adapter, window, "API").parse(arrivedAt("2026-03-04T11:30:00Z", content), window);

const ONE =
  '{"table":"A","no":"041/A/NBP/2026","effectiveDate":"2026-03-02","rates":[' +
  '{"currency":"dolar amerykański","code":"USD","mid":3.6050},' +
  '{"currency":"forint (Węgry)","code":"HUF","mid":0.011155}]}';
const TWO = ONE.replace("041/A", "042/A").replace("03-02", "03-03").replace("3.6050", "3.6351");
const A = `[${ONE},${TWO}]`;

describe("table C", () => {
  const C =
    '[{"table":"C","no":"041/C/NBP/2026","tradingDate":"2026-02-27","effectiveDate":"2026-03-02","rates":[' +
    '{"currency":"dolar amerykański","code":"USD","bid":3.5690,"ask":3.6410},' +
    '{"currency":"forint (Węgry)","code":"HUF","bid":0.011042,"ask":0.011264}]}]';

  test("has the bank's bid and ask, digit by digit, valid from the effective date", () => {
    const [reading] = publicationsOf(parse(C, POL_C));
    expect([reading?.publication, reading?.validFrom]).toEqual(["041-C-NBP-2026", day("2026-03-02")]);
    expect(reading?.rows.map(({ base, rate, kind }) => `${base} ${kind} ${rate}`)).toEqual([
      "HUF buy 0.011042",
      "HUF sell 0.011264",
      "USD buy 3.5690",
      "USD sell 3.6410",
    ]);
  });

  test.each([
    ["without what it asks", C.replace(',"ask":3.6410', ""), "USD ask in 041/C/NBP/2026 is not a rate"],
    ["with a mean", C.replace('"bid"', '"mid"'), "USD bid in 041/C/NBP/2026 is not a rate"],
    ["with table A in it", A, "not such a table"],
    ["cut off", C.slice(0, -20), "NBP table C:"],
  ])("%s is refused", (_, text, reason) => expect(reasonOf(() => parse(text, POL_C))).toContain(reason));

  test("is requested under its own table code", () => {
    const [first] = routeOf(POL_C, WINDOW, "API").requests;
    expect(first?.url).toStartWith("https://api.nbp.pl/api/exchangerates/tables/C/");
  });
});

describe("a table", () => {
  test("is named by its number, with rows in order and every digit of its JSON numbers", () => {
    expect(textsOf(parse(A))).toEqual([
      "041-A-NBP-2026 2026-03-02.. HUF/PLN 0.011155 for 1, USD/PLN 3.6050 for 1",
      "042-A-NBP-2026 2026-03-03.. HUF/PLN 0.011155 for 1, USD/PLN 3.6351 for 1",
    ]);
  });

  test("may have numbers with an exponent, which go without", () => {
    expect(textsOf(parse(`[${ONE.replace("0.011155", "1.10E-05")}]`))[0]).toContain(
      "HUF/PLN 0.0000110 for 1",
    );
  });

  test("before the window is left out; nothing at all is an empty window, also in NBP's text for it", () => {
    const narrow = windowOf("recent", "2026-03-03", "2026-03-04");
    expect(publicationsOf(parse(A, POL_A, narrow)).map(({ publication }) => publication)).toEqual([
      "042-A-NBP-2026",
    ]);
    expect(parse("[]").outcome).toBe("empty");
    expect(parse("404 NotFound - Not Found - Brak danych").outcome).toBe("empty");
  });

  test.each([
    ["cut off", A.slice(0, -40), "NBP table A:"],
    ["cut off between tables", `[${ONE},`, "NBP table A: not JSON"],
    ["with something after its end", `${A},"more":[]`, "something after its end"],
    ["an object", ONE, 'no list of objects "list"'],
    ["another kind of 404", "404 NotFound", "NBP table A:"],
    ["a table that calls itself B", A.replace('"table":"A"', '"table":"B"'), "not such a table"],
    ["table B under this address", A.replaceAll("/A/", "/B/"), "not such a table"],
    ["table C, which has no mean", A.replaceAll('"mid"', '"bid"'), "is not a rate"],
    ["a number that is none", A.replace("041/A/NBP/2026", "041/A/NBP"), 'not such a table: "041/A/NBP"'],
    ["a currency twice", A.replace('"HUF"', '"USD"'), "USD PLN mid is there twice"],
    [
      "one number for two tables",
      A.replace("042/A", "041/A"),
      'two publications "041-A-NBP-2026" that differ',
    ],
    ["a table of tomorrow", A.replace("2026-03-03", "2026-03-05"), "in the future"],
    ["NaN in quotes", A.replace("3.6050", '"NaN"'), 'is not a rate: "NaN"'],
    ["null", A.replace("3.6050", "null"), "is not a rate"],
    ["a code of two characters", A.replace('"USD"', '"US"'), "not a currency code"],
    [
      "a table without rates",
      ONE.replace(/"rates":\[.*\]/, '"rates":[]').replace(/^(.*)$/, "[$1]"),
      "without rates",
    ],
  ])("%s is refused", (_, text, reason) => expect(reasonOf(() => parse(text))).toContain(reason));
});

describe("requests", () => {
  test("request at most 93 days, from the first day of the archive, without a gap", () => {
    const [route] = POL_A.routes(windowOf("history", "1999-01-04", "2026-03-04"));
    const spans = route?.requests.map(({ url }) => url.split("/").slice(7, 9)) ?? [];
    expect(spans[0]).toEqual(["2002-01-02", "2002-04-04"]);
    expect(spans.at(-1)?.[1]).toBe("2026-03-04");
    expect(spans).toHaveLength(95);
    for (const [index, [from = "", to = ""]] of spans.entries()) {
      expect((Date.parse(to) - Date.parse(from)) / 86_400_000).toBeLessThan(93);
      const next = spans[index + 1]?.[0];
      if (next !== undefined) expect(Date.parse(next) - Date.parse(to)).toBe(86_400_000);
    }
  });

  test("for the newest look back two weeks, and three for the weekly table", () => {
    const url = (adapter: typeof POL_A) =>
      adapter.routes(windowOf("latest", "2026-03-04", "2026-03-04"))[0]?.requests[0]?.url;
    expect(url(POL_A)).toBe(
      "https://api.nbp.pl/api/exchangerates/tables/A/2026-02-18/2026-03-04/?format=json",
    );
    expect(url(POL_B)).toContain("/B/2026-02-11/2026-03-04/");
  });
});

describe("real documents", () => {
  const paths = ["official/nbp-table-A.json", "official/nbp-table-B.json"] as const;
  testOn(...paths)("four tables A with 32 rates each, one table B with 116", () => {
    const [a = "", b = ""] = paths.map((path) => sharedDocument(path) as string);
    const window = windowOf("recent", "2026-03-01", "2026-03-05");
    const read = (adapter: typeof POL_A, path: string) =>
      publicationsOf(
        routeOf(adapter, window, "API").parse(arrivedAt("2026-03-05T12:00:00Z", readFileSync(path)), window),
      );
    const daily = read(POL_A, a);
    expect(daily.map(({ publication, rows }) => `${publication} ${rows.length}`)).toEqual([
      "041-A-NBP-2026 32",
      "042-A-NBP-2026 32",
      "043-A-NBP-2026 32",
      "044-A-NBP-2026 32",
    ]);
    const rateOf = (reading: (typeof daily)[number] | undefined, base: string) =>
      reading?.rows.find((row) => row.base === base)?.rate;
    expect(rateOf(daily[0], "CAD")).toBe("2.6410");
    expect(rateOf(daily[0], "HUF")).toBe("0.011155");
    const [weekly] = read(POL_B, b);
    expect([weekly?.publication, weekly?.rows.length]).toEqual(["009-B-NBP-2026", 116]);
    expect(rateOf(weekly, "VND")).toBe("0.00014035");
    expect(rateOf(weekly, "PAB")).toBe("3.6770");
  });
});
