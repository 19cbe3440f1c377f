/** crosses() of docs/views.sql over a history with holes: the rows are the rates that the product serves, by the rule of one date. */

import { expect, test } from "bun:test";
import { join } from "node:path";
import { CURRENCY_CODES, type CurrencyCode, currencyIndex } from "#domain/currency/currency.ts";
import { crossRate, isUnfilled } from "#domain/history/cross.ts";
import { type Day, formatDay, parseDay } from "#domain/time/day.ts";
import { historyOf, type PlainObservation } from "#test/domain/history/columns.ts";
import { wholeHistory, withHoles } from "#test/domain/history/one-date-worlds.ts";
import { NOON, randomFigures } from "#test/domain/spot/worlds.ts";
import { withDuckDb } from "#test/support/duckdb.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { VIEWS } from "./lake-recipes.ts";

const BASES: readonly CurrencyCode[] = ["EUR", "USD", "TWD", "GBP", "JPY", "MXN"];

interface CrossRow {
  readonly date: string;
  readonly symbol: CurrencyCode;
  readonly rate: number;
  readonly is_forward_filled: boolean;
  readonly derived: boolean;
}

/** The macro alone, over a table of figures in place of the view `daily`. */
async function crossesOf(figures: readonly PlainObservation[], bases: readonly CurrencyCode[]) {
  const from = VIEWS.indexOf("CREATE OR REPLACE MACRO half_even");
  const macros = VIEWS.slice(from, VIEWS.indexOf("CREATE OR REPLACE MACRO h10_monday"));
  const file = join(temporaryDirectory(), "daily.csv");
  const lines = figures.map(
    ({ source, date, base, quote, printed }) =>
      `${source},${formatDay(date)},${base},${quote},${printed.replace(".", "")},${printed.split(".")[1]?.length ?? 0}`,
  );
  await Bun.write(file, ["source,date,base,quote,units,scale", ...lines].join("\n"));
  return await withDuckDb(async (connection) => {
    await connection.run(`CREATE TABLE daily AS FROM read_csv('${file}',
      types = {'date': 'DATE', 'units': 'BIGINT', 'scale': 'SMALLINT'})`);
    await connection.run(macros);
    const rows = new Map<CurrencyCode, readonly CrossRow[]>();
    for (const base of bases) {
      const answer = await connection.runAndReadAll(
        `SELECT date::VARCHAR AS date, symbol, rate, is_forward_filled, derived FROM crosses('${base}')`,
      );
      rows.set(base, answer.getRowObjects() as never);
    }
    return rows;
  });
}

async function assertCrosses(figures: readonly PlainObservation[], bases: readonly CurrencyCode[]) {
  const history = historyOf(figures);
  const days = [...new Set(figures.map(({ date }) => date))];
  let count = 0;
  for (const [base, rows] of await crossesOf(figures, bases)) {
    for (const { date, symbol, rate, is_forward_filled, derived } of rows) {
      const day = parseDay(date) as Day;
      const cross = crossRate(history, day, currencyIndex(base), currencyIndex(symbol));
      const isSame =
        cross !== null &&
        rate === Number(cross.text) &&
        is_forward_filled === !isUnfilled(history, day, cross) &&
        derived === cross.derived;
      if (!isSame)
        throw new Error(
          `${date} ${base}→${symbol}: ${rate} ${is_forward_filled} ${derived}, not ${cross?.text}`,
        );
    }
    count += rows.length;
    const wanted = days.flatMap((day) =>
      CURRENCY_CODES.filter(
        (code) => code !== base && crossRate(history, day, currencyIndex(base), currencyIndex(code)) !== null,
      ),
    );
    expect(rows.length).toBe(wanted.length);
  }
  return count;
}

test.each([1, 2, 3])("six bases on random weeks with holes in both sources (%d)", async (seed) => {
  const count = await assertCrosses(randomFigures(seededRandom(seed), NOON), BASES);
  expect(count).toBeGreaterThan(1_000);
});

test("three years of the whole history with holes, or with CROSS_PAIRS set all of it", async () => {
  const all = withHoles(seededRandom(41), await wholeHistory());
  const last = all.reduce((latest, { date }) => Math.max(latest, date), 0);
  const figures = all.filter(({ date }) => process.env["CROSS_PAIRS"] !== undefined || date > last - 1_100);
  expect(await assertCrosses(figures, ["EUR", "USD", "TWD"])).toBeGreaterThan(40_000);
});
