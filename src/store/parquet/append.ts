/** Appends rows to a DuckDB table in chunks: from typed arrays or from functions of a row. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { itemsOf, type NumberColumn } from "./engine.ts";

/** DuckDB's vector size. */
const CHUNK_ROWS = 2048;

/** Opens an appender for columns of numbers, which are copied into the memory of the chunks. */
export async function openColumnAppender(connection: DuckDBConnection, table: string) {
  const { DuckDBDataChunk } = await import("@duckdb/node-api");
  const appender = await connection.createAppender(table);
  const types = Array.from({ length: appender.columnCount }, (_, index) => appender.columnType(index));
  return {
    /** Appends the first `count` rows. The columns have the element types of the table's; enums are positions, dates days. */
    append(columns: readonly NumberColumn[], count: number): void {
      for (let from = 0; from < count; from += CHUNK_ROWS) {
        const rows = Math.min(CHUNK_ROWS, count - from);
        const chunk = DuckDBDataChunk.create(types, rows);
        for (const [index, column] of columns.entries()) {
          const vector = chunk.getColumnVector(index);
          itemsOf<{ set(values: NumberColumn): void }>(vector).set(column.subarray(from, from + rows));
          vector.flush();
        }
        appender.appendDataChunk(chunk);
      }
    },
    /** Closes the appender; everything is in the table when this returns. */
    close: () => appender.closeSync(),
  };
}

/** One column of a row, never null. Numbers are written into the vector's array without its checks. */
export type RowColumn<T> =
  | { readonly plain: (row: T, at: number) => number }
  | { readonly text: (row: T, at: number) => string };

/** Appends rows in parts. One chunk is refilled for every part: the memory of a chunk stays until it is garbage-collected. */
export async function appendRows<T>(
  connection: DuckDBConnection,
  table: string,
  rows: readonly T[],
  columns: readonly RowColumn<T>[],
): Promise<void> {
  if (rows.length === 0) return;
  const { DuckDBDataChunk } = await import("@duckdb/node-api");
  const appender = await connection.createAppender(table);
  const chunk = DuckDBDataChunk.create(columns.map((_, index) => appender.columnType(index)));
  for (let from = 0; from < rows.length; from += CHUNK_ROWS) {
    const count = Math.min(CHUNK_ROWS, rows.length - from);
    chunk.reset();
    chunk.rowCount = count;
    for (const [index, column] of columns.entries()) {
      const vector = chunk.getColumnVector(index);
      if ("plain" in column) {
        const items = itemsOf<Record<number, number>>(vector);
        for (let at = 0; at < count; at++) items[at] = column.plain(rows[from + at] as T, from + at);
      } else {
        const { itemCache, itemCacheDirty } = vector as unknown as {
          itemCache: string[];
          itemCacheDirty: boolean[];
        };
        for (let at = 0; at < count; at++) {
          itemCache[at] = column.text(rows[from + at] as T, from + at);
          itemCacheDirty[at] = true;
        }
      }
      vector.flush();
    }
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
}
