/** Prints a SELECT as an Arrow IPC stream: a record batch for each chunk of DuckDB, codes as dictionaries. */

import { open } from "node:fs/promises";
import type { DuckDBConnection, DuckDBEnumType, DuckDBType, DuckDBVector } from "@duckdb/node-api";
import type * as arrowPackage from "apache-arrow";
import type { Data, DataType, Vector } from "apache-arrow";
import { DiskFull } from "#domain/faults/errors.ts";
import { itemsOf, streamRows } from "./engine.ts";

/** Writes the file and resolves when it is complete; rejects when the SELECT breaks off. Other work gets its turn after every chunk. */
export async function writeArrow(
  connection: DuckDBConnection,
  select: string,
  path: string,
  metadata: Readonly<Record<string, string>> = {},
): Promise<void> {
  const arrow = await import("apache-arrow");
  const stream = await streamRows(connection, select);
  const forms = stream.columnTypes.map((type, index) => formOf(arrow, type, index));
  const fields = forms.map(({ type }, index) => new arrow.Field(stream.columnNames[index] ?? "", type, true));
  const schema = new arrow.Schema(fields, new Map(Object.entries(metadata)));
  const type = new arrow.Struct(fields);
  let ready: Uint8Array[] = [];
  const sink = new arrow.AsyncByteQueue();
  sink.write = (bytes) => void ready.push(Uint8Array.from(bytes as Uint8Array));

  const file = await open(path, "w");
  const save = async () => {
    const parts = ready;
    ready = [];
    const { bytesWritten } = await file.writev(parts);
    // A disk that becomes full may take a part and report no fault. Once it has room again, the next part would follow a gap.
    if (bytesWritten < parts.reduce((sum, { byteLength }) => sum + byteLength, 0))
      throw new DiskFull(path, null);
  };
  try {
    // The schema is written first, whether or not a row follows.
    const writer = new arrow.RecordBatchStreamWriter().reset(sink, schema);
    await save();
    for (let rows = await stream.next(); rows !== null; rows = await stream.next()) {
      const { chunk, count } = rows;
      const children = forms.map((form, index) => dataOf(arrow, form, chunk.getColumnVector(index), count));
      const data = arrow.makeData({ type, length: count, nullCount: 0, children });
      writer.write(new arrow.RecordBatch(schema, data));
      await save();
    }
    writer.close();
    await save();
  } finally {
    await file.close();
  }
}

type Arrow = typeof arrowPackage;

interface Form {
  readonly type: DataType;
  readonly dictionary?: Vector;
}

/** Throws for a type that no export has. */
function formOf(arrow: Arrow, type: DuckDBType, index: number): Form {
  const text = type.toString();
  if (text === "DATE") return { type: new arrow.DateDay() };
  if (text === "VARCHAR") return { type: new arrow.Utf8() };
  if (text === "DOUBLE") return { type: new arrow.Float64() };
  if (text === "BOOLEAN") return { type: new arrow.Bool() };
  if (text === "BIGINT") return { type: new arrow.Int64() };
  if (text === "USMALLINT") return { type: new arrow.Uint16() };
  if (text === "UTINYINT") return { type: new arrow.Uint8() };
  if (text === "TIMESTAMP WITH TIME ZONE") return { type: new arrow.TimestampMicrosecond("UTC") };
  if (text.startsWith("ENUM")) {
    const { values } = type as DuckDBEnumType;
    return {
      type: new arrow.Dictionary(new arrow.Utf8(), new arrow.Uint8(), index),
      dictionary: arrow.vectorFromArray([...values], new arrow.Utf8()),
    };
  }
  throw new Error(`no Arrow form for ${text}`);
}

/** Returns the first `count` values in memory of their own. */
function dataOf(arrow: Arrow, form: Form, vector: DuckDBVector, count: number): Data {
  if (arrow.DataType.isUtf8(form.type)) {
    const texts = Array.from({ length: count }, (_, row) => vector.getItem(row));
    return arrow.vectorFromArray(texts, form.type).data[0] as Data;
  }
  const isBoolean = arrow.DataType.isBool(form.type);
  const data = isBoolean ? bitsOf(vector, count) : itemsOf<Float64Array>(vector).slice(0, count);
  const nullBitmap = validityOf(vector, count);
  let nullCount = 0;
  for (let row = 0; nullBitmap !== null && row < count; row++) {
    if (((nullBitmap[row >> 3] as number) & (1 << (row & 7))) !== 0) continue;
    nullCount += 1;
    // A null has whatever was in memory in its place. That must not be exported, and equal rows must be equal bytes.
    if (!isBoolean) data.fill((typeof data[row] === "bigint" ? 0n : 0) as never, row, row + 1);
  }
  const values = { ...form, length: count, nullCount, nullBitmap: nullCount === 0 ? null : nullBitmap, data };
  return arrow.makeData(values as Parameters<Arrow["makeData"]>[0]) as Data;
}

function bitsOf(vector: DuckDBVector, count: number): Uint8Array {
  const bits = new Uint8Array(Math.ceil(count / 8));
  for (let row = 0; row < count; row++)
    if (vector.getItem(row) === true) bits[row >> 3] = (bits[row >> 3] as number) | (1 << (row & 7));
  return bits;
}

/** Returns a bit for each row that is not null, in DuckDB's order, which is Arrow's as well; null when no row can be null. */
function validityOf(vector: DuckDBVector, count: number): Uint8Array | null {
  const { data } = (vector as unknown as { validity: { data: BigUint64Array | null } }).validity;
  if (data === null) return null;
  const bits = new Uint8Array(data.buffer, data.byteOffset, Math.ceil(count / 8)).slice();
  const last = bits.length - 1;
  bits[last] = (bits[last] as number) & (0xff >> (8 * bits.length - count));
  return bits;
}
