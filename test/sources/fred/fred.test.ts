/** H.10 through FRED: every series in its own direction, from the API and from the keyless download alike. */

import { describe, expect, test } from "bun:test";
import { formatDay, formatInstant } from "#domain/time/day.ts";
import { dailyAdapters } from "#sources/catalogue.ts";
import { FRED_SERIES, fredAdapter, parseFredCsv, parseFredJson } from "#sources/fred/fred.ts";
import { day, documentOf, figuresOf, fixture, reasonOf, windowOf } from "#test/sources/documents.ts";
import { realDocument, testOn } from "#test/support/shared-data.ts";

const latest = windowOf("latest", "2026-03-10", "2026-03-17");
const history = windowOf("history", "1999-01-04", "2026-03-17");
const ids = FRED_SERIES.map((series) => series.id).join(",");

const csv = (text: string, id = ids, window = latest) =>
  parseFredCsv(documentOf(text, `https://fred.stlouisfed.org/graph/fredgraph.csv?id=${id}`), window);
const json = (text: string | Uint8Array, id = "DEXUSEU", window = latest) =>
  parseFredJson(
    documentOf(text, `https://api.stlouisfed.org/fred/series/observations?series_id=${id}`),
    window,
  );
const lines = (reading: ReturnType<typeof csv>) =>
  figuresOf(reading).figures.map(
    ({ date, base, quote, printed, decimals }) =>
      `${formatDay(date)} ${base}/${quote} ${printed} ${decimals}`,
  );

describe("keyless CSV", () => {
  const table = fixture("fred-combined.csv");

  test("gives each series in its direction: units for a dollar, or dollars for a unit", () => {
    const read = lines(csv(table));
    expect(read.length).toBe(42);
    for (const line of [
      "2026-03-12 USD/TWD 31.85 2",
      "2026-03-12 USD/INR 91.20 2",
      "2026-03-12 EUR/USD 1.1477 4",
      "2026-03-12 GBP/USD 1.3310 4",
      "2026-03-12 AUD/USD 0.7010 4",
      "2026-03-12 NZD/USD 0.5810 4",
    ]) {
      expect(read).toContain(line);
    }
  });

  test("days without figures are covered all the same", () => {
    expect(figuresOf(csv(table)).coveredThrough).toBe(day("2026-03-16"));
  });

  test("the old header, padded zeros, ND and dots; nothing before 1999-01-04", () => {
    expect(lines(csv(fixture("fred-old-header.csv"), "DEXTAUS", history))).toEqual([
      "1999-01-04 USD/TWD 32.2125 4",
      "1999-01-05 USD/TWD 32.3000 2",
    ]);
  });

  test("figures are observed at noon in New York, in winter and in summer", () => {
    const at = (date: string) =>
      formatInstant(
        figuresOf(csv(`DATE,DEXTAUS\n${date},32\n`, "DEXTAUS", history)).figures[0]?.observedAt ?? 0,
      );
    expect(at("2026-01-15")).toBe("2026-01-15T17:00:00Z");
    expect(at("2025-07-15")).toBe("2025-07-15T16:00:00Z");
  });

  test("no figure is a holiday by the federal calendar, else empty", () => {
    const christmas = windowOf("latest", "2025-12-25", "2025-12-25");
    expect(csv("DATE,DEXTAUS\n2025-12-25,.\n", "DEXTAUS", christmas)).toEqual({
      outcome: "holiday",
      coveredThrough: day("2025-12-25"),
    });
    expect(csv("DATE,DEXTAUS\n", "DEXTAUS").outcome).toBe("empty");
  });

  test("a series that is missing is noted and does not take the others with it", () => {
    const reading = csv(table.replace("DEXTAUS", "DEXSLUS"));
    expect(lines(reading).some((line) => line.includes("TWD"))).toBe(false);
    expect(lines(reading).length).toBeGreaterThan(20);
    expect(reading).toMatchObject({ outcome: "figures", note: "the document has no column for DEXTAUS" });
  });

  test.each<readonly [why: string, text: string, reason: RegExp]>([
    ["none of the requested series", "observation_date,DEXSLUS\n2026-03-12,300.1\n", /no column/],
    ["a series twice", table.replace("DEXBZUS", "DEXTAUS"), /two columns DEXTAUS|no column DEXBZUS/],
    ["another first column", table.replace("observation_date", "when"), /unknown header/],
    ["a cut inside the last number", table.slice(0, -3), /cut off/],
    ["HTML", "<!DOCTYPE html>\n<html>", /HTML page/],
    ["a zip", "PK\u0003\u0004", /cut off/],
    ["a ragged row", `${table}2026-03-17,1\n`, /columns/],
    ["rows out of order", table.replace("2026-03-12", "2026-03-14"), /out of order|weekend/],
    ["a day twice", table.replace("2026-03-12", "2026-03-13"), /there twice/],
    ["a future date", table.replace("2026-03-16", "2026-03-18"), /future/],
    ["NaN", table.replace("31.85", "NaN"), /DEXTAUS on 2026-03-12 is not a number: "NaN"/],
    ["a negative value", table.replace("31.85", "-31.85"), /not a number/],
  ])("is refused for %s", (_, text, reason) => expect(reasonOf(() => csv(text))).toMatch(reason));

  testOn("fred/DEXTAUS-spliced.csv")(
    "the whole real TWD series from 1999: as an independent reading has it",
    () => {
      const bytes = realDocument("fred/DEXTAUS-spliced.csv");
      const expected = new TextDecoder()
        .decode(bytes)
        .trim()
        .split("\n")
        .slice(1)
        .map((line) => line.split(",") as [string, string])
        .filter(([date, value]) => date >= "1999-01-04" && value !== "" && value !== ".");
      const { figures } = figuresOf(csv(new TextDecoder().decode(bytes), "DEXTAUS", history));
      expect(figures.map((figure) => [formatDay(figure.date), figure.printed])).toEqual(expected);
    },
  );
});

