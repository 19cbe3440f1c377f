/** Rows of a Parquet file as an answer has it, read by DuckDB. */

import { DuckDBInstance } from "@duckdb/node-api";
import { temporaryDirectory } from "./temporary.ts";

/** Rows as objects of the named columns or expressions. Rejects when the bytes are no Parquet file. */
export async function parquetRows(
  bytes: Uint8Array,
  columns: string,
): Promise<readonly Record<string, unknown>[]> {
  const file = `${temporaryDirectory()}/answer.parquet`;
  await Bun.write(file, bytes);
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  try {
    const rows = await connection.runAndReadAll(`SELECT ${columns} FROM read_parquet('${file}')`);
    return rows.getRowObjectsJS();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
