/** Every export holds the rows of the JSON pages, digit for digit, whatever is asked for. */

import { describe, expect, test } from "bun:test";
import { crossRate, derivationBound } from "#domain/cross.ts";
import { type CurrencyCode, currencyIndex } from "#domain/currency.ts";
import { formatDay, MILLISECONDS_PER_DAY } from "#domain/day.ts";
import { createApp } from "#http/app.ts";
import { newSeriesKeep } from "#rates/range.ts";
import { datasetOf, day } from "#test/domain/columns.ts";
import { datasetOfLives, randomLives } from "#test/domain/lives.ts";
import { FIRST, hardWorld, LAST } from "#test/domain/printed-columns.ts";
import { seededRandom } from "#test/seeded-random.ts";
import { openTestApp, testExports } from "./harness.ts";
import { type Answer, csvRows, get, lineRows, type PageRow, walkPages } from "./range-pages.ts";

const exports = testExports();
const dataset = datasetOf(hardWorld(seededRandom(7)));
const NOW = (LAST - 3) * MILLISECONDS_PER_DAY + 60_000_000;
const { deps } = openTestApp({
  exports,
  dataset: () => dataset,
  pinned: () => dataset,
  clock: { now: () => NOW },
  ...newSeriesKeep(),
});
const { answer } = createApp(deps);

/** Not in the order of the catalog; with a repeat, a currency that has nothing, and the bases themselves. */
const ASKED = ["MXN", "USD", "GBP", "TWD", "GBP", "IDR", "EUR", "ZAR", "AUD"];
const SYMBOLS = [...new Set(ASKED)];
const WINDOW = `start_date=${formatDay(FIRST + 2)}&end_date=${formatDay(LAST + 5)}`;

