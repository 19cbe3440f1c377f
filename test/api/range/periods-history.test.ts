/** Weeks, months, quarters and years over the packaged real history: pages against the ECB's own file, files against the pages. */

import { describe, expect, test } from "bun:test";
import { CURRENCY_CODES } from "#domain/currency/currency.ts";
import { PERIODS } from "#domain/history/periods.ts";
import { formatDay } from "#domain/time/day.ts";
import { ECB_SNAPSHOT } from "#sources/ecb/snapshot.ts";
import { openTestApp } from "#test/api/harness.ts";
import { day } from "#test/domain/history/columns.ts";
import { openOracle, ratioOf, rounded } from "#test/rates/published-table.ts";
import { csvRows, type PageRow, text, walkPages } from "./range-pages.ts";

const FIRST = "1999-01-04";
const LAST = formatDay(ECB_SNAPSHOT.newestDay);

/** The first day of a period, by the runtime's own calendar. */
const STARTS: Readonly<Record<(typeof PERIODS)[number], (date: Date) => Date>> = {
  "1w": (date) => new Date(date.getTime() - ((date.getUTCDay() + 6) % 7) * 86_400_000),
  "1mo": (date) => new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth())),
  "1q": (date) => new Date(Date.UTC(date.getUTCFullYear(), Math.floor(date.getUTCMonth() / 3) * 3)),
  "1y": (date) => new Date(Date.UTC(date.getUTCFullYear(), 0)),
};

interface Value {
  readonly date: string;
  readonly value: number;
}

const oracle = await openOracle();
const { visit } = openTestApp({ world: oracle.dataset, now: ECB_SNAPSHOT.retrievedAt });

/** Every width with either aggregate, one of them on each base. */
const MEANS_ON: Readonly<Record<string, readonly string[]>> = { EUR: ["1w", "1q"], ISK: ["1mo", "1y"] };

describe.each(["EUR", "ISK"])("on base %s", (base) => {
  // The euro's own series are the history itself; of crosses fewer show that they are made before the period is.
  const symbols = CURRENCY_CODES.filter(
    (code, nth) => code !== "TWD" && code !== base && nth % (base === "EUR" ? 2 : 4) === 1,
  );
  const published = new Map<string, readonly Value[]>();
  for (const symbol of symbols) {
    const values: Value[] = [];
    for (let at = day(FIRST); at <= ECB_SNAPSHOT.newestDay; at++) {
      const date = formatDay(at);
      const value = oracle.published(date, base, symbol);
      if (value !== null) values.push({ date, value });
    }
    published.set(symbol, values);
  }

  test.each(PERIODS)("every row of interval=%s is what the published days give", async (interval) => {
    const window = `/v1/range?base=${base}&symbols=${symbols.join(",")}&start_date=${FIRST}&end_date=${LAST}`;
    const isMean = MEANS_ON[base]?.includes(interval) === true;
    const path = `${window}&interval=${interval}&aggregate=${isMean ? "mean" : "last"}`;
    const rows = await walkPages(visit, path);
    const expected = expectedRows(published, STARTS[interval], isMean);
    expect(rows.map(({ date }) => date)).toEqual([...expected.keys()].sort());
    for (const { date, rates, last_dates } of rows) {
      const values = Object.entries(rates).map(([code, digits]) => [
        ...[code, Number(digits), last_dates?.[code]],
      ]);
      expect([date, values]).toEqual([date, expected.get(date) as never]);
    }
    expect(csvRows(await text(visit, `${path}&format=csv`)).rows.map(cellsOf)).toEqual(longOf(rows));
    const wide = (await text(visit, `${path}&format=ndjson&layout=wide`)).trimEnd().split("\n");
    expect(wide.map((line) => JSON.parse(line).last_dates)).toEqual(rows.map((row) => row.last_dates));
  });
});

/** By the first day of a period, the code, value and last day of each symbol in the order of the catalog. */
function expectedRows(
  published: ReadonlyMap<string, readonly Value[]>,
  startOf: (date: Date) => Date,
  isMean: boolean,
): ReadonlyMap<string, readonly (readonly unknown[])[]> {
  const rows = new Map<string, (readonly unknown[])[]>();
  for (const [symbol, values] of published) {
    const periods = Map.groupBy(values, ({ date }) => startOf(new Date(date)).toISOString().slice(0, 10));
    for (const [start, inside] of periods) {
      const { date, value } = inside.at(-1) as Value;
      const row = rows.get(start) ?? [];
      row.push([symbol, isMean ? meanOf(inside) : value, date]);
      rows.set(start, row);
    }
  }
  return rows;
}

function meanOf(values: readonly Value[]): number {
  const sum = values.reduce((total, { value }) => {
    const [numerator, denominator] = ratioOf(decimal(value));
    return total + numerator * (10n ** 30n / denominator);
  }, 0n);
  return rounded([sum, BigInt(values.length) * 10n ** 30n], 10);
}

function decimal(value: number): string {
  return value < 1e-6 ? value.toFixed(20) : String(value);
}

/** A line of the file as far as the pages have it. */
function cellsOf({ date, symbol, rate, last_date }: Record<string, string>) {
  return { date, symbol, rate, last_date };
}

function longOf(rows: readonly PageRow[]) {
  return [...CURRENCY_CODES].sort().flatMap((symbol) =>
    rows
      .filter(({ rates }) => rates[symbol] !== undefined)
      .map(({ date, rates, last_dates }) => ({
        ...{ date, symbol, rate: rates[symbol], last_date: last_dates?.[symbol] },
      })),
  );
}
