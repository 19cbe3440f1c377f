/** Every export holds the rows of the JSON pages, digit for digit, for every query. */

import { describe, expect, test } from "bun:test";
import { type CurrencyCode, currencyIndex } from "#domain/currency/currency.ts";
import { crossRate, derivationBound } from "#domain/history/cross.ts";
import { FILL_DAYS } from "#domain/history/history.ts";
import { printedLastDates } from "#domain/history/periods.ts";
import { formatDay, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { openTestApp } from "#test/api/harness.ts";
import { datasetOfLives, dollar, randomRevisions } from "#test/domain/acceptance/lives.ts";
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

test("a series that stops within a week has a row for it in the file that ends with the series, and in no other", async () => {
  const late = openTestApp({ world: dataset, now: (LAST + 40) * MILLISECONDS_PER_DAY });
  const end = dataset.history.lastDay + FILL_DAYS;
  const rows = async (until: number) => {
    const path = `/v1/range?base=USD&symbols=${SYMBOLS}&start_date=${formatDay(FIRST)}&end_date=${formatDay(until)}&fill=previous&interval=1w`;
    const pages = await walkPages(late.visit, path);
    const dates = csvRows(await text(late.visit, `${path}&format=csv&layout=wide`)).rows.map(
      ({ date }) => date,
    );
    expect(dates).toEqual(pages.map(({ date }) => date));
    return dates.length;
  };
  expect(await rows(end + 9)).toBe((await rows(end)) - 1);
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
  const last = pages.some(({ last_dates }) => last_dates !== undefined) ? ["last_date"] : [];
  expect(header).toEqual(["date", "base", "source", "is_forward_filled", ...SYMBOLS, ...last]);
  const expected = pages.map(({ date, source, is_forward_filled, rates, last_dates }) => ({
    date,
    base,
    source: source as string,
    is_forward_filled: String(is_forward_filled),
    ...Object.fromEntries(SYMBOLS.map((symbol) => [symbol, rates[symbol] ?? ""])),
    ...(last_dates && { last_date: printedLastDates(last_dates) }),
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

// Files as of an instant, and files of what changed since: the rows of the JSON pages that answer the same question.
const random = seededRandom(5);
const firstDay = day("2026-03-01");
const lives = randomRevisions({ random, firstDay, days: 25, latestRetrievalDays: 4 });
const known = datasetOfLives("lives", lives);
const app = openTestApp({ world: known, now: (firstDay + 40) * MILLISECONDS_PER_DAY });
const window = "start_date=2026-02-20&end_date=2026-12-31";
const instants = [3, 9, 17, 24, 30].map((days) =>
  new Date((firstDay + days) * MILLISECONDS_PER_DAY + 47_123_000).toISOString().replace(".000", ""),
);
const codes = ["EUR", "GBP", "JPY", "TWD", "USD"];
// The second ends before the later instants: nothing but the instant tells its files apart.
const pastWindows = [window, "start_date=2026-03-01&end_date=2026-03-06"].flatMap((days) =>
  ["none", "previous"].map((fill) => `${days}&fill=${fill}`),
);

test.each(["published", "retrieved"])("an export as_of by %s equals the pages as_of", async (basis) => {
  for (const instant of instants) {
    for (const asked of pastWindows) {
      const path = `/v1/range?base=USD&symbols=EUR,GBP,JPY,TWD&${asked}&as_of=${instant}&as_of_basis=${basis}`;
      const pages = await walkPages(app.visit, path);
      const response = await app.visit(`${path}&format=csv&layout=wide`);
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
      expect(lineRows(await text(app.visit, `${path}&format=ndjson&layout=wide`))).toEqual(
        pages.map(({ derived: _, ...row }) => ({ ...row, base: "USD" })),
      );
    }
  }
});

async function changesAgree(fill: string, order: string): Promise<void> {
  for (const since of ["1970-01-01T00:00:00Z", ...instants]) {
    const path = `/v1/range?base=USD&symbols=${codes.join(",")}&${window}&fill=${fill}&updated_after=${since}&order=${order}`;
    const pages = await walkPages(app.visit, path);
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
      const body = await text(app.visit, `${path}&format=${format}`);
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
test.each(["none", "previous"])(
  "an export by updated_after equals the pages by updated_after (fill=%s)",
  (fill) => changesAgree(fill, "asc"),
);
test("an export by updated_after equals the pages, newest first", async () => {
  for (const fill of ["none", "previous"]) await changesAgree(fill, "desc");
});

test("a withdrawn value is listed although no other value is near it", async () => {
  const lonely = datasetOfLives("lonely", [
    dollar("2026-02-02", "1.1671", 1, "2026-02-02T14:20:00Z"),
    dollar("2026-03-02", "1.1671", 2, "2026-03-02T14:20:00Z", {
      at: "2026-03-03T10:00:00Z",
      why: "withdrawn",
    }),
  ]);
  const world = openTestApp({ world: lonely, now: Date.parse("2026-03-04T16:00:00Z") });
  const path = `/v1/range?base=EUR&symbols=USD&${window}&updated_after=2026-03-03T00:00:00Z`;
  const pages = await walkPages(world.visit, path);
  expect(pages.map(({ date, withdrawn }) => [date, withdrawn])).toEqual([["2026-03-02", ["USD"]]]);
  const { rows } = csvRows(await text(world.visit, `${path}&format=csv`));
  const withdrawn = { withdrawn: "true", revision: "2", updated_at: "2026-03-03T10:00:00.000Z" };
  expect(rows).toEqual([expect.objectContaining({ date: "2026-03-02", ...withdrawn })]);
});

function instantOf(printed: string): number {
  return Date.parse(printed);
}
