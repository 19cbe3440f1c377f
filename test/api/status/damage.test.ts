/** Answers while files of the lake are damaged: what may depend on them is refused, the rest is as it was. */

import { describe, expect, test } from "bun:test";
import type { DamagedFigures } from "#domain/history/damage.ts";
import { type Book, EMPTY_BOOK, merge } from "#domain/live/book.ts";
import { NOTHING_LIVE, NOW, openTestApp, post, WORLD } from "#test/api/harness.ts";
import { datasetOf } from "#test/domain/history/columns.ts";
import { quoteOfPair } from "#test/domain/live/quote.ts";

function damagedYear(year: number, table: DamagedFigures["table"] = "daily"): DamagedFigures {
  const path = `${table}/source=ecb_daily/year=${year}/part-1.parquet`;
  return { table, path, sentence: `${path} is missing (the log says 7168 rows)`, source: "ecb_daily", year };
}

function appWith(damaged: readonly DamagedFigures[], book?: Book) {
  const dataset = { ...datasetOf(WORLD), damaged };
  const live =
    book === undefined
      ? {}
      : {
          hotBook: { ...NOTHING_LIVE.hotBook, read: () => book },
          policy: { currencies: new Set(["EUR" as const]), staleAfterSeconds: () => 300 },
        };
  return openTestApp({
    dataset: () => dataset,
    lakeDamage: () => damaged.map(({ sentence }) => sentence),
    live,
  });
}

const REFUSED_WITHOUT_THIS_YEAR = [
  "/v1/latest",
  "/v1/latest?symbols=GBP",
  "/v1/rate/eur-usd",
  "/v1/convert/EUR/USD/1",
  "/v1/convert/EUR/USD/1?date=2026-04-10",
  "/v1/2026-04-10",
  "/v1/2026-04-10?as_of=2026-04-11T00:00:00Z",
  "/v1/range?symbols=USD&start_date=2026-04-01&end_date=2026-04-10",
  "/v1/range?symbols=USD&start_date=2026-04-01&end_date=2026-04-10&format=csv",
  "/v1/range?symbols=USD&start_date=2026-04-01&end_date=2026-04-10&interval=1w",
  "/v1/range?symbols=USD&start_date=2026-04-01&end_date=2026-04-10&updated_after=2026-04-01T00:00:00Z",
  "/v1/currencies",
  "/compat/frankfurter/v1/latest",
  "/compat/frankfurter/v1/2026-04-10",
  "/compat/oxr/latest.json",
];

describe("the year of the newest figures is damaged", () => {
  const app = appWith([damagedYear(2026)]);
  test.each(REFUSED_WITHOUT_THIS_YEAR)("%s is refused", async (path) => {
    const response = await app.ask(path);
    expect(response.status).toBe(503);
    expect(await response.text()).toContain("damaged");
  });
  test("a batch is refused", async () => {
    await app.refused("/v1/convert", "data_unavailable", post({ from: "EUR", pairs: [["USD", 1]] }));
  });
  test("/status is degraded and names the file", async () => {
    const { status, checks } = await app.get("/status");
    expect(status).toBe("degraded");
    expect(checks.lake.damaged).toEqual([damagedYear(2026).sentence]);
  });
});

test("live rates do not depend on it; an answer of all currencies would miss some and is refused", async () => {
  const quote = quoteOfPair("EUR/USD", "1.1623", NOW - 1000);
  const app = appWith([damagedYear(2026)], merge(EMPTY_BOOK, [quote]));
  const { rates, source } = await app.get("/v1/latest?base=EUR&symbols=USD");
  expect({ rates, source }).toEqual({ rates: { USD: 1.1623 }, source: "live" });
  await app.refused("/v1/latest", "data_unavailable");
  await app.refused("/v1/latest?base=EUR&symbols=GBP", "data_unavailable");
});

describe("a year is damaged that these answers do not reach", () => {
  const intact = openTestApp();
  const app = appWith([damagedYear(2025), damagedYear(2026, "revisions")]);
  test.each([
    "/v1/latest",
    "/v1/convert/EUR/USD/1?date=2026-04-10",
    "/v1/2026-04-10",
    "/v1/range?symbols=USD&start_date=2026-04-01&end_date=2026-04-10",
  ])("%s is as it was", async (path) => {
    expect(await app.get(path)).toEqual(await intact.get(path));
  });
  test("what was known at an instant needs the year's revisions, and a filled day the year that it is filled from", async () => {
    for (const path of [
      "/v1/2026-04-10?as_of=2026-04-11T00:00:00Z",
      "/v1/2026-01-14",
      "/v1/range?symbols=USD&start_date=2026-01-10&end_date=2026-04-10",
      "/v1/range?symbols=USD&start_date=2026-04-01&end_date=2026-04-10&updated_after=2026-04-01T00:00:00Z",
    ])
      await app.refused(path, "data_unavailable");
    const past = appWith([damagedYear(2025, "revisions")]);
    const range =
      "/v1/range?symbols=USD&start_date=2025-12-30&end_date=2026-04-10&as_of=2026-04-11T00:00:00Z";
    await past.refused(range, "data_unavailable");
  });
});
