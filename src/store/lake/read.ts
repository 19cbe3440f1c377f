/** Reading the lake into memory: current observations as typed arrays, superseded and held ones as they are. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { SupersededObservation } from "#domain/acceptance/revision.ts";
import type { HeldFigure } from "#domain/collection.ts";
import { NO_OBSERVATIONS, type ObservationColumns } from "#domain/history.ts";
import type { LakeRecord } from "#ports.ts";
import { fill, itemsOf, withEngine } from "./engine.ts";
import { HELD_FILE, partitionFile, partitionsOf } from "./layout.ts";
import type { Manifest } from "./manifest.ts";
import columnsSql from "./sql/read-columns.sql" with { type: "text" };
import heldSql from "./sql/read-held.sql" with { type: "text" };
import supersededSql from "./sql/read-superseded.sql" with { type: "text" };

/** Everything a lake holds, as of its manifest; the caller has made sure that nobody writes meanwhile. */
export async function loadRecord(directory: string, manifest: Manifest): Promise<LakeRecord> {
  const daily = partitionsOf(directory, "daily").map((part) => join(directory, partitionFile("daily", part)));
  const superseded = partitionsOf(directory, "superseded").map((part) =>
    join(directory, partitionFile("superseded", part)),
  );
  const held = existsSync(join(directory, HELD_FILE)) ? [join(directory, HELD_FILE)] : [];
  const { version, coverage } = manifest;
  if (daily.length + superseded.length + held.length === 0) {
    return {
      version,
      coverage,
      observations: NO_OBSERVATIONS,
      publishedAt: new Float64Array(0),
      superseded: [],
      held: [],
    };
  }
  return await withEngine(directory, async (connection) => ({
    version,
    coverage,
    ...(daily.length === 0
      ? { observations: NO_OBSERVATIONS, publishedAt: new Float64Array(0) }
      : await readColumns(connection, daily)),
    superseded: superseded.length === 0 ? [] : await readSuperseded(connection, superseded),
    held: held.length === 0 ? [] : await readHeld(connection, held),
  }));
}

/** One column of the answer on its way into one array. */
class Growing<T extends Uint8Array | Uint16Array | Int32Array | Float64Array> {
  #items: T;
  readonly #make: (length: number) => T;

  constructor(make: (length: number) => T) {
    this.#make = make;
    this.#items = make(1 << 16);
  }
  append(from: T, at: number, count: number): void {
    if (at + count > this.#items.length) {
      const larger = this.#make(Math.max(this.#items.length * 2, at + count));
      larger.set(this.#items);
      this.#items = larger;
    }
    this.#items.set(from.subarray(0, count), at);
  }
  finish(count: number): T {
    return this.#items.slice(0, count) as T;
  }
}

async function readColumns(
  connection: DuckDBConnection,
  files: readonly string[],
): Promise<{ observations: ObservationColumns; publishedAt: Float64Array }> {
  const bytes = () => new Growing((length) => new Uint8Array(length));
  const doubles = () => new Growing((length) => new Float64Array(length));
  const source = bytes();
  const date = new Growing((length) => new Int32Array(length));
  const [base, quote] = [bytes(), bytes()];
  const units = doubles();
  const [scale, decimals] = [bytes(), bytes()];
  const [observedAt, retrievedAt] = [doubles(), doubles()];
  const revision = new Growing((length) => new Uint16Array(length));
  const publishedAt = doubles();
  // In the order of read-columns.sql.
  const columns = [
    source,
    date,
    base,
    quote,
    units,
    scale,
    decimals,
    observedAt,
    retrievedAt,
    revision,
    publishedAt,
  ];

  let count = 0;
  const result = await connection.stream(fill(columnsSql, { files }));
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) break;
    for (const [index, column] of columns.entries()) {
      column.append(itemsOf(chunk.getColumnVector(index)), count, chunk.rowCount);
    }
    count += chunk.rowCount;
  }
  return {
    observations: {
      count,
      source: source.finish(count),
      date: date.finish(count),
      base: base.finish(count),
      quote: quote.finish(count),
      units: units.finish(count),
      scale: scale.finish(count),
      decimals: decimals.finish(count),
      observedAt: observedAt.finish(count),
      retrievedAt: retrievedAt.finish(count),
      revision: revision.finish(count),
    },
    publishedAt: publishedAt.finish(count),
  };
}

/** A row as the SQL gives it: instants in milliseconds under their column names. */
type Row = Record<string, unknown>;

async function rowsOf(
  connection: DuckDBConnection,
  sql: string,
  files: readonly string[],
): Promise<readonly Row[]> {
  return (await connection.runAndReadAll(fill(sql, { files }))).getRowObjectsJS();
}

function figureOf(row: Row) {
  return {
    source: row["source"] as HeldFigure["source"],
    date: row["date"] as number,
    base: row["base"] as HeldFigure["base"],
    quote: row["quote"] as HeldFigure["quote"],
    printed: row["printed"] as string,
    decimals: row["decimals"] as number,
    observedAt: row["observed_at"] as number,
    publishedAt: row["published_at"] as number | null,
    retrievedAt: row["retrieved_at"] as number,
    document: row["document"] as string,
    documentSha256: row["document_sha256"] as string,
  };
}

async function readHeld(
  connection: DuckDBConnection,
  files: readonly string[],
): Promise<readonly HeldFigure[]> {
  const rows = await rowsOf(connection, heldSql, files);
  return rows.map((row) => ({
    ...figureOf(row),
    rule: row["rule"] as string,
    reason: row["reason"] as string,
  }));
}

async function readSuperseded(
  connection: DuckDBConnection,
  files: readonly string[],
): Promise<readonly SupersededObservation[]> {
  const rows = await rowsOf(connection, supersededSql, files);
  return rows.map((row) => ({
    ...figureOf(row),
    revision: row["revision"] as number,
    supersededAt: row["superseded_at"] as number,
    why: row["why"] as "revised" | "withdrawn",
    supersededBy: row["superseded_by"] as string,
  }));
}
