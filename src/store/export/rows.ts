/** Tables that exports read, made once and shared by every file that needs them: the legs of a version, changes, bars. */

import { DAILY_SOURCES } from "#domain/currency/source.ts";
import { COARSE_STEPS } from "#domain/history/cross.ts";
import type { ObservationColumns } from "#domain/history/history.ts";
import type { BarColumns } from "#domain/history/periods.ts";
import type { BarsPlan, RateColumns, RatesPlan } from "#domain/history/rate-columns.ts";
import { untilAborted } from "#domain/queues/until-aborted.ts";
import { formatDay } from "#domain/time/day.ts";
import type { DuckDb } from "#store/parquet/duckdb.ts";
import barsSql from "./sql/bars-table.sql" with { type: "text" };
import figuresSql from "./sql/figures-table.sql" with { type: "text" };
import legsSql from "./sql/legs.sql" with { type: "text" };
import rowsSql from "./sql/rows-table.sql" with { type: "text" };
import { filled } from "./statement.ts";

/** Rows that are cached for the next export: some 90 bytes each. The legs of a full history are about half a million. */
const KEPT_ROWS = 800_000;

interface Table {
  readonly name: string;
  made: Promise<number>;
  users: number;
  rows: number;
}

export function createRowTables(duckdb: DuckDb) {
  const tables = new Map<string, Table>();
  let serial = 0;

  const forget = (identity: string, table: Table) => {
    tables.delete(identity);
    // A failure leaves nothing for long: closing DuckDB drops the tables as well.
    const drop = () => Promise.all([table.name, `${table.name}_figures`].map(duckdb.drop));
    table.made.then(drop, drop).catch(() => {});
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
    /** Forgets all tables: DuckDB was closed, or is about to be. */
    clear: () => tables.clear(),
    /**
     * Resolves with the table that a plan's statement reads; call `done` when it is no longer read. Rejects with the signal's reason as
     * soon as it aborts. Rows are not completed when no caller waits for them any more.
     */
    async take(plan: RatesPlan | BarsPlan, signal: AbortSignal) {
      signal.throwIfAborted();
      const identity = identityOf(plan);
      let table = tables.get(identity);
      if (table === undefined) {
        serial += 1;
        const name = `rows_${serial}`;
        const making: Table = { name, made: Promise.resolve(0), users: 0, rows: 0 };
        making.made = fillTable(duckdb, name, plan, () => making.users > 0);
        table = making;
      }
      // The most recently used table is last.
      tables.delete(identity);
      tables.set(identity, table);
      table.users += 1;
      const taken = table;
      const done = () => {
        taken.users -= 1;
        trim();
      };
      try {
        taken.rows = await untilAborted(signal, taken.made);
      } catch (fault) {
        taken.users -= 1;
        // No caller may get rows that will not be completed.
        if (taken.users === 0 && tables.get(identity) === taken) forget(identity, taken);
        throw fault;
      }
      return { table: taken.name, done };
    },
  };
}

function identityOf(plan: RatesPlan | BarsPlan): string {
  if (plan.kind === "bars") return plan.rows;
  const { content } = plan;
  return "blocks" in content ? content.rows : `legs ${content.history.version}`;
}

async function fillTable(
  duckdb: DuckDb,
  name: string,
  plan: RatesPlan | BarsPlan,
  isWanted: () => boolean,
): Promise<number> {
  if (plan.kind === "bars") return await append(duckdb, name, barsSql, plan.blocks(), isWanted);
  const { content } = plan;
  if ("blocks" in content) return await append(duckdb, name, rowsSql, content.blocks(), isWanted);
  const { observations, firstDay } = content.history;
  const figures = `${name}_figures`;
  const rows = await append(duckdb, figures, figuresSql, figureBlocks(observations), isWanted);
  const statement = filled(legsSql, { legs: name, figures, first: String(firstDay), steps: STEPS });
  // Never aborted: other exports may need a table that was begun.
  await duckdb.run(statement);
  await duckdb.drop(figures);
  // Days without a figure, and the hubs, have legs, too.
  return rows * 2;
}

/** Makes and fills a table, and lets other work run after every block. Resolves with the number of rows. */
async function append(
  duckdb: DuckDb,
  name: string,
  sql: string,
  blocks: Iterable<Block> | AsyncIterable<Block>,
  isWanted: () => boolean,
): Promise<number> {
  await duckdb.run(filled(sql, { rows: name }));
  let rows = 0;
  let before = Promise.resolve();
  for await (const block of blocks) {
    // One block is being sent while the next one is made.
    await before;
    const { count, ...columns } = block;
    before = duckdb.append(name, Object.values(columns), count);
    before.catch(() => {});
    rows += count;
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (!isWanted()) throw new DOMException("no caller waits for the rows any more", "AbortError");
  }
  await before;
  await duckdb.finish(name);
  return rows;
}

type FigureColumns = Omit<ObservationColumns, "retrievedAt" | "revision">;
/** Its columns are in the order of the table's. */
type Block = RateColumns | BarColumns | FigureColumns;

/** Figures in one block of about a megabyte. */
const FIGURES_A_BLOCK = 32_768;

function* figureBlocks(observations: ObservationColumns): Generator<FigureColumns> {
  const { count, retrievedAt: _, revision: __, ...columns } = observations;
  for (let from = 0; from < count; from += FIGURES_A_BLOCK) {
    const to = Math.min(count, from + FIGURES_A_BLOCK);
    const parts = Object.entries(columns).map(([name, column]) => [name, column.slice(from, to)]);
    yield { count: to - from, ...Object.fromEntries(parts) };
  }
}

/** COARSE_STEPS as rows of VALUES. */
const STEPS = COARSE_STEPS.map(({ source, currency, from, to, mantissa, exponent }) => {
  const until = to === null ? "infinity" : formatDay(to);
  const days = `DATE '${formatDay(from)}', DATE '${until}'`;
  return `(${DAILY_SOURCES.indexOf(source)}, '${currency}', ${days}, ${mantissa}, ${exponent})`;
}).join(", ");
