/** The archive's DuckDB: in memory, confined to the lake's directory, opened with the first need and kept open. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { CURRENCY_CODES } from "#domain/currency/currency.ts";

const LIMITS = { threads: "2", memory_limit: "384MB" };

export interface Engine {
  /** Runs `work` on a connection of its own, closed afterwards; the library is loaded with the first call. */
  use<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Reaches no files but those under `directory`. */
export function openEngine(directory: string): Engine {
  let instance: ReturnType<typeof confined> | null = null;
  return {
    use: async (work) => {
      instance ??= confined(directory);
      const connection = await (await instance).connect();
      try {
        return await work(connection);
      } finally {
        connection.closeSync();
      }
    },
    close: async () => {
      const opened = await instance?.catch(() => null);
      instance = null;
      opened?.closeSync();
    },
  };
}

async function confined(directory: string) {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(":memory:", {
    ...LIMITS,
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    temp_directory: "",
    // Files are replaced under their names within milliseconds: nothing may be remembered of an earlier version.
    enable_external_file_cache: "false",
  });
  const connection = await instance.connect();
  try {
    // In the catalog's order: a code in an answer is its position there.
    await connection.run(`CREATE TYPE currency AS ENUM ('${CURRENCY_CODES.join("', '")}')`);
    await connection.run("SET GLOBAL TimeZone = 'UTC'");
    await connection.run("SET GLOBAL parquet_metadata_cache = false");
    await connection.run(`SET allowed_directories = ['${directory.replaceAll("'", "''")}']`);
    await connection.run("SET enable_external_access = false");
    await connection.run("SET lock_configuration = true");
  } finally {
    connection.closeSync();
  }
  return instance;
}
