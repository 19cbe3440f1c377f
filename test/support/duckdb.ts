/** A DuckDB that is not the product's, as an analyst has it. */

import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";

/** Closed once the work is done. */
export async function withDuckDb<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
  const instance = await DuckDBInstance.create(":memory:", { threads: "2" });
  const connection = await instance.connect();
  try {
    return await work(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
