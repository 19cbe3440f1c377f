/** Answers while a daily source was never collected: nothing is left out in silence, and nothing that may still come is reported as missing. */

import { describe, expect, test } from "bun:test";
import { currencyIndex } from "#domain/currency/currency.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import type { PendingSource } from "#domain/intake/reading.ts";
import { parseDay } from "#domain/time/day.ts";
import { ECB } from "#sources/ecb/ecb.ts";
import { FRED_SERIES } from "#sources/fred/fred.ts";
import { openTestApp, post, WORLD } from "#test/api/harness.ts";
import { datasetOf, fred, type PlainObservation } from "#test/domain/history/columns.ts";

const FRED_CURRENCIES = new Set(
  [...FRED_SERIES.map(({ currency }) => currency), "USD" as const].map(currencyIndex),
);
const ECB_CURRENCIES = new Set([...ECB.currencies, "EUR" as const].map(currencyIndex));
const DAY = "2026-04-10";
const WINDOW = "start_date=2026-04-07&end_date=2026-04-10";

function fredIs(isCollecting: boolean): PendingSource[] {
  return [{ source: "fred_daily", currencies: FRED_CURRENCIES, isCollecting, collected: null }];
}

function ecbIs(isCollecting: boolean): PendingSource[] {
  return [{ source: "ecb_daily", currencies: ECB_CURRENCIES, isCollecting, collected: null }];
}

function without(pending: PendingSource[], rows: readonly PlainObservation[]): Dataset {
  return { ...datasetOf(rows), pending };
}

const ONLY_ECB = WORLD.filter(({ source }) => source === "ecb_daily");

function opened(pending: PendingSource[], rows = ONLY_ECB) {
  return openTestApp({ world: without(pending, rows) });
}

test("where another source has older figures of the currency, the message says of which day, how to read them, and what makes it better", async () => {
  const newest = parseDay("2026-03-02") as number;
  const pending = [
    { ...fredIs(false)[0], collected: { currencies: ECB_CURRENCIES, newest } },
  ] as PendingSource[];
  const old = ONLY_ECB.map((row) => ({ ...row, date: row.date - 42 }));
  const response = await opened(pending, old).refused(`/v1/${DAY}?symbols=GBP`, "data_unavailable");
  expect((await response.json()).message).toBe(
    "the newest figures of GBP here are of 2026-03-02, and /v1/2026-03-02 has them; those since come once this server reaches their source, which it tries again by itself: /status says what failed",
  );
  // Earlier days than the collected ones are another lack.
  const window = `/v1/range?symbols=GBP&start_date=2026-01-05&end_date=${DAY}`;
  const early = await opened(pending, old).refused(window, "data_unavailable");
  expect((await early.json()).message).toBe(
    "GBP needs fred_daily on 2026-01-05, which was not collected here yet; its figures come once this server reaches their source, which it tries again by itself: /status says what failed",
  );
});

/** Every surface by its query: all currencies, TWD by name, and a pair of the ECB. */
const ALL = [
  "/v1/latest",
  "/v1/latest/GBP",
  `/v1/${DAY}`,
  `/v1/range?symbols=*&${WINDOW}`,
  `/v1/range?symbols=*&${WINDOW}&interval=1w`,
  `/v1/range?symbols=*&${WINDOW}&updated_after=1970-01-01T00:00:00Z`,
  `/v1/range?symbols=*&${WINDOW}&format=csv`,
  "/v1/stream",
  "/compat/frankfurter/v2/rates",
  "/compat/oxr/latest.json?app_id=x",
  `/compat/oxr/historical/${DAY}.json?app_id=x`,
];
const NAMED = [
  "/v1/latest?symbols=TWD",
  "/v1/latest?symbols=EUR,TWD",
  "/v1/latest/TWD",
  `/v1/${DAY}?symbols=EUR,TWD`,
  `/v1/${DAY}?base=TWD`,
  "/v1/convert/USD/TWD/1",
  `/v1/convert/TWD/USD/1?date=${DAY}`,
  "/v1/rate/usd-twd",
  `/v1/range?symbols=EUR,TWD&${WINDOW}`,
  `/v1/range?base=TWD&symbols=EUR&${WINDOW}&fill=previous`,
  `/v1/range?symbols=EUR,TWD&${WINDOW}&format=ndjson`,
  "/v1/stream?symbols=TWD",
  "/compat/frankfurter/v2/rates?quotes=EUR,TWD",
  `/compat/oxr/historical/${DAY}.json?app_id=x&symbols=TWD`,
];
const OTHERS = [
  "/v1/latest?symbols=EUR,JPY",
  `/v1/${DAY}?symbols=EUR,JPY`,
  "/v1/convert/EUR/JPY/1",
  `/v1/convert/EUR/JPY/1?date=${DAY}`,
  "/v1/rate/eur-jpy",
  `/v1/range?symbols=EUR,JPY&${WINDOW}`,
  `/v1/range?symbols=EUR,JPY&${WINDOW}&format=csv`,
  "/compat/frankfurter/v1/latest",
  `/compat/frankfurter/v1/${DAY}..`,
  "/compat/frankfurter/v2/rates?quotes=EUR,JPY",
];

