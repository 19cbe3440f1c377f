/** Prints a SELECT as an Arrow IPC stream: DuckDB's chunks gathered into record batches, codes as dictionaries. */

import { open } from "node:fs/promises";
import type { DuckDBConnection, DuckDBEnumType, DuckDBType, DuckDBVector } from "@duckdb/node-api";
import type * as arrowPackage from "apache-arrow";
import type { Data, DataType, Field, Vector } from "apache-arrow";
import { itemsOf, type RowStream, streamRows } from "./engine.ts";

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
    // The schema is written first, whether or not a row follows.
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

type Arrow = typeof arrowPackage;
type Items = Uint8Array | Uint16Array | Int32Array | Float64Array | BigInt64Array;

interface ArrowColumn {
  readonly field: Field;
  /** Copies the rows of a chunk to the position `at` of the batch. */
  add(vector: DuckDBVector, at: number, count: number): void;
  /** Returns the first `rows` of the batch as Arrow data in memory of its own. */
  take(rows: number): Data;
}

interface Form {
  readonly type: DataType;
  readonly make: (length: number) => Items;
  readonly dictionary?: Vector;
}

/** Throws for a type that no export has. */
function arrowColumns(
  arrow: Arrow,
  names: readonly string[],
  types: readonly DuckDBType[],
  capacity: number,
): readonly ArrowColumn[] {
  return names.map((name, index) => {
    const type = types[index] as DuckDBType;
    const form = formOf(arrow, type, index);
    const boolean = arrow.DataType.isBool(form.type);
    const items = form.make(boolean ? capacity / 8 : capacity);
    const valid = new Uint8Array(capacity / 8);
    let nulls = 0;
    return {
      field: new arrow.Field(name, form.type, true),
      add(vector, at, count) {
        if (boolean) addBits(items as Uint8Array, vector, at, count);
        else (items as Float64Array).set(itemsOf<Float64Array>(vector).subarray(0, count), at);
        const missing = markValid(valid, vector, at, count);
        nulls += missing;
        if (missing > 0 && !boolean) clearNulls(items, valid, at, count);
      },
      take(rows) {
        const length = boolean ? Math.ceil(rows / 8) : rows;
        const data = arrow.makeData({
          type: form.type,
          length: rows,
          nullCount: nulls,
          nullBitmap: nulls === 0 ? null : valid.slice(0, Math.ceil(rows / 8)),
          data: items.slice(0, length),
          ...(form.dictionary === undefined ? {} : { dictionary: form.dictionary }),
        } as Parameters<Arrow["makeData"]>[0]);
        // Bits are only set, never cleared by the next batch; everything else is written over.
        if (boolean) (items as Uint8Array).fill(0);
        valid.fill(0);
        nulls = 0;
        return data as Data;
      },
    };
  });
}

function formOf(arrow: Arrow, type: DuckDBType, index: number): Form {
  const text = type.toString();
  if (text === "DATE") return { type: new arrow.DateDay(), make: (length) => new Int32Array(length) };
  if (text === "DOUBLE") return { type: new arrow.Float64(), make: (length) => new Float64Array(length) };
  if (text === "BOOLEAN") return { type: new arrow.Bool(), make: (length) => new Uint8Array(length) };
  if (text === "BIGINT") return { type: new arrow.Int64(), make: (length) => new BigInt64Array(length) };
  if (text === "USMALLINT") return { type: new arrow.Uint16(), make: (length) => new Uint16Array(length) };
  if (text === "UTINYINT") return { type: new arrow.Uint8(), make: (length) => new Uint8Array(length) };
  if (text === "TIMESTAMP WITH TIME ZONE") {
    return { type: new arrow.TimestampMicrosecond("UTC"), make: (length) => new BigInt64Array(length) };
  }
  if (text.startsWith("ENUM")) {
    const { values } = type as DuckDBEnumType;
    return {
      type: new arrow.Dictionary(new arrow.Utf8(), new arrow.Uint8(), index),
      make: (length) => new Uint8Array(length),
      dictionary: arrow.vectorFromArray([...values], new arrow.Utf8()),
    };
  }
  throw new Error(`no Arrow form for ${text}`);
}

function addBits(bits: Uint8Array, vector: DuckDBVector, at: number, count: number): void {
  for (let row = 0; row < count; row++) {
    if (vector.getItem(row) === true) setBit(bits, at + row);
  }
}

/** Marks the rows that are not null; returns the number of nulls. */
function markValid(valid: Uint8Array, vector: DuckDBVector, at: number, count: number): number {
  const { validity } = vector as unknown as { validity: { itemValid(row: number): boolean } };
  let nulls = 0;
  for (let row = 0; row < count; row++) {
    if (validity.itemValid(row)) setBit(valid, at + row);
    else nulls += 1;
  }
  return nulls;
}

/** Clears the values under nulls, which are whatever was in memory: they must not be exported, and equal rows must be equal bytes. */
function clearNulls(items: Items, valid: Uint8Array, at: number, count: number): void {
  const nothing = items instanceof BigInt64Array ? 0n : 0;
  for (let row = at; row < at + count; row++) {
    if (((valid[row >> 3] as number) & (1 << (row & 7))) === 0) items[row] = nothing as never;
  }
}

function setBit(bits: Uint8Array, at: number): void {
  bits[at >> 3] = (bits[at >> 3] as number) | (1 << (at & 7));
}
