/** Prints CSV rows as one Parquet file through DuckDB: zstd, exact column types, the order of the rows kept. */

import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";

const LONG_TYPES =
  "{'date':'DATE','base':'VARCHAR','symbol':'VARCHAR','rate':'DOUBLE','source':'VARCHAR','is_forward_filled':'BOOLEAN','derived':'BOOLEAN','derivation_bps_max':'DOUBLE'}";

/**
 * A printer that works in `directory` and leaves nothing behind in it. One file at a time: a second caller waits.
 * `wide` takes its columns from the header: every symbol is a DOUBLE.
 */
export function openParquetPrinter(directory: string) {
  let connection: Promise<DuckDBConnection> | null = null;
  let queue: Promise<unknown> = Promise.resolve();
  let serial = 0;

  const print = async (csv: string, layout: "long" | "wide"): Promise<Uint8Array<ArrayBuffer>> => {
    connection ??= connect();
    const duckdb = await connection;
    await mkdir(directory, { recursive: true });
    serial += 1;
    const source = join(directory, `print-${process.pid}-${serial}.csv`);
    const target = join(directory, `print-${process.pid}-${serial}.parquet`);
    try {
      await Bun.write(source, csv);
      const types = layout === "long" ? LONG_TYPES : wideTypes(csv);
      await duckdb.run(
        `COPY (SELECT * FROM read_csv(${quoted(source)}, header=true, auto_detect=false, delim=',', columns=${types}))
         TO ${quoted(target)} (FORMAT parquet, COMPRESSION zstd)`,
      );
      return new Uint8Array(await Bun.file(target).arrayBuffer());
    } finally {
      await rm(source, { force: true });
      await rm(target, { force: true });
    }
  };

  return (csv: string, layout: "long" | "wide"): Promise<Uint8Array<ArrayBuffer>> => {
    const turn = queue.then(() => print(csv, layout));
    queue = turn.catch(() => undefined);
    return turn;
  };
}

async function connect(): Promise<DuckDBConnection> {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(":memory:", {
    threads: "1",
    memory_limit: "256MB",
    preserve_insertion_order: "true",
  });
  return await instance.connect();
}

function wideTypes(csv: string): string {
  const [, , , , ...symbols] = csv.slice(0, csv.indexOf("\n")).split(",");
  const columns = [
    "'date':'DATE'",
    "'base':'VARCHAR'",
    "'source':'VARCHAR'",
    "'is_forward_filled':'BOOLEAN'",
  ];
  return `{${[...columns, ...symbols.map((symbol) => `${quoted(symbol)}:'DOUBLE'`)].join(",")}}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
