/** Whole series of the compatible routes: digits are copied as they are printed. */

import { expect, test } from "bun:test";
import { openTestApp } from "#test/api/harness.ts";

test("an indented series has the digits of the plain one", async () => {
  const app = openTestApp();
  const path = "/compat/oxr/time-series.json?base=EUR&symbols=HUF,USD,EUR&start=2026-03-31&end=2026-04-13";
  const plain = await (await app.ask(path)).text();
  const indented = await (await app.ask(`${path}&prettyprint=1`)).text();
  const asNumbers = indented.replace(/(?<=: )[\d.]+/g, (digits) => String(Number(digits)));
  expect(asNumbers).toBe(JSON.stringify(JSON.parse(indented), null, 2));
  expect(indented.replace(/\s/g, "")).toBe(plain.replace(/\s/g, ""));
  expect(plain).toContain('"HUF":366.90');
});

test("digits of a series are those of each of its days", async () => {
  const app = openTestApp();
  const rows = (
    await (await app.ask("/compat/frankfurter/v2/rates.csv?from=2026-04-07&to=2026-04-13")).text()
  )
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split(","));
  expect(rows.length).toBeGreaterThan(20);
  for (const [date, base, quote, rate] of rows) {
    if (quote === "TWD" || quote === base) continue;
    const { rates } = await app.get(`/v1/${date}?base=${base}&symbols=${quote}`);
    expect(`${date} ${quote} ${Number(rate)}`).toBe(`${date} ${quote} ${rates[quote as string]}`);
  }
});
