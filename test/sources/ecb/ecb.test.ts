/** The ECB's three formats become the same figures; what is not the documented format is refused with a reason. */

import { describe, expect, test } from "bun:test";
import { formatDay, formatInstant } from "#domain/time/day.ts";
import { parseEcbHistoryZip, parseEcbSdmx, parseEcbXml } from "#sources/ecb/documents.ts";
import { ECB } from "#sources/ecb/ecb.ts";
import { day, documentOf, figuresOf, fixture, reasonOf, windowOf } from "#test/sources/documents.ts";
import { zipOf } from "#test/sources/zip-writer.ts";
import { realDocument, testOn } from "#test/support/shared-data.ts";

const latest = windowOf("latest", "2026-03-10", "2026-03-17");
const recent = windowOf("recent", "2025-12-17", "2026-03-17");
const history = windowOf("history", "1999-01-04", "2026-03-17");

const xml = (text: string, window = latest) => parseEcbXml(documentOf(text), window);
const csv = (text: string, window = history) =>
  parseEcbHistoryZip(documentOf(zipOf([{ name: "eurofxref-hist.csv", content: text }])), window);
const sdmx = (text: string, window = recent) => parseEcbSdmx(documentOf(text), window);

const lines = (reading: ReturnType<typeof xml>) =>
  figuresOf(reading).figures.map(
    ({ date, base, quote, printed, decimals, publishedAt }) =>
      `${formatDay(date)} ${base}/${quote} ${printed} ${decimals}` +
      (publishedAt === null ? "" : ` ${formatInstant(publishedAt)}`),
  );

describe("XML", () => {
  const daily = fixture("ecb-daily.xml");

  test("the daily document gives the day's figures as printed, without unknown currencies", () => {
    expect(lines(xml(daily))).toEqual([
      "2026-03-17 EUR/USD 1.1500 4",
      "2026-03-17 EUR/JPY 180.10 2",
      "2026-03-17 EUR/CZK 24.300 3",
      "2026-03-17 EUR/GBP 0.86010 5",
      "2026-03-17 EUR/IDR 19500.00 2",
    ]);
    expect(figuresOf(xml(daily)).coveredThrough).toBe(day("2026-03-17"));
  });

  test("figures are observed at 14:15 Frankfurt, in winter and in summer", () => {
    const at = (text: string) => formatInstant(figuresOf(xml(text, history)).figures[0]?.observedAt ?? 0);
    expect(at(daily)).toBe("2026-03-17T13:15:00Z");
    expect(at(daily.replace("2026-03-17", "2025-07-01"))).toBe("2025-07-01T12:15:00Z");
  });

  test("the 90-day document, double quotes and newest first, ascends by date", () => {
    expect(lines(xml(fixture("ecb-hist-90d.xml"), recent))).toEqual([
      "2026-03-16 EUR/USD 1.1490 4",
      "2026-03-16 EUR/JPY 180.55 2",
      "2026-03-17 EUR/USD 1.1500 4",
      "2026-03-17 EUR/JPY 180.10 2",
    ]);
  });

  test("on a closed day the document still has the day before", () => {
    const easterMonday = windowOf("latest", "2026-04-03", "2026-04-06");
    expect(figuresOf(xml(daily.replace("2026-03-17", "2026-04-02"), easterMonday)).coveredThrough).toBe(
      day("2026-04-02"),
    );
  });

  const noRates = daily.replace(/\t*<Cube currency.*\n/g, "");
  test("an intact document without figures is a holiday when TARGET was closed throughout, else empty", () => {
    const easter = windowOf("latest", "2026-04-03", "2026-04-06");
    expect(xml(noRates, easter)).toEqual({ outcome: "holiday", coveredThrough: day("2026-04-06") });
    expect(xml(noRates, windowOf("latest", "2026-04-02", "2026-04-06"))).toEqual({
      outcome: "empty",
      reason: "no figure, although one was due on 2026-04-02",
    });
  });

  test.each<readonly [why: string, text: string, reason: RegExp]>([
    ["HTML", "<!DOCTYPE html><html><body>Maintenance</body></html>", /HTML page/],
    ["missing closing tags", daily.slice(0, daily.indexOf("</gesmes:Envelope>")), /Missing end tag/],
    ["no cube", "<gesmes:Envelope></gesmes:Envelope>", /no Cube/],
    ["two frames", daily.replace("</gesmes:Envelope>", "<Cube/></gesmes:Envelope>"), /2 frames of days/],
    [
      "a rate outside a day",
      "<gesmes:Envelope><Cube><Cube currency='USD' rate='1'/></Cube></gesmes:Envelope>",
      /without time/,
    ],
    ["cubes too deep", daily.replace("rate='1.1500'/>", "rate='1.1500'><Cube/></Cube>"), /a Cube inside/],
    ["a currency twice", daily.replace("'JPY'", "'USD'"), /"USD" twice/],
    ["a date that is none", daily.replace("2026-03-17", "2026-02-30"), /not a date/],
    ["a date in prose", daily.replace("2026-03-17", "17 March 2026"), /not a date/],
    ["a future date", daily.replace("2026-03-17", "2026-03-18"), /in the future/],
    ["a date before the euro", daily.replace("2026-03-17", "1998-12-31"), /before the first/],
    ["a Saturday", daily.replace("2026-03-17", "2026-03-14"), /a weekend/],
    ["a Sunday", daily.replace("2026-03-17", "2026-03-15"), /a weekend/],
    [
      "a cube beside the frame",
      daily.replace("</gesmes:Envelope>", "<gesmes:more><Cube/></gesmes:more></gesmes:Envelope>"),
      /a Cube inside "gesmes:more"/,
    ],
    ["NaN", daily.replace("1.1500", "NaN"), /USD on 2026-03-17 is not a number: "NaN"/],
    ["too many digits", daily.replace("1.1500", "1.1500000000000000001"), /not a number/],
    ["a rate missing", daily.replace(" rate='1.1500'", ""), /without rate/],
  ])("is refused for %s", (_, text, reason) => expect(reasonOf(() => xml(text))).toMatch(reason));

  test("two cubes for one day are refused", () => {
    const twice = fixture("ecb-hist-90d.xml").replace("2026-03-16", "2026-03-17");
    expect(reasonOf(() => xml(twice, recent))).toMatch(/2026-03-17 is there twice/);
  });

  test("bytes that are not UTF-8 are refused", () => {
    expect(reasonOf(() => parseEcbXml(documentOf(new Uint8Array([0xff, 0xfe, 0x00])), latest))).toMatch(
      /UTF-8/,
    );
  });

  test("zero passes: judging values is not the parser's task", () => {
    expect(lines(xml(daily.replace("1.1500", "0.0000")))[0]).toBe("2026-03-17 EUR/USD 0.0000 4");
  });

  testOn("ecb/eurofxref-daily.2025-10-22.xml")(
    "the real document of 2025-10-22 gives 29 figures, lev left out",
    () => {
      const bytes = realDocument("ecb/eurofxref-daily.2025-10-22.xml");
      const { figures } = figuresOf(
        parseEcbXml(documentOf(bytes), windowOf("latest", "2025-10-20", "2025-10-23")),
      );
      expect(figures.map((figure) => figure.quote)).toEqual([...ECB.currencies]);
      for (const { printed, decimals } of figures) expect(printed.split(".")[1]?.length).toBe(decimals);
    },
  );
});

