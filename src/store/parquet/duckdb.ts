/** What DuckDB does for a server: tables of rows, files printed from them, rows of small SELECTs. */

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

export type PrintJob =
  | { readonly form: "copy"; readonly statement: string }
  | { readonly form: "arrow"; readonly select: string; readonly path: string }
  | { readonly form: "xlsx"; readonly select: string; readonly path: string; readonly about: AboutSheet };

export type PlainRow = readonly (number | string | boolean | null)[];

export interface DuckDb {
  /** Makes a table by its CREATE statement; `append` fills it. */
  create(table: string, statement: string): Promise<void>;
  /** Appends the first `count` rows. The columns have the element types of the table's, and are copied before this returns. */
  append(table: string, columns: readonly NumberColumn[], count: number): Promise<void>;
  /** Ends the filling; everything is in the table when this resolves. */
  finish(table: string): Promise<void>;
  drop(table: string): Promise<void>;
  /** Resolves when the file is complete. The signal interrupts the job, which rejects when nothing writes into the file any more. */
  print(job: PrintJob, signal: AbortSignal): Promise<void>;
  rows(select: string): Promise<readonly PlainRow[]>;
  /** Reads the columns of a SELECT of numbers and codes without nulls. */
  columns(select: string): Promise<NumberColumns<string>>;
  /** Frees everything, tables too; the next use opens a new instance. */
  close(): Promise<void>;
}

export type DuckDbOptions = Omit<EngineOptions, "returnsMemory">;

interface Filling {
  readonly appender: Awaited<ReturnType<typeof openColumnAppender>>;
  finish(): Promise<void>;
}

/** DuckDB in this process; the library is loaded with the first use. */
export function openDuckDb(options: DuckDbOptions): DuckDb {
  const engine = openEngine({ ...options, returnsMemory: true });
  const filling = new Map<string, Filling>();
  const fillingOf = (table: string): Filling => {
    const one = filling.get(table);
    if (one === undefined) throw new Error(`no table ${table} is being filled`);
    return one;
  };
  return {
    create: async (table, statement) => {
      const ended = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<Filling["appender"]>();
      // The connection belongs to the table until it is filled.
      const filled = engine.use(async (connection) => {
        await connection.run(statement);
        const appender = await openColumnAppender(connection, table);
        begun.resolve(appender);
        await ended.promise;
        appender.close();
      });
      filled.catch(begun.reject);
      const appender = await begun.promise;
      const finish = () => {
        ended.resolve();
        return filled;
      };
      filling.set(table, { appender, finish });
    },
    append: async (table, columns, count) => fillingOf(table).appender.append(columns, count),
    finish: async (table) => {
      const one = fillingOf(table);
      filling.delete(table);
      await one.finish();
    },
    drop: (table) =>
      engine.use(async (connection) => {
        await connection.run(`DROP TABLE IF EXISTS ${table}`);
      }),
    print: (job, signal) =>
      engine.use(async (connection) => {
        if (job.form === "arrow") await writeArrow(connection, job.select, job.path);
        else if (job.form === "xlsx") await writeWorkbook(connection, job.select, job.path, job.about);
        else await connection.run(job.statement);
      }, signal),
    rows: (select) =>
      engine.use(
        async (connection) =>
          (await connection.runAndReadAll(select)).getRowsJS() as unknown as readonly PlainRow[],
      ),
    columns: (select) => engine.use((connection) => readColumns(connection, select)),
    close: engine.close,
  };
}