async function text(where: Answer, path: string): Promise<string> {
  const response = await get(where, path);
  const body = await response.text();
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${body}`);
  return body;
}

/** Origin and derivation of every value, from pages of one symbol and one row. */
async function valuesOf(path: string): Promise<Map<string, { source: string; filled: boolean; derived: boolean }>> {
  const values = new Map();
  for (const symbol of SYMBOLS) {
    for (const row of await walkPages(answer, path.replace(ASKED.join(","), symbol), 1)) {
      const derived = row.derived.includes(symbol);
      values.set(`${row.date} ${symbol}`, { source: row.source, filled: row.is_forward_filled, derived });
    }
  }
  return values;
}

const BASES = ["EUR", "USD", "TWD"] as const;
const PERIODS = ["", "&interval=1w", "&interval=1w&aggregate=mean", "&interval=1mo", "&interval=1mo&aggregate=mean"];

describe.each(BASES)("on base %s", (base) => {
  describe.each(["none", "previous"])("with fill=%s", (fill) => {
    test.each(PERIODS)("rows of CSV and NDJSON are those of the pages, in every layout, order and rounding %s", async (period) => {
      const question = `/v1/range?base=${base}&symbols=${ASKED.join(",")}&${WINDOW}&fill=${fill}${period}`;
      const values = await valuesOf(question);
      for (const form of ["", "&order=desc", "&dp=2", "&order=desc&dp=2"]) {
        const path = question + form;
        const pages = await walkPages(answer, path, 17);
        expect(pages.length).toBeGreaterThan(2);
        sameWide(base, pages, await text(answer, `${path}&format=csv&layout=wide`));
        expect(lineRows(await text(answer, `${path}&format=ndjson&layout=wide`))).toEqual(
          pages.map(({ derived: _, ...row }) => ({ ...row, base })),
        );
        const long = longRows(base, pages, values, period === "");
        expect(withoutBound(csvRows(await text(answer, `${path}&format=csv`)).rows, period === "")).toEqual(long);
        const lines = lineRows(await text(answer, `${path}&format=ndjson&layout=long`)).map(asCells);
        expect(withoutBound(lines, period === "")).toEqual(long);
      }
    });
  });
});

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
      .map(({ date, rates }) => {
        const value = values.get(`${date} ${symbol}`);
        return {
          date,
          base,
          symbol,
          rate: rates[symbol] as string,
          source: String(value?.source),
          is_forward_filled: String(value?.filled),
          derived: String(value?.derived),
          ...(daily ? { derivation_bps_max: boundOf(base, symbol as CurrencyCode, date) } : {}),
        };
      }),
  );
}

function boundOf(base: CurrencyCode, symbol: CurrencyCode, date: string): string {
  const cross = crossRate(dataset.history, day(date), currencyIndex(base), currencyIndex(symbol));
  const bound = cross === null ? null : derivationBound(dataset.history, cross);
  return bound === null ? "" : Number.isInteger(bound) ? bound.toFixed(1) : String(bound);
}

/** Bounds of weeks and months depend on which day spoke last: they are not told by the pages. */
function withoutBound(rows: readonly Record<string, string>[], daily: boolean) {
  if (daily) return rows;
  return rows.map(({ derivation_bps_max: _, ...row }) => row);
}

function asCells(line: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(line).map(([name, value]) => [name, value === null ? "" : String(value)]));
}

test("symbols=* is every other currency, in either layout, and the base on request", async () => {
  const question = `/v1/range?base=TWD&symbols=*&${WINDOW}`;
  const pages = await walkPages(answer, question);
  const wide = csvRows(await text(answer, `${question}&format=csv&layout=wide`));
  expect(wide.header).toHaveLength(34);
  expect(wide.header).not.toContain("TWD");
  expect(wide.rows.map(({ date, JPY }) => [date, JPY])).toEqual(
    pages.map(({ date, rates }) => [date, rates["JPY"] ?? ""]),
  );
  const long = csvRows(await text(answer, `${question}&format=csv`)).rows;
  expect(long).toHaveLength(pages.reduce((sum, { rates }) => sum + Object.keys(rates).length, 0));
});

describe("point in time", () => {
  const random = seededRandom(5);
  const firstDay = day("2026-03-01");
  const lives = randomLives({ random, firstDay, days: 25, latestRetrievalDays: 4 });
  const known = datasetOfLives("lives", lives);
  const app = createApp(
    openTestApp({
      exports,
      dataset: () => known,
      pinned: () => known,
      clock: { now: () => (firstDay + 40) * MILLISECONDS_PER_DAY },
      ...newSeriesKeep(),
    }).deps,
  );
  const window = "start_date=2026-02-20&end_date=2026-12-31";
  const instants = [3, 9, 17, 24, 30].map((days) =>
    new Date((firstDay + days) * MILLISECONDS_PER_DAY + 47_123_000).toISOString().replace(".000", ""),
  );
  const codes = ["EUR", "GBP", "JPY", "TWD", "USD"];

  test.each(["published", "retrieved"])("as_of by %s is what the pages say was known", async (basis) => {
    for (const instant of instants) {
      for (const fill of ["none", "previous"]) {
        const path = `/v1/range?base=USD&symbols=EUR,GBP,JPY,TWD&${window}&fill=${fill}&as_of=${instant}&as_of_basis=${basis}`;
        const pages = await walkPages(app.answer, path);
        const response = await get(app.answer, `${path}&format=csv&layout=wide`);
        expect(response.status).toBe(pages.length === 0 ? 404 : 200);
        if (pages.length === 0) continue;
        expect(response.headers.get("X-As-Of")).toBe(`${instant}; basis=${basis}`);
        expect(csvRows(await response.text()).rows.map(({ base: _, ...row }) => row)).toEqual(
          pages.map(({ date, source, is_forward_filled, rates }) => ({
            date,
            source: source as string,
            is_forward_filled: String(is_forward_filled),
            ...Object.fromEntries(["EUR", "GBP", "JPY", "TWD"].map((code) => [code, rates[code] ?? ""])),
          })),
        );
        expect(lineRows(await text(app.answer, `${path}&format=ndjson&layout=wide`))).toEqual(
          pages.map(({ derived: _, ...row }) => ({ ...row, base: "USD" })),
        );
      }
    }
  });

  test.each(["none", "previous"])("updated_after is what the pages say has changed (fill=%s)", async (fill) => {
    for (const since of ["1970-01-01T00:00:00Z", ...instants]) {
      for (const order of ["asc", "desc"]) {
        const path = `/v1/range?base=USD&symbols=${codes.join(",")}&${window}&fill=${fill}&updated_after=${since}&order=${order}`;
        const pages = await walkPages(app.answer, path);
        const expected = codes.flatMap((symbol) =>
          pages.flatMap((row) => {
            const rate = row.rates[symbol];
            if (rate === undefined && !row.withdrawn?.includes(symbol)) return [];
            const { [symbol]: at } = row.updated_at ?? {};
            const { [symbol]: revision } = row.revisions ?? {};
            const withdrawn = String(rate === undefined);
            return [{ date: row.date, symbol, rate: rate ?? "", at, revision, withdrawn }];
          }),
        );
        for (const format of ["csv", "ndjson"]) {
          const body = await text(app.answer, `${path}&format=${format}`);
          const rows = format === "csv" ? csvRows(body).rows : body === "" ? [] : lineRows(body).map(asCells);
          expect(
            rows.map(({ date, symbol, rate, withdrawn, updated_at, revision }) =>
              withdrawn === "true"
                ? { date, symbol, rate, withdrawn }
                : { date, symbol, rate, at: instantOf(updated_at as string), revision, withdrawn },
            ),
          ).toEqual(
            expected.map(({ at, revision, ...row }) =>
              row.withdrawn === "true" ? row : { ...row, at: instantOf(at as string), revision },
            ) as never,
          );
        }
      }
    }
  });

  test.failing("a value that was taken back is told although nothing stands near it any more", async () => {
    const figure = { source: "ecb_daily", base: "EUR", quote: "USD", decimals: 4, publishedAt: null } as const;
    const life = (date: string, supersededAt: number | null) => ({
      ...figure,
      date: day(date),
      printed: "1.1671",
      observedAt: Date.parse(`${date}T12:15:00Z`),
      retrievedAt: Date.parse(`${date}T14:20:00Z`),
      revision: 1,
      document: "https://example.org/rates",
      documentSha256: "00".repeat(32),
      supersededAt,
      why: supersededAt === null ? null : ("withdrawn" as const),
    });
    const lonely = datasetOfLives("lonely", [
      life("2026-02-02", null),
      life("2026-03-02", Date.parse("2026-03-03T10:00:00Z")),
    ]);
    const world = createApp(
      openTestApp({
        exports,
        dataset: () => lonely,
        pinned: () => lonely,
        clock: { now: () => Date.parse("2026-03-04T16:00:00Z") },
        ...newSeriesKeep(),
      }).deps,
    );
    const path = `/v1/range?base=EUR&symbols=USD&${window}&updated_after=2026-03-03T00:00:00Z`;
    const pages = await walkPages(world.answer, path);
    expect(pages.map(({ date, withdrawn }) => [date, withdrawn])).toEqual([["2026-03-02", ["USD"]]]);
    const { rows } = csvRows(await text(world.answer, `${path}&format=csv`));
    expect(rows.map(({ date, withdrawn }) => [date, withdrawn])).toEqual([["2026-03-02", "true"]]);
  });
});

function instantOf(printed: string): number {
  return Date.parse(printed.replace(" ", "T").replace(/\+00$/, "Z"));
}
