/** Columns of numbers into a DuckDB table through the memory of its chunks: value by value costs four times as much. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { itemsOf } from "#store/delta/engine.ts";

const CHUNK_ROWS = 2048;

/** Anything with a `subarray` of numbers: the typed arrays that are no big integers. */
export type NumberColumn = Uint8Array | Uint16Array | Int32Array | Float64Array;

export interface ColumnAppender {
  /** The first `count` rows of columns that have the element types of the table's; enums are positions, dates days. */
  append(columns: readonly NumberColumn[], count: number): void;
  /** Everything is in the table when this returns. */
  close(): void;
}

export async function openColumnAppender(
  connection: DuckDBConnection,
  table: string,
): Promise<ColumnAppender> {
  const { DuckDBDataChunk } = await import("@duckdb/node-api");
  const appender = await connection.createAppender(table);
  const types = Array.from({ length: appender.columnCount }, (_, index) => appender.columnType(index));
  return {
    append(columns, count) {
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
    close: () => appender.closeSync(),
  };
}
