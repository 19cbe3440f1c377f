/** The DuckDB of exports: one instance, opened with the first export, a connection of its own for each. */

import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { CURRENCY_CODES } from "#domain/currency/currency.ts";
import { DAILY_SOURCES } from "#domain/currency/source.ts";
import { FEEDS } from "#domain/live/live-quote.ts";
import macrosSql from "./sql/macros.sql" with { type: "text" };

export interface EngineOptions {
  /** The only folders whose files it may read or write. */
  readonly directories: readonly string[];
  readonly threads: number;
  readonly memoryMegabytes: number;
}

export interface ExportEngine {
  /** Runs `work` on a connection of its own; `interrupt` ends what runs on it within milliseconds. */
  use<T>(work: (connection: DuckDBConnection) => Promise<T>, signal?: AbortSignal): Promise<T>;
  close(): Promise<void>;
}

/** The library is loaded with the first use. */
export function openExportEngine({ directories, threads, memoryMegabytes }: EngineOptions): ExportEngine {
  let opening: Promise<DuckDBInstance> | null = null;
  const open = async () => {
    const { DuckDBInstance } = await import("@duckdb/node-api");
    const instance = await DuckDBInstance.create(":memory:", {
      threads: String(threads),
      memory_limit: `${memoryMegabytes}MB`,
      preserve_insertion_order: "true",
      // A file is read once: what is asked for again is sent from the finished export.
      enable_external_file_cache: "false",
      // What a statement has freed goes back to the system at its end.
      allocator_flush_threshold: "1MB",
      allocator_bulk_deallocation_flush_threshold: "1MB",
      autoinstall_known_extensions: "false",
      autoload_known_extensions: "false",
      temp_directory: "",
    });
    const connection = await instance.connect();
    await connection.run(`CREATE TYPE currency AS ENUM (${CURRENCY_CODES.map(quoted).join(", ")})`);
    await connection.run(`CREATE TYPE daily_source AS ENUM (${DAILY_SOURCES.map(quoted).join(", ")})`);
    await connection.run(`CREATE TYPE feed AS ENUM (${FEEDS.map(quoted).join(", ")})`);
    await connection.run(macrosSql);
    await connection.run("SET GLOBAL TimeZone = 'UTC'");
    await connection.run(`SET GLOBAL allowed_directories = [${directories.map(quoted).join(", ")}]`);
    await connection.run("SET GLOBAL enable_external_access = false");
    await connection.run("SET GLOBAL lock_configuration = true");
    connection.closeSync();
    return instance;
  };
  return {
    use: async (work, signal) => {
      signal?.throwIfAborted();
      opening ??= open();
      const connection = await (await opening).connect();
      const interrupt = () => connection.interrupt();
      signal?.addEventListener("abort", interrupt);
      try {
        // The signal may have come between two statements, where there was nothing to interrupt.
        signal?.throwIfAborted();
        return await work(connection);
      } finally {
        signal?.removeEventListener("abort", interrupt);
        connection.closeSync();
      }
    },
    close: async () => {
      const closing = opening;
      // The next use opens another one, also while this one is closing.
      opening = null;
      if (closing !== null) (await closing).closeSync();
    },
  };
}

export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
