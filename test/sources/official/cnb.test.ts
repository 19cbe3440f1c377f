/** CNB's fixing by the list of a year or of a day; everything but such a list is refused with a reason. */

import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { CZE_FIXING } from "#sources/official/cnb.ts";
import { reasonOf, windowOf } from "#test/sources/documents.ts";
import { sharedDocument, testOn } from "#test/support/shared-data.ts";
import { arrivedAt, publicationsOf, routeOf, textsOf } from "./tables.ts";

const WINDOW = windowOf("latest", "2026-01-05", "2026-01-05");
const AT = "2026-01-05T14:00:00Z";
const list = (content: string | Uint8Array, window = WINDOW, at = AT) =>
  routeOf(CZE_FIXING, window, "year").parse(arrivedAt(at, content), window);

type Line = [code: string, amount: number, rate: string];
const LINES: Line[] = [
  ["EUR", 1, "24.170"],
  ["HUF", 100, "6.304"],
  ["IDR", 1000, "1.233"],
];
const lineOf = (day: string, [code, amount, rate]: Line) =>
  `{"currencyCode":"${code}","amount":${amount},"validFor":"${day}","rate":${rate}}`;
const yearList = (...days: string[]) =>
  `{"rates":[${days.flatMap((day) => LINES.map((line) => lineOf(day, line))).join(",")}]}`;
const JSON_YEAR = yearList("2026-01-02", "2026-01-05");
const FIGURES = "EUR/CZK 24.170 for 1, HUF/CZK 6.304 for 100, IDR/CZK 1.233 for 1000";

describe("a list", () => {
  test("is a publication a day, with every digit as printed", () => {
    expect(textsOf(list(JSON_YEAR))).toEqual([
      `2026-01-02 2026-01-02.. ${FIGURES}`,
      `2026-01-05 2026-01-05.. ${FIGURES}`,
    ]);
  });

  test("of a year without a fixing yet is an empty window", () => {
    expect(list('{"rates":[]}').outcome).toBe("empty");
  });

  test.each([
    ["with an amount that is no power of ten", JSON_YEAR.replace("100", "25"), 'counted by "25"'],
    ["with NaN", JSON_YEAR.replace("6.304", "NaN"), "CNB rates: not JSON"],
    ["with a comma for a point", JSON_YEAR.replace("6.304", '"6,304"'), "is not a rate"],
    ["with a code that is none", JSON_YEAR.replace("HUF", "Huf"), 'not a currency code: "Huf"'],
    [
      "with a currency twice, different",
      JSON_YEAR.replace("IDR", "HUF"),
      "HUF CZK mid is there twice, as 6.304 for 100 and as 1.233",
    ],
    ["that is cut off", JSON_YEAR.slice(0, -60), "CNB rates: not JSON"],
    ["that is an error", '{"errorCode":"VALIDATION_ERROR","messageId":"x"}', 'no list of objects "rates"'],
    ["without a day", JSON_YEAR.replace('"validFor":"2026-01-02",', ""), 'not a date: ""'],
  ])("%s is refused", (_, content, reason) => expect(reasonOf(() => list(content))).toContain(reason));

  test("of tomorrow, as Prague counts its days, is refused", () => {
    const early = yearList("2026-01-05");
    expect(textsOf(list(early, WINDOW, "2026-01-04T23:00:00Z"))).toHaveLength(1);
    expect(reasonOf(() => list(early, WINDOW, "2026-01-04T22:59:59Z"))).toContain("in the future");
  });
});

describe("requests", () => {
  const routes = (reach: "latest" | "recent" | "history", from: string, to: string) =>
    CZE_FIXING.routes(windowOf(reach, from, to)).map(({ name, requests }) => [
      name,
      ...requests.map(({ url }) => url.slice("https://api.cnb.cz/cnbapi/exrates/".length)),
    ]);

  test("for the newest are one small list, else the years that the look back touches", () => {
    expect(routes("latest", "2026-01-05", "2026-01-05")).toEqual([
      ["day", "daily?date=2026-01-05&lang=EN"],
      ["year", "daily-year?year=2025&lang=EN", "daily-year?year=2026&lang=EN"],
    ]);
  });

  test("for a short window are a year's list, else a list a working day; for a long one the lists alone", () => {
    expect(routes("recent", "2026-01-02", "2026-01-05")).toEqual([
      ["year", "daily-year?year=2026&lang=EN"],
      ["day", "daily?date=2026-01-02&lang=EN", "daily?date=2026-01-05&lang=EN"],
    ]);
    const [only, ...others] = routes("history", "1980-01-01", "2026-01-05");
    expect([only?.length, only?.[1], others.length]).toEqual([35, "daily-year?year=1993&lang=EN", 0]);
  });
});

describe("real documents", () => {
  testOn("official/cnb-daily-year.json")(
    "65 fixings of the first quarter of 2026, 30 currencies each",
    () => {
      const path = sharedDocument("official/cnb-daily-year.json") as string;
      const window = windowOf("history", "2026-01-01", "2026-12-31");
      const found = publicationsOf(list(readFileSync(path), window, "2026-04-02T14:00:00Z"));
      expect(found).toHaveLength(65);
      expect(new Set(found.map(({ rows }) => rows.length))).toEqual(new Set([30]));
      expect([found[0]?.publication, found.at(-1)?.publication]).toEqual(["2026-01-02", "2026-04-02"]);
      const row = (base: string) => found[0]?.rows.find((one) => one.base === base);
      expect(row("HUF")).toEqual({ base: "HUF", quote: "CZK", rate: "6.304", unit: 100, kind: "mid" });
      expect(row("IDR")).toMatchObject({ rate: "1.233", unit: 1000 });
      expect(row("EUR")).toMatchObject({ rate: "24.170", unit: 1 });
      expect(found[0]?.rows.filter(({ unit }) => unit === 100)).toHaveLength(8);
    },
  );
});