describe("API", () => {
  const answer = fixture("fred-api.json.txt");

  test("values as text, zeros stripped, decimals of the series", () => {
    expect(lines(json(answer))).toEqual(["2026-03-12 EUR/USD 1.1477 4", "2026-03-13 EUR/USD 1.15 4"]);
    expect(figuresOf(json(answer)).coveredThrough).toBe(day("2026-03-16"));
  });

  test.each<readonly [why: string, text: string, reason: RegExp]>([
    ["an error answer", fixture("fred-error.json.txt"), /an error instead of data: "Bad Request/],
    ["a cut", answer.slice(0, -30), /not JSON, or cut off/],
    ["another shape", `{"series":[]}`, /no list of objects "observations"/],
    ["null", "null", /not an object/],
    ["a part of the series", answer.replace(`"count":3`, `"count":4`), /3 observations of 4/],
    ["transformed values", answer.replace(`"lin"`, `"pch"`), /lin/],
    ["a number instead of text", answer.replace(`"1.15"`, "1.15"), /as text/],
    ["a day twice", answer.replace(`"2026-03-12"`, `"2026-03-13"`), /there twice/],
    ["an infinite value", answer.replace(`"1.15"`, `"Infinity"`), /not a number/],
  ])("is refused for %s", (_, text, reason) => expect(reasonOf(() => json(text))).toMatch(reason));

  testOn("fred/DEXTAUS.api.json")(
    "every real answer gives its ten figures, with the decimals of the longest that it prints",
    () => {
      for (const { id } of FRED_SERIES) {
        const answer = realDocument(`fred/${id}.api.json`);
        const fractions = [...new TextDecoder().decode(answer).matchAll(/"value": ?"\d+\.?(\d*)"/g)];
        const longest = Math.max(...fractions.map(([, digits = ""]) => digits.length));
        const { figures } = figuresOf(json(answer, id));
        const decimals = new Set(figures.map((figure) => figure.decimals));
        expect([id, figures.length, ...decimals]).toEqual([id, 10, longest]);
      }
    },
  );
});

describe("routes", () => {
  const keyless = fredAdapter({ fredApiKey: null });

  test("21 series, each currency once", () => {
    expect(keyless.currencies.length).toBe(21);
    expect(new Set(keyless.currencies).size).toBe(21);
    expect(new Set(FRED_SERIES.map((series) => series.id)).size).toBe(21);
  });

  test("without a key one request requests everything; one request a series is the way out", () => {
    const [all, single] = keyless.routes(latest);
    expect(all?.requests.map((request) => request.url)).toEqual([
      `https://fred.stlouisfed.org/graph/fredgraph.csv?id=${ids}&cosd=2026-02-24`,
    ]);
    // One by one is the same download: neither confirms the other.
    expect([single?.requests.length, single?.voice]).toEqual([21, all?.name]);
  });

  test("another route for some days requests the currencies in doubt from the API, and all of them at once", () => {
    const days = { from: day("2026-03-12"), to: day("2026-03-12"), today: day("2026-03-17") };
    const routes = fredAdapter({ fredApiKey: "k" }).secondRoutes?.({ ...days, currencies: ["TWD"] }) ?? [];
    expect(routes.map(({ name, requests }) => [name, requests.length])).toEqual([
      ["API", 1],
      ["CSV", 1],
    ]);
  });

  test("history starts with the coverage, recent 90 days back", () => {
    expect(keyless.routes(history)[0]?.requests[0]?.url).toEndWith("&cosd=1999-01-04");
    const recent = windowOf("recent", "2026-03-01", "2026-03-17");
    expect(keyless.routes(recent)[0]?.requests[0]?.url).toEndWith("&cosd=2025-12-17");
  });

  test("with a key the API comes first, and the key is in no address", () => {
    const [api] = fredAdapter({ fredApiKey: "0123456789abcdef" }).routes(latest);
    expect(api?.requests.length).toBe(21);
    for (const request of api?.requests ?? []) {
      expect(request.url).not.toContain("0123456789abcdef");
      expect(request.secretQuery).toEqual({ api_key: "0123456789abcdef" });
    }
  });

  test("the catalogue lists the sources with authority and terms", () => {
    const adapters = dailyAdapters({ fredApiKey: null });
    expect(adapters.map((adapter) => adapter.id)).toEqual(["ecb_daily", "fred_daily"]);
    expect(adapters[1]?.terms).toContain(
      "This product uses the FRED® API but is not endorsed or certified by the Federal Reserve Bank of St. Louis.",
    );
  });
});
