/** The lake's DuckDB: in memory, confined to the lake's directory, closed again after each use so that it holds no memory. */

import type { DuckDBConnection, DuckDBVector } from "@duckdb/node-api";
import { CURRENCY_CODES } from "#domain/currency/currency.ts";
import { DAILY_SOURCES } from "#domain/currency/source.ts";

const LIMITS = { threads: "2", memory_limit: "384MB" };

/**
 * Each file is read once or twice, so keeping it in memory gains nothing; and what a statement has freed goes back to the
 * system at its end instead of staying for the next: the commits of a first start took 110 MB more with the defaults.
 */
const GIVES_BACK = {
  enable_external_file_cache: "false",
  allocator_flush_threshold: "1MB",
  allocator_bulk_deallocation_flush_threshold: "1MB",
};

/**
 * Runs `work` on a fresh connection whose only reachable files are those under `directory`. The library is
 * loaded with the first call: a start that finds everything in the column cache never pays for it.
 */
export async function withEngine<T>(
  directory: string,
  work: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(":memory:", {
    ...LIMITS,
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    temp_directory: "",
    ...GIVES_BACK,
  });
  try {
    const connection = await instance.connect();
    try {
      // Types and zone first: the lock forbids any further setting.
      await connection.run(`CREATE TYPE currency AS ENUM (${CURRENCY_CODES.map(quoted).join(", ")})`);
      await connection.run(`CREATE TYPE daily_source AS ENUM (${DAILY_SOURCES.map(quoted).join(", ")})`);
      await connection.run("SET TimeZone = 'UTC'");
      await connection.run(`SET allowed_directories = [${quoted(directory)}]`);
      await connection.run("SET enable_external_access = false");
      await connection.run("SET lock_configuration = true");
      return await work(connection);
    } finally {
      connection.closeSync();
    }
  } finally {
    instance.closeSync();
  }
}

/** Puts literals in the place of `{name}`: COPY and read_parquet take no parameters for their paths. */
export function fill(
  sql: string,
  literals: Readonly<Record<string, string | number | readonly string[]>>,
): string {
  return sql.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = literals[name];
    if (value === undefined) throw new Error(`no value for {${name}}`);
    if (typeof value === "number") return String(value);
    return typeof value === "string" ? quoted(value) : `[${value.map(quoted).join(", ")}]`;
  });
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The vector's memory as a typed array, valid until its chunk is collected: reading value by value costs four times as much. */
export function itemsOf<T>(vector: DuckDBVector): T {
  return (vector as unknown as { items: T }).items;
}
