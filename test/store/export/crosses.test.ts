/** Crosses that DuckDB computes are, row for row and in their order, the columns that the JSON pages are printed from. */

import { afterAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CURRENCY_CODES, type CurrencyCode, currencyCode, currencyIndex } from "#domain/currency/currency.ts";
import { appendCrosses } from "#domain/history/cross-columns.ts";
import { FILL_DAYS, type History } from "#domain/history/history.ts";
import {
  AS_PUBLISHED,
  DERIVED,
  emptyRateColumns,
  FILLED,
  type Fill,
  type RatesPlan,
  rateText,
} from "#domain/history/rate-columns.ts";
import { createRowTables } from "#store/export/rows.ts";
import macrosSql from "#store/export/sql/macros.sql" with { type: "text" };
import { copyStatement, rowsSelect } from "#store/export/statement.ts";
import { openDuckDb } from "#store/parquet/duckdb.ts";
import { historyOf } from "#test/domain/history/columns.ts";
import { wholeHistory, withHoles } from "#test/domain/history/one-date-worlds.ts";
import { hardWorld } from "#test/domain/history/printed-columns.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const STAYS = new AbortController().signal;
const directory = temporaryDirectory();
const duckdb = openDuckDb({ directories: [directory], definitions: macrosSql });
const tables = createRowTables(duckdb);
afterAll(() => duckdb.close());

/** The lines of a file with every row of a base, the base itself included. */
async function madeRows(history: History, base: number, fill: Fill): Promise<readonly string[]> {
  const symbols = CURRENCY_CODES.map((_, symbol) => symbol);
  const last = lastDay(history, fill);
  const plan: RatesPlan = {
    ...{ kind: "rates", base, symbols, layout: "long", order: "asc", dp: null },
    content: { history, first: history.firstDay, last, until: last, fill, interval: "1d", aggregate: "last" },
  };
  const { table, done } = await tables.take(plan, STAYS);
  const path = join(directory, "rows.csv");
  const columns =
    "symbol, date - DATE '1970-01-01', rate_text(rate, scale, is_published), derived, is_filled, is_published, source, observed::BIGINT, bound";
  const statement = copyStatement(`SELECT ${columns} FROM ${rowsSelect(plan, table)}`, path, "csv", "rates");
  await duckdb.print({ form: "copy", statement }, STAYS);
  done();
  return readFileSync(path, "utf8").trimEnd().split("\n").slice(1);
}

function lastDay(history: History, fill: Fill): number {
  return fill === "none" ? history.lastDay : history.lastDay + FILL_DAYS;
}

function* expectedRows(history: History, base: number, fill: Fill): Generator<string> {
  const last = lastDay(history, fill);
  for (const [symbol, code] of CURRENCY_CODES.entries()) {
    const rows = emptyRateColumns(last - history.firstDay + 1);
    appendCrosses(rows, history, base, symbol, [history.firstDay, last], fill);
    for (let row = 0; row < rows.count; row++) {
      const flags = [DERIVED, FILLED, AS_PUBLISHED].map((flag) => ((rows.flags[row] as number) & flag) !== 0);
      const bound = rows.bound[row] as number;
      const limit = Number.isNaN(bound) ? "" : Number.isInteger(bound) ? bound.toFixed(1) : String(bound);
      yield `${code},${rows.date[row]},${rateText(rows, row)},${flags},${rows.source[row]},${rows.observedAt[row]},${limit}`;
    }
  }
}

async function compare(history: History, bases: readonly CurrencyCode[], fills: readonly Fill[]) {
  let count = 0;
  for (const base of bases.map(currencyIndex))
    for (const fill of fills) {
      const made = await madeRows(history, base, fill);
      let at = 0;
      for (const expected of expectedRows(history, base, fill)) {
        if (made[at] !== expected) throw new Error(`on ${currencyCode(base)}: ${made[at]}, not ${expected}`);
        at += 1;
      }
      expect(made.length).toBe(at);
      count += at;
    }
  return count;
}

test.each([1, 2, 3])(
  "on worlds with gaps, both sources, both directions and near ties (%d)",
  async (seed) => {
    const world = hardWorld(seededRandom(seed));
    const bases = ["EUR", "USD", "TWD", "MXN", "GBP", "IDR"] as const;
    expect(await compare(historyOf(world, `hard ${seed}`), bases, ["none", "previous"])).toBeGreaterThan(
      4_000,
    );
  },
  20_000,
);

test("over the whole history, with holes", async () => {
  const history = historyOf(withHoles(seededRandom(41), await wholeHistory()), "with holes");
  const rows = await compare(history, ["TWD"], ["none", "previous"]);
  expect(rows + (await compare(history, ["JPY"], ["none"]))).toBeGreaterThan(history.observations.count);
}, 60_000);
