/** Whole series of the compatible routes: digits are copied as they are printed. */

import { expect, test } from "bun:test";
import { openTestApp } from "#test/api/harness.ts";

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
