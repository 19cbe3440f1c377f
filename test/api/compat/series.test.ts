/** Whole series of the compatible routes: what was found out about one is remembered for as long as it holds, and digits are copied as they are printed. */

import { expect, test } from "bun:test";
import { type Survey, surveySeries } from "#api/compat/series.ts";
import { currencyIndex } from "#domain/currency/currency.ts";
import { parseDay } from "#domain/time/day.ts";
import { NOW, openTestApp, WORLD } from "#test/api/harness.ts";
import { datasetOf, ecb } from "#test/domain/history/columns.ts";

const QUESTION = {
  base: currencyIndex("EUR"),
  symbols: [currencyIndex("USD"), currencyIndex("HUF")],
  start: parseDay("2026-03-31") as number,
  end: parseDay("2026-04-13") as number,
  fill: "none",
} as const;

/** Runs the first pass; `isRemembered` is true where it took no step. */
function surveyed(steps: Generator<undefined, Survey>): Survey & { readonly isRemembered: boolean } {
  for (let count = 0; ; count++) {
    const step = steps.next();
    if (step.done === true) return { ...step.value, isRemembered: count === 0 };
  }
}

test("the first pass over a series is remembered for as long as the data and the day are the same", () => {
  let dataset = datasetOf(WORLD);
  let now = NOW;
  const { deps } = openTestApp({ dataset: () => dataset, clock: { now: () => now } });
  const ask = (question = QUESTION as Parameters<typeof surveySeries>[1]) =>
    surveyed(surveySeries(deps, question));

  expect(ask()).toMatchObject({ isRemembered: false, last: parseDay("2026-04-13") });
  expect(ask()).toMatchObject({ isRemembered: true, last: parseDay("2026-04-13") });
  expect(ask({ ...QUESTION, end: QUESTION.end - 4 })).toMatchObject({
    isRemembered: false,
    last: parseDay("2026-04-09"),
  });

  now += 24 * 3_600_000;
  expect(ask().isRemembered).toBe(false);
  now = NOW;

  // As after a file was found to be damaged: the version stays.
  dataset = { ...dataset, damaged: [] };
  expect(ask().isRemembered).toBe(false);
  expect(ask().isRemembered).toBe(true);

  const earlier = datasetOf(WORLD.filter(({ date }) => date !== parseDay("2026-04-13")));
  dataset = { ...earlier, history: { ...earlier.history, version: "earlier" } };
  expect(ask()).toMatchObject({ isRemembered: false, last: parseDay("2026-04-10") });
});

test("what was found out while the data was replaced is not remembered", () => {
  let dataset = datasetOf(WORLD);
  const { deps } = openTestApp({ dataset: () => dataset });
  const before = dataset;
  const steps = surveySeries(deps, QUESTION);
  steps.next();
  dataset = datasetOf([...WORLD, ecb("2026-04-13", "CHF", "0.93")]);
  surveyed(steps);
  dataset = before;
  expect(surveyed(surveySeries(deps, QUESTION)).isRemembered).toBe(false);
});

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
