/** What DuckDB does for a server: tables of rows, files printed from them, rows of small SELECTs. */

import type { DuckDBConnection } from "@duckdb/node-api";
import type { AboutSheet } from "#domain/text/workbook.ts";
import { openColumnAppender } from "./append.ts";
import { writeArrow } from "./arrow.ts";
import {
  type EngineOptions,
  type NumberColumn,
  type NumberColumns,
  openEngine,
  readColumns,
} from "./engine.ts";
import { writeWorkbook } from "./xlsx.ts";

export interface DuckDb {
  /** Runs a statement. The signal interrupts it, also below; the work then rejects once nothing writes into its file any more. */
  run(statement: string, signal?: AbortSignal): Promise<void>;
  /** Appends the first `count` rows. The columns have the element types of the table's, and are copied before this returns. */
  append(table: string, columns: readonly NumberColumn[], count: number): Promise<void>;
  /** Ends the filling; everything is in the table when this resolves. */
  finish(table: string): Promise<void>;
  /** Drops a table, if it is there. */
  drop(table: string): Promise<void>;
  /** Writes the rows of a SELECT as an Arrow stream. */
  arrow(
    select: string,
    path: string,
    metadata: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): Promise<void>;
  /** Writes the rows of a SELECT as a workbook. */
  workbook(select: string, path: string, about: AboutSheet, signal?: AbortSignal): Promise<void>;
  /** Reads the columns of a SELECT of numbers and codes without nulls. */
  columns(select: string): Promise<NumberColumns<string>>;
  /** Frees everything, tables too; the next use opens a new instance. */
  close(): Promise<void>;
}

export type DuckDbOptions = Omit<EngineOptions, "returnsMemory">;

/** A table has its appender until it is filled: to commit each block would take longer than to append it. */
interface Filling {
  readonly connection: DuckDBConnection;
  readonly appender: Awaited<ReturnType<typeof openColumnAppender>>;
}

/** DuckDB in this process; the library is loaded with the first use. */
export function openDuckDb(options: DuckDbOptions): DuckDb {
  const engine = openEngine({ ...options, returnsMemory: true });
  const fillings = new Map<string, Promise<Filling>>();
  const begin = (table: string): Promise<Filling> => {
    const begun = engine.connect().then(async (connection) => {
      return { connection, appender: await openColumnAppender(connection, table) };
    });
    fillings.set(table, begun);
    return begun;
  };
  const finish: DuckDb["finish"] = async (table) => {
    const filling = fillings.get(table);
    fillings.delete(table);
    const filled = await filling;
    try {
      filled?.appender.close();
    } finally {
      filled?.connection.closeSync();
    }
  };
  const run: DuckDb["run"] = (statement, signal) =>
    engine.use(async (connection) => {
      await connection.run(statement);
    }, signal);
  return {
    run,
    append: async (table, columns, count) => {
      const { appender } = await (fillings.get(table) ?? begin(table));
      appender.append(columns, count);
    },
    finish,
    drop: async (table) => {
      await finish(table);
      await run(`DROP TABLE IF EXISTS ${table}`);
    },
    arrow: (select, path, metadata, signal) =>
      engine.use((connection) => writeArrow(connection, select, path, metadata), signal),
    workbook: (select, path, about, signal) =>
      engine.use((connection) => writeWorkbook(connection, select, path, about), signal),
    columns: (select) => engine.use((connection) => readColumns(connection, select)),
    close: () => {
      fillings.clear();
      return engine.close();
    },
  };
}
