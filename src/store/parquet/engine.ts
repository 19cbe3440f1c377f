/** Opens DuckDB for the lake, in memory and confined to the given folders; and reads the rows of a SELECT in chunks. */

import type { DuckDBConnection, DuckDBDataChunk, DuckDBInstance, DuckDBVector } from "@duckdb/node-api";
import { CURRENCY_CODES } from "#domain/currency/currency.ts";
import { DAILY_SOURCES } from "#domain/currency/source.ts";
import { FEEDS, IMPORTED_FEED } from "#domain/live/live-quote.ts";

/** Typed arrays of numbers, not of big integers. */
export type NumberColumn = Uint8Array | Uint16Array | Int32Array | Float64Array;

export interface EngineOptions {
  /** DuckDB may read and write files in these folders only. */
  readonly directories: readonly string[];
  readonly threads?: number;
  readonly memoryMegabytes?: number;
  /** Memory that a statement has freed goes back to the system at its end, instead of staying for the next one. */
  readonly returnsMemory?: boolean;
  readonly definitions?: string;
  /** Joins are made in the written order, and the right side is hashed: DuckDB's estimates of these sizes are wrong. */
  readonly joinsAsWritten?: boolean;
}

export type Engine = ReturnType<typeof openEngine>;

/** Loads the library and opens the instance with the first use: reading from a cache never pays for it. */
export function openEngine(options: EngineOptions) {
  let current: Opened | null = null;
  /** A failure is not remembered: the next use tries again. */
  const opened = (): Opened => {
    if (current !== null) return current;
    const begun: Opened = { instance: open(options), connecting: new Set() };
    current = begun;
    begun.instance.catch(() => {
      if (current === begun) current = null;
    });
    return begun;
  };
  const connect = async (): Promise<DuckDBConnection> => {
    const { instance, connecting } = opened();
    const connection = instance.then((one) => one.connect());
    connecting.add(connection);
    try {
      return await connection;
    } finally {
      connecting.delete(connection);
    }
  };
  return {
    /** The caller closes the connection. */
    connect,
    /** Runs `work` on a connection of its own, and closes it. The signal interrupts it within milliseconds. */
    use: async <T>(work: (connection: DuckDBConnection) => Promise<T>, signal?: AbortSignal): Promise<T> => {
      signal?.throwIfAborted();
      const connection = await connect();
      const interrupt = () => connection.interrupt();
      signal?.addEventListener("abort", interrupt);
      try {
        // The signal may have come between two statements, when there was nothing to interrupt.
        signal?.throwIfAborted();
        return await work(connection);
      } finally {
        signal?.removeEventListener("abort", interrupt);
        connection.closeSync();
      }
    },
    /** Frees everything; the next use opens another instance, also while this one is closing. */
    close: async (): Promise<void> => {
      if (current === null) return;
      const { instance, connecting } = current;
      current = null;
      // An instance that is closed while a connection to it is being made ends the process: the library reads freed memory.
      await Promise.allSettled(connecting);
      (await instance.catch(() => null))?.closeSync();
    },
  };
}

interface Opened {
  readonly instance: Promise<DuckDBInstance>;
  readonly connecting: Set<Promise<DuckDBConnection>>;
}

/** Runs `work` on an instance of its own, to hold no memory afterwards: DuckDB's defaults kept 110 MB more after a first start. */
export async function withEngine<T>(
  directory: string,
  work: (connection: DuckDBConnection) => Promise<T>,
  options: Pick<EngineOptions, "threads" | "returnsMemory"> = {},
): Promise<T> {
  const engine = openEngine({ directories: [directory], returnsMemory: true, ...options });
  try {
    return await engine.use(work);
  } finally {
    await engine.close();
  }
}

/** Without these threads the process keeps freed memory until it asks for more: 90 MB after exports of five bases. */
const RETURNS_MEMORY = {
  allocator_background_threads: "true",
  allocator_flush_threshold: "1MB",
};

