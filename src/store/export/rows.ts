/** Rows of rates as DuckDB tables: made once from the use case's blocks, shared by every format and layout of the same rows. */

import type { RatesPlan } from "#domain/export-plan.ts";
import { openColumnAppender } from "./appender.ts";
import type { ExportEngine } from "./engine.ts";
import rowsSql from "./sql/rows-table.sql" with { type: "text" };

/** Rows that are kept for the next question; a full history of all currencies is 180,000 to 310,000. */
const KEPT_ROWS = 1_000_000;

interface Table {
  readonly name: string;
  readonly made: Promise<number>;
  users: number;
  rows: number;
}

export interface RowTables {
  /** The table that holds a plan's rows; call `done` when it is no longer read. */
  take(plan: RatesPlan): Promise<{ readonly table: string; readonly done: () => void }>;
}

export function createRowTables(engine: ExportEngine): RowTables {
  const tables = new Map<string, Table>();
  let serial = 0;

  const forget = (identity: string, table: Table) => {
    tables.delete(identity);
    // Closing the engine drops it as well: a failure here leaves nothing behind that matters.
    engine.use((connection) => connection.run(`DROP TABLE IF EXISTS ${table.name}`)).catch(() => {});
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
    async take(plan) {
      let table = tables.get(plan.rows);
      if (table === undefined) {
        serial += 1;
        const name = `rows_${serial}`;
        table = { name, made: fillTable(engine, name, plan), users: 0, rows: 0 };
      }
      // The one used last stands last.
      tables.delete(plan.rows);
      tables.set(plan.rows, table);
      table.users += 1;
      const taken = table;
      const done = () => {
        taken.users -= 1;
        trim();
      };
      try {
        taken.rows = await taken.made;
      } catch (fault) {
        taken.users -= 1;
        if (tables.get(plan.rows) === taken) forget(plan.rows, taken);
        throw fault;
      }
      return { table: taken.name, done };
    },
  };
}

/** Resolves with the number of rows. Other work gets its turn after every block. */
function fillTable(engine: ExportEngine, name: string, plan: RatesPlan): Promise<number> {
  return engine.use(async (connection) => {
    await connection.run(rowsSql.replace("{rows}", name));
    const appender = await openColumnAppender(connection, name);
    let rows = 0;
    try {
      for (const block of plan.blocks()) {
        const { symbol, date, rate, scale, source, flags, bound, observedAt, revision, updatedAt } = block;
        appender.append(
          [symbol, date, rate, scale, source, flags, bound, observedAt, revision, updatedAt],
          block.count,
        );
        rows += block.count;
        await new Promise((resolve) => setImmediate(resolve));
      }
    } finally {
      appender.close();
    }
    return rows;
  });
}