describe("history zip", () => {
  const table = fixture("ecb-hist.csv");

  test("gives every figure, ascending by date, with the decimals of its time", () => {
    expect(lines(csv(table))).toEqual([
      "1999-01-04 EUR/USD 1.1789 4",
      "1999-01-04 EUR/JPY 133.73 2",
      "1999-01-04 EUR/GBP 0.7111 4",
      "1999-01-04 EUR/ISK 81.48 2",
      "2000-06-01 EUR/USD 0.9302 4",
      "2000-06-01 EUR/JPY 100.33 2",
      "2000-06-01 EUR/GBP 0.6197 4",
      "2026-03-16 EUR/USD 1.149 4",
      "2026-03-16 EUR/JPY 180.55 2",
      "2026-03-16 EUR/GBP 0.86012 5",
      "2026-03-16 EUR/ISK 143.2 2",
      "2026-03-16 EUR/THB 37.482 3",
      "2026-03-17 EUR/USD 1.15 4",
      "2026-03-17 EUR/JPY 180.1 2",
      "2026-03-17 EUR/GBP 0.8601 5",
      "2026-03-17 EUR/ISK 143 2",
      "2026-03-17 EUR/THB 37.5 3",
    ]);
  });

  test("a figure with more digits than usual preserves them: 0.70585 pounds in 1999", () => {
    expect(lines(csv(table.replace("0.7111", "0.70585")))[2]).toBe("1999-01-04 EUR/GBP 0.70585 5");
  });

  test("Windows line ends read the same", () => {
    expect(lines(csv(table.replaceAll("\n", "\r\n")))).toEqual(lines(csv(table)));
  });

  test.each<readonly [why: string, text: string, reason: RegExp]>([
    ["HTML", "<html></html>", /HTML page/],
    ["another header", table.replace("Date", "Day"), /unknown header/],
    ["a column that is no currency", table.replace("JPY", "yen"), /unknown header/],
    ["a currency twice in the header", table.replace("JPY", "USD"), /two columns USD/],
    ["a row too short", table.replace("180.55,", ""), /line 3 has 8 columns where the header has 9/],
    ["a cut inside a row", table.slice(0, -20), /cut off, the last line has no end: "1999-01-04/],
    ["a blank line inside", table.replace("\n2000", "\n\n2000"), /columns/],
    ["a day twice", table.replace("2026-03-16", "2026-03-17"), /2026-03-17 is there twice/],
    ["a foreign date", table.replace("2026-03-16", "16/03/2026"), /not a date/],
    ["a future date", table.replace("2026-03-17", "2026-03-18"), /future/],
    ["a hole marked otherwise", table.replace("1.149", "-"), /not a number/],
  ])("is refused for %s", (_, text, reason) => expect(reasonOf(() => csv(text))).toMatch(reason));

  test("something that is no zip is refused", () => {
    expect(reasonOf(() => parseEcbHistoryZip(documentOf(table), history))).toMatch(/not a zip file/);
  });
});

describe("SDMX", () => {
  const table = fixture("ecb-sdmx-history.csv");

  test("every version is a figure, in the order of publication, with its instant", () => {
    expect(lines(sdmx(table))).toEqual([
      "2026-03-13 EUR/USD 1.1477 4 2026-03-14T07:16:04Z",
      "2026-03-16 EUR/NOK 11.8531 4 2026-03-16T14:57:01Z",
      "2026-03-16 EUR/NOK 11.5831 4 2026-03-17T08:30:00Z",
      "2026-03-16 EUR/USD 1.149 4 2026-03-16T14:57:01Z",
      "2026-03-17 EUR/NOK 11.601 4 2026-03-17T14:56:59Z",
      "2026-03-17 EUR/USD 1.15 4 2026-03-17T14:56:59Z",
    ]);
  });

  test("in whatever order its rows come, it reaches to the newest day", () => {
    const [header, ...rows] = table.trimEnd().split("\n");
    const turned = sdmx(`${[header, ...rows.reverse()].join("\n")}\n`);
    const krone = (reading: typeof turned) => lines(reading).filter((line) => line.includes("NOK"));
    expect(krone(turned)).toEqual(krone(sdmx(table)));
    expect(figuresOf(turned).coveredThrough).toBe(day("2026-03-17"));
  });

  test("a value that is loaded at the instant of the old one's deletion replaces it", () => {
    const deletion = "EXR.D.USD.EUR.SP00.A,D,USD,EUR,SP00,A,2026-03-16,,Delete";
    const loaded = deletion.replace(",,Delete", ",1.151,Replace,2026-03-16T17:00:00.000+01:00,");
    const reading = sdmx(table.replace(deletion, `${loaded}\n${deletion}`));
    expect(figuresOf(reading).withdrawals).toEqual([]);
    expect(lines(reading)).toContain("2026-03-16 EUR/USD 1.151 4 2026-03-16T16:00:00Z");
  });

  test("a version from before its figure was observed has no time of publication", () => {
    const early = table.replace("2026-03-17T15:56:59.000+01:00", "2026-03-17T14:14:59.000+01:00");
    expect(lines(sdmx(early))).toContain("2026-03-17 EUR/NOK 11.601 4");
  });

  test("a deletion with nothing after it is a withdrawal; one that was replaced is not", () => {
    expect(figuresOf(sdmx(table)).withdrawals).toEqual([
      { date: day("2026-03-16"), base: "EUR", quote: "USD", publishedAt: Date.parse("2026-03-16T16:00:00Z") },
    ]);
    const rows = table.split("\n").filter((row, at) => at === 0 || row.includes("Delete"));
    const deletions = figuresOf(sdmx(`${rows.join("\n")}\n`));
    expect([deletions.figures, deletions.withdrawals.length]).toEqual([[], 2]);
  });

  test("without the history columns nothing is known of publication", () => {
    const plain = table
      .split("\n")
      .filter((line) => /^KEY|2026-03-17,/.test(line))
      .map((line) => `${line.split(",").slice(0, 8).join(",")}\n`)
      .join("");
    expect(lines(sdmx(plain))).toEqual(["2026-03-17 EUR/NOK 11.601 4", "2026-03-17 EUR/USD 1.15 4"]);
  });

  test("quoted cells of the full format are read", () => {
    const full = [
      "KEY,FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,TIME_PERIOD,OBS_VALUE,TITLE",
      `EXR.D.USD.EUR.SP00.A,D,USD,EUR,SP00,A,2026-03-17,1.15,"US dollar/Euro, ""spot"", 2:15 pm"`,
      "",
    ].join("\n");
    expect(lines(sdmx(full))).toEqual(["2026-03-17 EUR/USD 1.15 4"]);
  });

  test("rows without a value are days without a figure", () => {
    const none = `${table.split("\n")[0]}\nEXR.D.USD.EUR.SP00.A,D,USD,EUR,SP00,A,2026-03-17,,Replace,,\n`;
    expect(sdmx(none).outcome).toBe("empty");
  });

  test.each<readonly [why: string, text: string, reason: RegExp]>([
    ["text instead of data", "No results found", /the last line has no end: "No results found"/],
    ["another table", "a,b\n1,2\n", /no column CURRENCY/],
    ["HTML", "<!doctype html>", /HTML page/],
    ["another pivot", table.replace("NOK,EUR,SP00", "NOK,USD,SP00"), /not requested/],
    ["a monthly series", table.replace(",D,NOK", ",M,NOK"), /not requested/],
    [
      "a version twice",
      table.replace(
        "11.8531,Replace,2026-03-16T15:57:01.000+01:00",
        "11.8531,Replace,2026-03-17T09:30:00.000+01:00",
      ),
      /NOK on 2026-03-16 twice/,
    ],
    ["an unknown action", table.replace("Delete", "Merge"), /unknown action "Merge"/],
    [
      "an instant without offset",
      table.replace("2026-03-17T15:56:59.000+01:00", "2026-03-17T15:56:59"),
      /not an instant/,
    ],
    ["a value that is none", table.replace("11.601", "NaN"), /not a number/],
    ["half of the history columns", table.replace("VALID_TO", "VALID_UNTIL"), /no column VALID_TO/],
    ["an open quote", table.replace("11.601", `"11.601`), /quote/],
  ])("is refused for %s", (_, text, reason) => expect(reasonOf(() => sdmx(text))).toMatch(reason));

  testOn("ecb/sdmx-include-history.csv")(
    "the documented re-publication of 2015-07-27 is read as a replacement",
    () => {
      const reading = figuresOf(
        parseEcbSdmx(documentOf(realDocument("ecb/sdmx-include-history.csv")), history),
      );
      expect(reading.withdrawals).toEqual([]);
      expect(lines(reading)[0]).toBe("2015-07-27 EUR/USD 1.1058 4 2015-07-28T13:16:04Z");
    },
  );
});

describe("routes", () => {
  const urls = (window: typeof latest) =>
    ECB.routes(window).map((route) => route.requests.map((request) => request.url));

  test("history requests the zip first, then SDMX year by year, without a gap", () => {
    const [zip, years] = urls(history);
    expect(zip).toEqual(["https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip"]);
    const spans = (years ?? []).map((url) => {
      const query = new URL(url).searchParams;
      return [day(query.get("startPeriod") ?? ""), day(query.get("endPeriod") ?? "")] as const;
    });
    expect(spans.length).toBe(28);
    expect(spans[0]?.[0]).toBe(history.from);
    expect(spans.at(-1)?.[1]).toBe(history.to);
    for (let index = 1; index < spans.length; index++) {
      expect(spans[index]?.[0]).toBe((spans[index - 1]?.[1] ?? 0) + 1);
    }
  });

  test("recent asks SDMX with its versions first, then the 90-day XML", () => {
    expect(urls(recent)).toEqual([
      [
        "https://data-api.ecb.europa.eu/service/data/EXR/D..EUR.SP00.A?format=csvdata&detail=dataonly&includeHistory=true&startPeriod=2025-12-17&endPeriod=2026-03-17",
      ],
      ["https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist-90d.xml"],
    ]);
  });

  test("another route for some days is SDMX of those alone, then the 90-day XML where it reaches, then the zip", () => {
    const names = (from: number) =>
      ECB.secondRoutes?.({ from, to: from, today: history.to, currencies: [] }).map(({ name }) => name);
    expect(names(history.to - 84)).toEqual(["sdmx", "90-day XML", "history zip"]);
    expect(names(history.to - 85)).toEqual(["sdmx", "history zip"]);
  });

  test("latest requests the daily XML first, then a fortnight of SDMX", () => {
    const [first, second] = urls(latest);
    expect(first).toEqual(["https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml"]);
    expect(second?.[0]).toContain("startPeriod=2026-03-03&endPeriod=2026-03-17");
  });
});