async function statusOf({ ask }: ReturnType<typeof openTestApp>, path: string) {
  // A stream that is open has no end to read to.
  const response = await ask(path, path.startsWith("/v1/stream") ? { method: "HEAD" } : {});
  const retry = response.headers.get("retry-after");
  return { path, status: response.status, retry, cache: response.headers.get("cache-control") };
}

describe("while the first collection of H.10 may be under way", () => {
  const app = opened(fredIs(true));
  test.each([...ALL, ...NAMED])("%s is 503 with Retry-After", async (path) => {
    expect(await statusOf(app, path)).toEqual({ path, status: 503, retry: "5", cache: "no-store" });
  });
  test.each(OTHERS)("%s is answered", async (path) => {
    expect(await statusOf(app, path)).toMatchObject({ path, status: 200, retry: null });
  });
  test("a batch with TWD is 503, one without is answered", async () => {
    const batch = (...codes: string[]) => post({ from: "USD", pairs: codes.map((code) => [code, 1]) });
    const refused = await app.refused("/v1/convert", "data_unavailable", batch("EUR", "TWD"));
    expect(refused.headers.get("retry-after")).toBe("5");
    expect((await app.ask("/v1/convert", batch("EUR", "JPY"))).status).toBe(200);
  });
  test("the message names the source and the currency", async () => {
    expect(await app.reason("/v1/convert/USD/TWD/1", "data_unavailable")).toMatch(/TWD needs fred_daily/);
  });
});

describe("afterwards, while H.10 was never collected", () => {
  const app = opened(fredIs(false));
  test.each(ALL)("%s leaves TWD out, and no cache stores it", async (path) => {
    const { status, cache } = await statusOf(app, path);
    expect(status).toBe(200);
    expect(cache).toMatch(/max-age=0|no-cache|no-store/);
  });
  test.each(NAMED)("%s stays 503 with Retry-After", async (path) => {
    expect(await statusOf(app, path)).toEqual({ path, status: 503, retry: "30", cache: "no-store" });
  });
  test("a currency that the source never has is 404 on a day without it", async () => {
    await app.refused("/v1/2026-04-10?symbols=ISK", "no_data_for_date");
  });
  test("a currency of both sources needs it on days that the ECB's figures do not reach", async () => {
    await app.refused("/v1/2001-04-10?symbols=BRL", "data_unavailable");
    await app.refused("/v1/range?symbols=JPY&start_date=2001-04-10&end_date=2026-04-10", "data_unavailable");
  });
  test("what this server held at a past instant lacks nothing", async () => {
    await app.refused(
      `/v1/${DAY}?symbols=TWD&as_of=2026-04-11T00:00:00Z&as_of_basis=retrieved`,
      "no_data_for_date",
    );
    await app.refused(`/v1/${DAY}?symbols=TWD&as_of=2026-04-11T00:00:00Z`, "data_unavailable");
  });
  test("days outside of coverage are 404 as ever", async () => {
    await app.refused("/v1/1998-04-10?symbols=TWD", "no_data_for_date");
    await app.refused("/v1/2026-04-14?symbols=TWD", "no_data_for_date");
  });
});

describe("without the ECB's figures", () => {
  const rows = [
    ...WORLD.filter(({ source }) => source === "fred_daily"),
    fred("2026-04-10", "JPY", "159.50", 2),
    fred("2026-04-10", "TWD", "32.11", 2),
  ].filter(
    (row, index, all) =>
      all.findIndex((other) => other.date === row.date && other.quote === row.quote) === index,
  );
  test("a value of H.10 is not given in its place while the ECB's may come, but a pair of H.10 only is", async () => {
    const app = opened(ecbIs(true), rows);
    await app.refused("/v1/latest?symbols=JPY", "data_unavailable");
    await app.refused(`/v1/${DAY}?symbols=JPY`, "data_unavailable");
    await app.get("/v1/latest?symbols=TWD");
    await app.get(`/v1/${DAY}?symbols=TWD`);
  });
  test("afterwards it is, under its own name", async () => {
    const app = opened(ecbIs(false), rows);
    expect((await app.get("/v1/latest?symbols=JPY")).source).toBe("fred_daily");
    expect((await app.get(`/v1/${DAY}?symbols=JPY`)).source).toBe("fred_daily");
    await app.refused("/v1/latest?symbols=ISK", "data_unavailable");
  });
});

test("once the source was collected, every request is answered: no body and no refusal stays cached", async () => {
  const { ask, show } = opened(fredIs(true));
  const look = async () =>
    await Promise.all(
      ["/v1/latest", `/v1/${DAY}`].map(async (path) => {
        const response = await ask(path);
        const body = await response.json();
        return `${response.status} ${"TWD" in (body.rates ?? {})}`;
      }),
    );
  expect(await look()).toEqual(["503 false", "503 false"]);
  show(without(fredIs(false), ONLY_ECB));
  expect(await look()).toEqual(["200 false", "200 false"]);
  expect(await look()).toEqual(["200 false", "200 false"]);
  show(datasetOf(WORLD));
  expect(await look()).toEqual(["200 true", "200 true"]);
});
