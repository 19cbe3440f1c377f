/** CNB's fixing by the year's list and by the day's text: one publication; everything else is refused with a reason. */

import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { fingerprintOf } from "#domain/official/doubts.ts";
import { CZE_FIXING } from "#sources/official/cnb.ts";
import { reasonOf, windowOf } from "#test/sources/documents.ts";
import { sharedDocument, testOn } from "#test/support/shared-data.ts";
import { arrivedAt, publicationsOf, routeOf, textsOf } from "./tables.ts";

const WINDOW = windowOf("latest", "2026-01-05", "2026-01-05");
const AT = "2026-01-05T14:00:00Z";
const by =
  (route: "year" | "text") =>
  (content: string | Uint8Array, window = WINDOW, at = AT) =>
    routeOf(CZE_FIXING, window, route).parse(arrivedAt(at, content), window);
const year = by("year");
const text = by("text");

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
const DAILY = `05 Jan 2026 #2
Country|Currency|Amount|Code|Rate
EMU|euro|1|EUR|24.170
Hungary|forint|100|HUF|6.304
Indonesia|rupiah|1000|IDR|1.233
`;
const FIGURES = "EUR/CZK 24.170 for 1, HUF/CZK 6.304 for 100, IDR/CZK 1.233 for 1000";

describe("both routes", () => {
  test("give the same publication under the same name, the zeros of JSON numbers kept", () => {
    expect(textsOf(year(JSON_YEAR))).toEqual([
      `2026-01-02 2026-01-02.. ${FIGURES}`,
      `2026-01-05 2026-01-05.. ${FIGURES}`,
    ]);
    expect(textsOf(text(DAILY))).toEqual([`2026-01-05 2026-01-05.. ${FIGURES}`]);
    const [fromYear, fromText] = [publicationsOf(year(JSON_YEAR))[1], publicationsOf(text(DAILY))[0]];
    expect(fingerprintOf(fromYear as never)).toBe(fingerprintOf(fromText as never));
  });

  test.each([
    ["an amount that is no power of ten", /\b100\b/, "25", 'counted by "25"'],
    ["NaN", "6.304", "NaN", ""],
    ["a comma for a point", "6.304", '"6,304"', "is not a rate"],
    ["a code that is none", "HUF", "Huf", 'not a currency code: "Huf"'],
    [
      "a currency twice, different",
      "IDR",
      "HUF",
      "HUF CZK mid is there twice, as 6.304 for 100 and as 1.233",
    ],
  ])("refuse %s", (_, from, to, reason) => {
    expect(reasonOf(() => year(JSON_YEAR.replace(from, to)))).toContain(reason);
    expect(reasonOf(() => text(DAILY.replace(from, to)))).toContain(reason);
  });

  test("refuse a fixing of tomorrow, as Prague counts its days", () => {
    expect(reasonOf(() => year(yearList("2026-01-06")))).toContain("in the future");
    expect(reasonOf(() => text(DAILY.replace("05 Jan", "06 Jan")))).toContain("in the future");
    expect(textsOf(text(DAILY, WINDOW, "2026-01-04T23:00:00Z"))).toHaveLength(1);
    expect(reasonOf(() => text(DAILY, WINDOW, "2026-01-04T22:59:59Z"))).toContain("in the future");
  });
});

describe("the year's list", () => {
  test("of a year without a fixing yet is an empty window", () => {
    expect(year('{"rates":[]}').outcome).toBe("empty");
  });

  test.each([
    ["cut off", JSON_YEAR.slice(0, -60), "CNB year:"],
    ["an error in JSON", '{"errorCode":"VALIDATION_ERROR","messageId":"x"}', 'no list of objects "rates"'],
    ["a line without a day", JSON_YEAR.replace('"validFor":"2026-01-02",', ""), 'not a date: ""'],
  ])("is refused %s", (_, content, reason) => expect(reasonOf(() => year(content))).toContain(reason));
});

describe("the day's text", () => {
  test("may end its lines either way", () => {
    expect(textsOf(text(DAILY.replaceAll("\n", "\r\n")))).toEqual(textsOf(text(DAILY)));
  });

  test.each([
    ["cut off in a rate", DAILY.slice(0, -3), "cut off, the last line has no end"],
    ["cut off after its heading", DAILY.split("\n").slice(0, 2).join("\n").concat("\n"), "without rates"],
    ["a web page", "<!DOCTYPE html>\n<html></html>\n", "an HTML page came instead"],
    ["in Czech", DAILY.replace("Country|Currency", "země|měna"), "unknown heading"],
    ["with a first line of another form", DAILY.replace(" #2", ""), 'not a date: "05 Jan 2026"'],
    ["with an unknown month", DAILY.replace("Jan", "Led"), "not a date"],
    ["with a column more", DAILY.replace("|6.304", "|6.304|"), "not five columns"],
  ])("is refused %s", (_, content, reason) => expect(reasonOf(() => text(content))).toContain(reason));
});

describe("requests", () => {
  const routes = (reach: "latest" | "recent" | "history", from: string, to: string) =>
    CZE_FIXING.routes(windowOf(reach, from, to)).map(({ name, requests }) => [
      name,
      ...requests.map(({ url }) => url.slice(url.indexOf("?"))),
    ]);

  test("for the newest are one small text, else the years that the look back touches", () => {
    expect(routes("latest", "2026-01-05", "2026-01-05")).toEqual([
      ["text", "?date=05.01.2026"],
      ["year", "?year=2025&lang=EN", "?year=2026&lang=EN"],
    ]);
  });

  test("for a short window are a year's list, else a text a working day; for a long one the lists alone", () => {
    expect(routes("recent", "2026-01-02", "2026-01-05")).toEqual([
      ["year", "?year=2026&lang=EN"],
      ["text", "?date=02.01.2026", "?date=05.01.2026"],
    ]);
    const [only, ...others] = routes("history", "1980-01-01", "2026-01-05");
    expect([only?.length, only?.[1], others.length]).toEqual([35, "?year=1993&lang=EN", 0]);
  });
});

describe("real documents", () => {
  testOn("official/cnb-daily-year.json")(
    "65 fixings of the first quarter of 2026, 30 currencies each",
    () => {
      const path = sharedDocument("official/cnb-daily-year.json") as string;
      const window = windowOf("history", "2026-01-01", "2026-12-31");
      const found = publicationsOf(year(readFileSync(path), window, "2026-04-02T14:00:00Z"));
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

  const paths = ["official/cnb-daily-year.json", "official/cnb_daily.documented.txt"] as const;
  testOn(...paths)("the text of 2 January states of its three currencies what the year states", () => {
    const [list = "", daily = ""] = paths.map((path) => sharedDocument(path) as string);
    const [fromYear] = publicationsOf(year(readFileSync(list), WINDOW, "2026-04-02T14:00:00Z"));
    const [fromText] = publicationsOf(text(readFileSync(daily)));
    expect(fromText?.publication).toBe(fromYear?.publication as string);
    expect(fromYear?.rows).toEqual(expect.arrayContaining([...(fromText?.rows ?? [])]));
    expect(fromText?.rows).toHaveLength(3);
  });
});