async function open({
  directories,
  threads = 2,
  memoryMegabytes = 384,
  returnsMemory = false,
  definitions,
  joinsAsWritten = false,
}: EngineOptions): Promise<DuckDBInstance> {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(":memory:", {
    threads: String(threads),
    memory_limit: `${memoryMegabytes}MB`,
    preserve_insertion_order: "true",
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    temp_directory: "",
    // A file is read once or twice, and may be replaced under its name: nothing of it is remembered.
    enable_external_file_cache: "false",
    ...(returnsMemory && RETURNS_MEMORY),
    ...(joinsAsWritten && { disabled_optimizers: "join_order,build_side_probe_side" }),
  });
  const connection = await instance.connect();
  try {
    // In the order of the catalog: a code in an answer is its position there.
    await connection.run(enumOf("currency", CURRENCY_CODES));
    await connection.run(enumOf("daily_source", DAILY_SOURCES));
    await connection.run(enumOf("feed", [...FEEDS, IMPORTED_FEED]));
    if (definitions !== undefined) await connection.run(definitions);
    await connection.run("SET GLOBAL TimeZone = 'UTC'");
    await connection.run("SET GLOBAL parquet_metadata_cache = false");
    await connection.run(`SET GLOBAL allowed_directories = [${directories.map(quoted).join(", ")}]`);
    await connection.run("SET GLOBAL enable_external_access = false");
    // Last: it forbids any further setting.
    await connection.run("SET GLOBAL lock_configuration = true");
  } finally {
    connection.closeSync();
  }
  return instance;
}

function enumOf(name: string, values: readonly string[]): string {
  return `CREATE TYPE ${name} AS ENUM (${values.map(quoted).join(", ")})`;
}

/** Replaces `{name}` by a literal: read_parquet takes no parameters for its paths. */
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

export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Returns the vector's memory, valid until its chunk is garbage-collected. Reading value by value takes four times as long. */
export function itemsOf<T>(vector: DuckDBVector): T {
  return (vector as unknown as { items: T }).items;
}

/** A SELECT broke off: DuckDB ends a streamed answer without an error when reading a file fails half-way. */
export class ReadBrokeOff extends Error {
  constructor(rows: number) {
    super(`reading broke off after ${rows} rows: a file that is read is damaged`);
    this.name = "ReadBrokeOff";
  }
}

/** Runs a SELECT and streams its rows in its order. A marked row is added at the end: an answer without it is not complete. */
export async function streamRows(connection: DuckDBConnection, select: string) {
  // A statement of a `.sql` file may end with a line comment or a semicolon.
  const rowsSql = `${select.trimEnd().replace(/;$/, "")}\n`;
  const result = await connection.stream(
    `SELECT *, false AS is_end FROM (${rowsSql}) UNION ALL BY NAME SELECT true AS is_end`,
  );
  const mark = result.columnCount - 1;
  let rows = 0;
  let ended = false;
  return {
    columnNames: result.columnNames().slice(0, mark),
    columnTypes: result.columnTypes().slice(0, mark),
    /** Resolves with a chunk and its number of rows; null after the last. Rejects with ReadBrokeOff, or with DuckDB's fault. */
    next: async (): Promise<{ readonly chunk: DuckDBDataChunk; readonly count: number } | null> => {
      while (!ended) {
        const chunk = await result.fetchChunk();
        if (chunk === null || chunk.rowCount === 0) throw new ReadBrokeOff(rows);
        ended = chunk.getColumnVector(mark).getItem(chunk.rowCount - 1) === true;
        const count = chunk.rowCount - (ended ? 1 : 0);
        rows += count;
        if (count > 0) return { chunk, count };
      }
      return null;
    },
  };
}

/** Columns of equal length, by name. */
export type NumberColumns<Name extends string> = Readonly<Record<Name, NumberColumn>>;

/** Reads a SELECT of numbers and codes without nulls, each column as one typed array. Rejects as its stream does. */
export async function readColumns(
  connection: DuckDBConnection,
  select: string,
): Promise<NumberColumns<string>> {
  const stream = await streamRows(connection, select);
  const columns = stream.columnNames.map((): NumberColumn[] => []);
  for (let rows = await stream.next(); rows !== null; rows = await stream.next()) {
    const { chunk, count } = rows;
    for (const [index, parts] of columns.entries())
      parts.push(itemsOf<NumberColumn>(chunk.getColumnVector(index)).slice(0, count));
  }
  return Object.fromEntries(stream.columnNames.map((name, index) => [name, joined(columns[index] ?? [])]));
}

function joined(parts: readonly NumberColumn[]): NumberColumn {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const [first = new Float64Array()] = parts;
  const whole = new (first.constructor as new (length: number) => NumberColumn)(length);
  let end = 0;
  for (const part of parts) {
    whole.set(part, end);
    end += part.length;
  }
  return whole;
}
