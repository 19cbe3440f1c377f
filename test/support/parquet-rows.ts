/** Rows of a Parquet file as an answer has it, read by DuckDB. */

import { withDuckDb } from "#test/support/duckdb.ts";
import { temporaryDirectory } from "./temporary.ts";

/** Rows as objects of the named columns or expressions. Rejects when the bytes are no Parquet file. */
export async function parquetRows(
  bytes: Uint8Array,
  columns: string,
): Promise<readonly Record<string, unknown>[]> {
  const file = `${temporaryDirectory()}/answer.parquet`;
  await Bun.write(file, bytes);
  const select = `SELECT ${columns} FROM read_parquet('${file}')`;
  const rows = await withDuckDb((connection) => connection.runAndReadAll(select));
  return rows.getRowObjectsJS();
}
