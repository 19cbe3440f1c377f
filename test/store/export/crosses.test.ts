/** Crosses that DuckDB computes are, row for row and in their order, those of crossRate, from which the JSON pages are printed. */

import { afterAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CURRENCY_CODES, type CurrencyCode, currencyCode, currencyIndex } from "#domain/currency/currency.ts";
import { type Cross, crossRate, derivationBound, figuresOf, isUnfilled } from "#domain/history/cross.ts";
import { FILL_DAYS, type History, leastFreshRow } from "#domain/history/history.ts";
import type { Fill, RatesPlan } from "#domain/history/rate-columns.ts";
import { createRowTables } from "#store/export/rows.ts";
import macrosSql from "#store/export/sql/macros.sql" with { type: "text" };
import { copyStatement, rowsSelect } from "#store/export/statement.ts";
import { openDuckDb } from "#store/parquet/duckdb.ts";
import { historyOf } from "#test/domain/history/columns.ts";
import { wholeHistory } from "#test/domain/history/one-date-worlds.ts";
import { hardWorld } from "#test/domain/history/printed-columns.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const STAYS = new AbortController().signal;
const directory = temporaryDirectory();
// With what a server gives it.
const given = { definitions: macrosSql, memoryMegabytes: 320, joinsAsWritten: true };
const duckdb = openDuckDb({ directories: [directory], ...given });
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
  const path = join(directory, `${crypto.randomUUID()}.csv`);
  const columns =
    "symbol, date - DATE '1970-01-01', rate_text(rate, scale, is_published), derived, is_filled, is_published, source, observed::BIGINT, bound";
  const statement = copyStatement(`SELECT ${columns} FROM ${rowsSelect(plan, table)}`, path, "csv", "rates");
  await duckdb.run(statement);
  done();
  return readFileSync(path, "utf8").trimEnd().split("\n").slice(1);
}

function lastDay(history: History, fill: Fill): number {
  return fill === "none" ? history.lastDay : history.lastDay + FILL_DAYS;
}

/** By crossRate and its companions, day by day. */
function* expectedRows(history: History, base: number, fill: Fill): Generator<string> {
  const { source, observedAt } = history.observations;
  for (const [symbol, code] of CURRENCY_CODES.entries()) {
    for (let day = history.firstDay; day <= lastDay(history, fill); day++) {
      const rows = figuresOf(history, day, base, symbol);
      if (rows === null || (fill === "none" && rows.some((row) => history.observations.date[row] !== day)))
        continue;
      const cross = crossRate(history, day, base, symbol) as Cross;
      const least = leastFreshRow(history, cross.rows);
      const isPublished = cross.legs.length === 1 && cross.legs[0]?.multiplies === true;
      const bound = derivationBound(history, cross);
      const limit = bound === null ? "" : Number.isInteger(bound) ? bound.toFixed(1) : String(bound);
      const flags = [cross.derived, !isUnfilled(history, day, cross), isPublished];
      yield `${code},${day},${cross.text},${flags},${source[least]},${observedAt[least]},${limit}`;
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

test.each([1, 2])("on worlds with gaps, both sources, both directions and near ties (%d)", async (seed) => {
  const world = hardWorld(seededRandom(seed));
  const bases = ["EUR", "USD", "TWD", "MXN", "GBP", "IDR"] as const;
  expect(await compare(historyOf(world, `hard ${seed}`), bases, ["none", "previous"])).toBeGreaterThan(4_000);
});

test("of several versions of the whole history at once, in the memory that a server gives them", async () => {
  const history = historyOf(await wholeHistory());
  const versions = [1, 2].map((version) => ({ ...history, version: `version ${version}` }));
  const made = await Promise.all(versions.map((one) => madeRows(one, currencyIndex("TWD"), "previous")));
  expect(made[1]).toHaveLength(made[0]?.length as number);
});
