/** Prints a SELECT as an Arrow IPC stream: DuckDB's chunks joined into record batches, codes as dictionaries. */

import { open } from "node:fs/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import { type RowStream, streamRows } from "#store/delta/stream.ts";
import { type ArrowColumn, arrowColumns } from "./arrow-columns.ts";

/** DuckDB delivers 2048 rows at once; readers like larger batches. */
const BATCH_ROWS = 16 * 2048;

/** Writes the file and resolves when it is complete; rejects when the SELECT breaks off. Other work gets its turn after every chunk. */
export async function writeArrow(connection: DuckDBConnection, select: string, path: string): Promise<void> {
  const arrow = await import("apache-arrow");
  const stream = await streamRows(connection, select);
  const columns = arrowColumns(arrow, stream.columnNames, stream.columnTypes, BATCH_ROWS);
  const schema = new arrow.Schema(columns.map(({ field }) => field));
  const rowType = new arrow.Struct(schema.fields);
  let ready: Uint8Array[] = [];
  const sink = new arrow.AsyncByteQueue();
  sink.write = (bytes) => void ready.push(Uint8Array.from(bytes as Uint8Array));

  const file = await open(path, "w");
  const save = async () => {
    const parts = ready;
    ready = [];
    await file.writev(parts);
  };
  try {
    // The schema goes first, whether or not a row follows.
    const writer = new arrow.RecordBatchStreamWriter().reset(sink, schema);
    await save();
    for (let more = true; more; ) {
      const filled = await fillBatch(columns, stream);
      more = filled.more;
      if (filled.rows > 0) {
        const children = columns.map((column) => column.take(filled.rows));
        const data = arrow.makeData({ type: rowType, length: filled.rows, nullCount: 0, children });
        writer.write(new arrow.RecordBatch(schema, data));
        await save();
      }
    }
    writer.close();
    await save();
  } finally {
    await file.close();
  }
}

async function fillBatch(
  columns: readonly ArrowColumn[],
  stream: RowStream,
): Promise<{ readonly rows: number; readonly more: boolean }> {
  let filled = 0;
  while (filled + 2048 <= BATCH_ROWS) {
    const rows = await stream.next();
    if (rows === null) return { rows: filled, more: false };
    for (const [index, column] of columns.entries())
      column.add(rows.chunk.getColumnVector(index), filled, rows.count);
    filled += rows.count;
  }
  return { rows: filled, more: true };
}
