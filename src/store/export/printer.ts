/** Makes the files of exports with DuckDB: tables of rows, and statements that print them. */

import { type NumberColumn, openColumnAppender } from "#store/parquet/append.ts";
import { openEngine } from "#store/parquet/engine.ts";
import { writeArrow } from "./arrow.ts";
import macrosSql from "./sql/macros.sql" with { type: "text" };

export interface PrinterOptions {
  /** The only folders whose files it may read or write. */
  readonly directories: readonly string[];
  readonly threads: number;
  readonly memoryMegabytes: number;
}

/** A file to be made: by a COPY statement, or as an Arrow stream of a SELECT. */
export type PrintJob =
  | { readonly form: "copy"; readonly statement: string }
  | { readonly form: "arrow"; readonly select: string; readonly path: string };

/** A table that is being filled. */
export interface OpenTable {
  /** The first `count` rows of columns that have the element types of the table's. */
  append(columns: readonly NumberColumn[], count: number): Promise<void>;
  /** Everything is in the table when this resolves. */
  end(): Promise<void>;
}

export interface Printer {
  /** Makes a table by its CREATE statement, to be filled. */
  createTable(name: string, statement: string): Promise<OpenTable>;
  /** Resolves when the file is complete. The signal interrupts it; it rejects when nothing writes into the file any more. */
  print(job: PrintJob, signal: AbortSignal): Promise<void>;
  drop(table: string): Promise<void>;
  /** Frees everything, tables too; the next use opens it anew. */
  close(): Promise<void>;
}

/** DuckDB in this process; the library is loaded with the first use. */
export function openPrinter(options: PrinterOptions): Printer {
  const engine = openEngine({ ...options, returnsMemory: true, definitions: macrosSql });
  return {
    createTable: async (name, statement) => {
      const ended = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<Awaited<ReturnType<typeof openColumnAppender>>>();
      // The connection belongs to the table until it is filled.
      const filling = engine.use(async (connection) => {
        await connection.run(statement);
        const appender = await openColumnAppender(connection, name);
        begun.resolve(appender);
        await ended.promise;
        appender.close();
      });
      filling.catch(begun.reject);
      const appender = await begun.promise;
      return {
        append: async (columns, count) => appender.append(columns, count),
        end: () => {
          ended.resolve();
          return filling;
        },
      };
    },
    print: (job, signal) =>
      engine.use(async (connection) => {
        if (job.form === "arrow") await writeArrow(connection, job.select, job.path);
        else await connection.run(job.statement);
      }, signal),
    drop: (table) =>
      engine.use(async (connection) => {
        await connection.run(`DROP TABLE IF EXISTS ${table}`);
      }),
    close: engine.close,
  };
}
