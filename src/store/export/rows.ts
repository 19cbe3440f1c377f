/** Rows of rates and bars as DuckDB tables: made once from the use case's blocks, shared by every format and layout of the same rows. */

import type { BarColumns } from "#domain/history/periods.ts";
import type { BarsPlan, RateColumns, RatesPlan } from "#domain/history/rate-columns.ts";
import type { NumberColumn } from "#store/parquet/append.ts";
import type { DuckDb } from "#store/parquet/duckdb.ts";
import barsSql from "./sql/bars-table.sql" with { type: "text" };
import rowsSql from "./sql/rows-table.sql" with { type: "text" };

/** Rows that are cached for the next export: some 42 bytes each. A full history of all currencies is 180,000 to 310,000. */
const KEPT_ROWS = 350_000;

interface Table {
  readonly name: string;
  made: Promise<number>;
  users: number;
  rows: number;
}

export type RowTables = ReturnType<typeof createRowTables>;

export function createRowTables(duckdb: DuckDb) {
  const tables = new Map<string, Table>();
  let serial = 0;

  const forget = (identity: string, table: Table) => {
    tables.delete(identity);
    // Closing DuckDB drops it as well: a failure here leaves nothing behind that matters.
    duckdb.drop(table.name).catch(() => {});
  };
  const trim = () => {
    let rows = [...tables.values()].reduce((sum, table) => sum + table.rows, 0);
    for (const [identity, table] of tables) {
      if (rows <= KEPT_ROWS) return;
      if (table.users > 0) continue;
      rows -= table.rows;
      forget(identity, table);
    }
  };

  return {
    /** Forgets all tables: they are gone, or about to go. */
    clear: () => tables.clear(),
    /**
     * The table that holds a plan's rows; call `done` when it is no longer read. Rejects at once with the signal's reason; rows
     * that no caller waits for any more are not completed.
     */
    async take(plan: RatesPlan | BarsPlan, signal: AbortSignal) {
      signal.throwIfAborted();
      let table = tables.get(plan.rows);
      if (table === undefined) {
        serial += 1;
        const name = `rows_${serial}`;
        const making: Table = { name, made: Promise.resolve(0), users: 0, rows: 0 };
        making.made = fillTable(duckdb, name, plan, () => making.users > 0);
        table = making;
      }
      // The most recently used one is last.
      tables.delete(plan.rows);
      tables.set(plan.rows, table);
      table.users += 1;
      const taken = table;
      const done = () => {
        taken.users -= 1;
        trim();
      };
      try {
        taken.rows = await untilAborted(taken.made, signal);
      } catch (fault) {
        taken.users -= 1;
        // No caller may get rows that will not be completed.
        if (taken.users === 0 && tables.get(plan.rows) === taken) forget(plan.rows, taken);
        throw fault;
      }
      return { table: taken.name, done };
    },
  };
}

/** Resolves with the number of rows. Other work gets its turn after every block. */
async function fillTable(
  duckdb: DuckDb,
  name: string,
  plan: RatesPlan | BarsPlan,
  isWanted: () => boolean,
): Promise<number> {
  await duckdb.create(name, (plan.kind === "bars" ? barsSql : rowsSql).replace("{rows}", name));
  let rows = 0;
  let before = Promise.resolve();
  try {
    for await (const block of plan.blocks()) {
      // One block is on its way while the next one is made.
      await before;
      before = duckdb.append(name, columnsOf(block), block.count);
      before.catch(() => {});
      rows += block.count;
      await new Promise<void>((resolve) => setImmediate(resolve));
      if (!isWanted()) throw new DOMException("no caller waits for the rows any more", "AbortError");
    }
  } catch (fault) {
    await duckdb.finish(name).catch(() => {});
    throw fault;
  }
  await Promise.all([before, duckdb.finish(name)]);
  return rows;
}

/** In the order of rows-table.sql or bars-table.sql. */
function columnsOf(block: RateColumns | BarColumns): readonly NumberColumn[] {
  if ("open" in block) {
    const { symbol, start, open, high, low, close, mean, ticks } = block;
    return [symbol, start, open, high, low, close, mean, ticks];
  }
  const { symbol, date, rate, scale, source, flags, bound, observedAt, revision, updatedAt } = block;
  return [symbol, date, rate, scale, source, flags, bound, observedAt, revision, updatedAt];
}

/** What the promise gives, or the signal's reason as soon as there is one. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
