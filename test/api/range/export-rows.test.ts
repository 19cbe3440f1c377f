/** Every export holds the rows of the JSON pages, digit for digit, for every query. */

import { describe, expect, test } from "bun:test";
import { type CurrencyCode, currencyIndex } from "#domain/currency/currency.ts";
import { crossRate, derivationBound } from "#domain/history/cross.ts";
import { formatDay, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { openTestApp } from "#test/api/harness.ts";
import { datasetOf, day } from "#test/domain/history/columns.ts";
import { FIRST, hardWorld, LAST } from "#test/domain/history/printed-columns.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { asCells, csvRows, lineRows, type PageRow, text, walkPages } from "./range-pages.ts";

const dataset = datasetOf(hardWorld(seededRandom(7)));
const NOW = (LAST - 3) * MILLISECONDS_PER_DAY + 60_000_000;
const { visit } = openTestApp({ world: dataset, now: NOW });

/** Not in the order of the catalog; with a repeat, a currency that has nothing, and the bases themselves. */
const REQUESTED = ["MXN", "USD", "GBP", "TWD", "GBP", "IDR", "EUR", "ZAR", "AUD"];
const SYMBOLS = [...new Set(REQUESTED)];
const WINDOW = `start_date=${formatDay(FIRST + 2)}&end_date=${formatDay(LAST + 5)}`;

/** Origin and derivation of every value, from pages of one symbol; of weeks and months with one row each. */
async function valuesOf(
  path: string,
): Promise<Map<string, { source: string; filled: boolean; derived: boolean }>> {
  const values = new Map();
  for (const symbol of SYMBOLS) {
    const limit = path.includes("interval") ? 1 : 366;
    for (const row of await walkPages(visit, path.replace(REQUESTED.join(","), symbol), limit)) {
      const derived = limit === 1 ? row.derived.includes(symbol) : isDerived(path, symbol, row.date);
      values.set(`${row.date} ${symbol}`, { source: row.source, filled: row.is_forward_filled, derived });
    }
  }
  return values;
}

function isDerived(path: string, symbol: string, date: string): boolean {
  const base = currencyIndex(/base=(\w+)/.exec(path)?.[1] as string);
  return crossRate(dataset.history, day(date), base, currencyIndex(symbol))?.derived === true;
}

/** Either fill; the dollar's rows are crosses of the euro's figures. */
const ON_BASES = [
  ["EUR", "none"],
  ["USD", "previous"],
  ["TWD", "previous"],
] as const;
/** Quarters, and each with its other aggregate, over the real history: periods-history.test.ts. */
const PERIODS = [
  "",
  "&interval=1w",
  "&interval=1w&aggregate=mean",
  "&interval=1mo&aggregate=mean",
  "&interval=1y",
];

describe.each(ON_BASES)("on base %s with fill=%s", (base, fill) => {
  test.each(PERIODS)(
    "rows of CSV and NDJSON are those of the pages, in every layout, order and rounding %s",
    async (period) => {
      const question = `/v1/range?base=${base}&symbols=${REQUESTED.join(",")}&${WINDOW}&fill=${fill}${period}`;
      const values = await valuesOf(question);
      for (const form of period === ""
        ? ["", "&order=desc", "&dp=2", "&order=desc&dp=2"]
        : [period.includes("mean") ? "&dp=2" : "&order=desc", ...(period.endsWith("1w") ? [""] : [])]) {
        const path = question + form;
        const pages = await walkPages(visit, path, 17);
        expect(pages.length).toBeGreaterThan(0);
        sameWide(base, pages, await text(visit, `${path}&format=csv&layout=wide`));
        expect(lineRows(await text(visit, `${path}&format=ndjson&layout=wide`))).toEqual(
          pages.map(({ derived: _, ...row }) => ({ ...row, base })),
        );
        if (!form.includes("desc")) await sameLong(base, path, pages, values);
      }
    },
  );
});

test("the long layout, newest first, has each symbol's rows in the order of the pages", async () => {
  const path = `/v1/range?base=USD&symbols=${REQUESTED.join(",")}&${WINDOW}&order=desc`;
  await sameLong("USD", path, await walkPages(visit, path), await valuesOf(path));
});

async function sameLong(
  base: CurrencyCode,
  path: string,
  pages: readonly PageRow[],
  values: Awaited<ReturnType<typeof valuesOf>>,
): Promise<void> {
  const daily = !path.includes("interval");
  const long = longRows(base, pages, values, daily);
  expect(withoutBound(csvRows(await text(visit, `${path}&format=csv`)).rows, daily)).toEqual(long);
  const lines = lineRows(await text(visit, `${path}&format=ndjson&layout=long`)).map(asCells);
  expect(withoutBound(lines, daily)).toEqual(long);
}

function sameWide(base: string, pages: readonly PageRow[], csv: string): void {
  const { header, rows } = csvRows(csv);
  expect(header).toEqual(["date", "base", "source", "is_forward_filled", ...SYMBOLS]);
  const expected = pages.map(({ date, source, is_forward_filled, rates }) => ({
    date,
    base,
    source: source as string,
    is_forward_filled: String(is_forward_filled),
    ...Object.fromEntries(SYMBOLS.map((symbol) => [symbol, rates[symbol] ?? ""])),
  }));
  expect(rows).toEqual(expected);
}

/** What the long layout must hold: symbols in the order of the catalog, each with its rows of the pages in their order. */
function longRows(
  base: CurrencyCode,
  pages: readonly PageRow[],
  values: Awaited<ReturnType<typeof valuesOf>>,
  daily: boolean,
): Record<string, string>[] {
  return [...SYMBOLS].sort().flatMap((symbol) =>
    pages
      .filter(({ rates }) => rates[symbol] !== undefined)
      .map(({ date, rates, last_dates }) => {
        const value = values.get(`${date} ${symbol}`);
        return {
          date,
          base,
          symbol,
          rate: rates[symbol] as string,
          source: String(value?.source),
          is_forward_filled: String(value?.filled),
          derived: String(value?.derived),
          ...(daily
            ? { derivation_bps_max: boundOf(base, symbol as CurrencyCode, date) }
            : { last_date: last_dates?.[symbol] as string }),
        };
      }),
  );
}

function boundOf(base: CurrencyCode, symbol: CurrencyCode, date: string): string {
  const cross = crossRate(dataset.history, day(date), currencyIndex(base), currencyIndex(symbol));
  const bound = cross === null ? null : derivationBound(dataset.history, cross);
  return bound === null ? "" : Number.isInteger(bound) ? bound.toFixed(1) : String(bound);
}

/** Bounds of weeks and months depend on which day published last: the pages do not state them. */
function withoutBound(rows: readonly Record<string, string>[], daily: boolean) {
  if (daily) return rows;
  return rows.map(({ derivation_bps_max: _, ...row }) => row);
}

test("symbols=* is every other currency, in either layout, and the base on request", async () => {
  const question = `/v1/range?base=TWD&symbols=*&${WINDOW}`;
  const pages = await walkPages(visit, question);
  const wide = csvRows(await text(visit, `${question}&format=csv&layout=wide`));
  expect(wide.header).toHaveLength(34);
  expect(wide.header).not.toContain("TWD");
  expect(wide.rows.map(({ date, JPY }) => [date, JPY])).toEqual(
    pages.map(({ date, rates }) => [date, rates["JPY"] ?? ""]),
  );
  const long = csvRows(await text(visit, `${question}&format=csv`)).rows;
  expect(long).toHaveLength(pages.reduce((sum, { rates }) => sum + Object.keys(rates).length, 0));
});
