/** A rate is never printed as 0: rounding to `dp` leaves at least one significant digit, on every surface that has `dp`. */

import { describe, expect, test } from "bun:test";
import { openTestApp } from "#test/api/harness.ts";
import { datasetOf, ecb } from "#test/domain/history/columns.ts";

const DAYS = ["2026-04-08", "2026-04-09", "2026-04-10", "2026-04-13"];
const dataset = datasetOf(
  DAYS.flatMap((date) => [ecb(date, "USD", "1.1684"), ecb(date, "IDR", "20127.43", 2)]),
);
const app = openTestApp({ world: dataset });

/** 1 / 20127.43 to ten digits: four decimals would make 0 of it. */
const EXACT = "0.00004968344195";
const ROUNDED = "0.00005";
const WINDOW = "base=IDR&symbols=EUR&start_date=2026-04-08&end_date=2026-04-13";

/** The digits as they are in the body, which a parsed number would not show. */
async function text(path: string): Promise<string> {
  const response = await app.visit(path);
  const body = await response.text();
  expect(`${path} ${response.status} ${response.ok ? "" : body}`).toBe(`${path} 200 `);
  return body;
}

function ratesIn(body: string): string[] {
  return Array.from(body.matchAll(/(?:"rates":{"EUR"|"rate"):([0-9.]+)/g), ([, digits = ""]) => digits);
}

describe.each([0, 6])("dp=%d", (dp) => {
  test.each([
    `/v1/latest/IDR?symbols=EUR&dp=${dp}`,
    `/v1/rate/idr-eur?dp=${dp}`,
    `/v1/2026-04-10/IDR?symbols=EUR&dp=${dp}`,
    `/v1/convert/IDR/EUR/1000000?dp=${dp}`,
    `/v1/range?${WINDOW}&dp=${dp}`,
    `/v1/range?${WINDOW}&interval=1mo&aggregate=mean&dp=${dp}`,
    `/v1/range?${WINDOW}&format=ndjson&dp=${dp}`,
    `/v1/range?${WINDOW}&format=ndjson&interval=1mo&aggregate=mean&dp=${dp}`,
  ])("%s", async (path) => {
    const rates = ratesIn(await text(path));
    expect(rates.length).toBeGreaterThan(0);
    for (const rate of rates) expect(rate).toBe(ROUNDED);
  });

  test("the stream", async () => {
    const reader = (await app.visit(`/v1/stream?base=IDR&symbols=EUR&dp=${dp}`)).body?.getReader();
    const event = new TextDecoder().decode((await reader?.read())?.value);
    await reader?.cancel();
    expect(ratesIn(event)).toEqual([ROUNDED]);
  });

  test("files of text", async () => {
    const [, ...rows] = (await text(`/v1/range?${WINDOW}&format=csv&dp=${dp}`)).trim().split("\n");
    expect(rows.map((row) => row.split(",")[3])).toEqual(DAYS.map(() => ROUNDED));
    const [, ...wide] = (await text(`/v1/range?${WINDOW}&format=csv&layout=wide&dp=${dp}`))
      .trim()
      .split("\n");
    for (const row of wide) expect(row).toContain(ROUNDED);
  });
});

test("a rate that does not become 0 is rounded half-even to the requested decimals", async () => {
  const [eight] = ratesIn(await text("/v1/latest/IDR?symbols=EUR&dp=8"));
  expect(eight).toBe("0.00004968");
  const [whole] = ratesIn(await text("/v1/latest/USD?symbols=EUR&dp=0"));
  expect(whole).toBe("1");
  const [all] = ratesIn(await text("/v1/latest/IDR?symbols=EUR"));
  expect(all).toBe(EXACT);
});

test("a conversion multiplies the rate that it shows", async () => {
  const body = await app.get("/v1/convert/IDR/EUR/1000000?dp=4");
  expect([body.rate, body.converted]).toEqual([0.00005, 50]);
});
