/** Crosses of several versions at once, in the memory of a server. Their rows are those of the JSON pages: test/api/range/export-rows.test.ts. */

import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { CURRENCY_CODES, currencyIndex } from "#domain/currency/currency.ts";
import { FILL_DAYS, type History } from "#domain/history/history.ts";
import type { RatesPlan } from "#domain/history/rate-columns.ts";
import { createRowTables } from "#store/export/rows.ts";
import macrosSql from "#store/export/sql/macros.sql" with { type: "text" };
import { copyStatement, rowsSelect } from "#store/export/statement.ts";
import { openDuckDb } from "#store/parquet/duckdb.ts";
import { historyOf } from "#test/domain/history/columns.ts";
import { wholeHistory } from "#test/domain/history/one-date-worlds.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const directory = temporaryDirectory();
// With what a server gives it.
const given = { definitions: macrosSql, memoryMegabytes: 320, joinsAsWritten: true };
const duckdb = openDuckDb({ directories: [directory], ...given });
const tables = createRowTables(duckdb);
afterAll(() => duckdb.close());

/** A file with every row on the Taiwan dollar, that against itself included. */
async function madeFile(history: History): Promise<string> {
  const [symbols, last] = [[...CURRENCY_CODES.keys()], history.lastDay + FILL_DAYS];
  const plan: RatesPlan = {
    ...{ kind: "rates", base: currencyIndex("TWD"), symbols, layout: "long", order: "asc", dp: null },
    content: {
      history,
      first: history.firstDay,
      last,
      until: last,
      fill: "previous",
      interval: "1d",
      aggregate: "last",
    },
  };
  const { table, done } = await tables.take(plan, new AbortController().signal);
  const path = join(directory, `${crypto.randomUUID()}.csv`);
  const columns = "symbol, date, rate_text(rate, scale, is_published), derived, is_filled, source, bound";
  const select = `SELECT ${columns} FROM ${rowsSelect(plan, table)}`;
  await duckdb.run(copyStatement(select, path, "csv", "rates"));
  done();
  return await Bun.file(path).text();
}

test("of two versions of the whole history at once", async () => {
  const history = historyOf(await wholeHistory());
  const versions = [1, 2].map((version) => ({ ...history, version: `version ${version}` }));
  const [one = "", other] = await Promise.all(versions.map(madeFile));
  expect(one.length).toBeGreaterThan(1_000_000);
  expect(other).toHaveLength(one.length);
});
