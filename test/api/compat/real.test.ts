/** The whole real history of the ECB through Frankfurter's and Open Exchange Rates' shapes: every figure as the ECB printed it. */

import { describe, expect, test } from "bun:test";
import { CURRENCY_CODES, type CurrencyCode } from "#domain/currency/currency.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import { openTestApp } from "#test/api/harness.ts";
import { datasetOf, ecb } from "#test/domain/history/columns.ts";
import { sharedDocument } from "#test/support/shared-data.ts";

const path = sharedDocument("ecb/eurofxref-hist.csv");

/** The CSV read as naively as possible: date → currency → printed digits. */
async function published(file: string): Promise<Map<string, Map<CurrencyCode, string>>> {
  const [head = "", ...lines] = (await Bun.file(file).text()).trim().split("\n");
  const names = head.split(",");
  const table = new Map<string, Map<CurrencyCode, string>>();
  for (const line of lines) {
    const cells = line.split(",");
    const row = new Map<CurrencyCode, string>();
    for (const code of CURRENCY_CODES) {
      const cell = cells[names.indexOf(code)];
      if (cell !== undefined && /\d/.test(cell) && names.includes(code)) row.set(code, cell);
    }
    table.set(cells[0] as string, row);
  }
  return table;
}

describe.skipIf(path === null)("27 years of the ECB", async () => {
  const table = path === null ? new Map<string, Map<CurrencyCode, string>>() : await published(path);
  const dataset: Dataset = datasetOf(
    [...table].flatMap(([date, row]) => [...row].map(([code, printed]) => ecb(date, code, printed))),
  );
  const [newest = ""] = table.keys();
  const clock = { now: () => Date.parse(`${newest}T18:00:00Z`) };
  const app = openTestApp({ dataset: () => dataset, pinned: () => dataset, clock });

  test("v1 as one period: every day and figure, digit for digit, and nothing more", async () => {
    const text = await (await app.ask("/compat/frankfurter/v1/1999-01-04..")).text();
    const found = new Map<string, Map<string, string>>();
    for (const [, date = "", members = ""] of text.matchAll(/"(\d{4}-\d{2}-\d{2})":\{([^}]*)\}/g)) {
      const pairs = members.split(",").map((member) => member.split(":"));
      found.set(date, new Map(pairs.map(([code = "", digits = ""]) => [code.replaceAll('"', ""), digits])));
    }
    const days = [...table].filter(([, row]) => row.size > 0);
    expect(found.size).toBe(days.length);
    for (const [date, row] of days) expect([...(found.get(date) ?? [])].sort()).toEqual([...row].sort());
  });

  test("v2 as one range: the same figures, one record each", async () => {
    const records = await (await app.ask("/compat/frankfurter/v2/rates.csv?from=1999-01-04")).text();
    const expected = [...table].flatMap(([date, row]) =>
      [...row].map(([code, digits]) => `${date},EUR,${code},${digits}`),
    );
    const own = (line: string) => line.includes(",EUR,EUR,");
    const found = records
      .trimEnd()
      .split("\n")
      .slice(1)
      .filter((line) => !own(line));
    expect(found.sort()).toEqual(expected.sort());
  });

  test("a time series on the dollar has every calendar day of its window", async () => {
    const body = await app.get(
      "/compat/oxr/time-series.json?start=1999-01-04&end=2025-12-31&symbols=EUR,JPY",
    );
    expect(Object.keys(body.rates)).toHaveLength(9859);
    expect(body.rates["1999-01-04"].EUR).toBe(Number((1 / 1.1789).toPrecision(10)));
  });
});
