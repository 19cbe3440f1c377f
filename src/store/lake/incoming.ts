/** A change on its way into DuckDB: rows appended in chunks, instants as milliseconds, codes as positions. */

import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api";
import type { HeldFigure } from "#domain/collection.ts";
import { currencyIndex } from "#domain/currency.ts";
import { formatDay, formatInstant, type Instant } from "#domain/day.ts";
import type { Observation } from "#domain/observation.ts";
import { DAILY_SOURCES } from "#domain/source.ts";
import type { LakeChange } from "#ports.ts";
import { itemsOf } from "#store/delta/engine.ts";
import documentsSql from "./sql/documents-table.sql" with { type: "text" };
import heldSql from "./sql/held-table.sql" with { type: "text" };
import incomingSql from "./sql/incoming-table.sql" with { type: "text" };
import withdrawalsSql from "./sql/withdrawals-table.sql" with { type: "text" };

const CHUNK_ROWS = 2048;

/** Columns of `incoming` that are numbers and never null: written into the vector's array without its checks. */
const PLAIN_NUMBERS: ReadonlySet<number> = new Set([0, 1, 2, 3, 5, 6, 8, 9, 10]);

/** Creates and fills `incoming` and `documents`. */
export async function appendIncoming(
  connection: DuckDBConnection,
  accepted: readonly Observation[],
): Promise<void> {
  await connection.run(incomingSql);
  await connection.run(documentsSql);
  const documents = new Map<string, number>();
  const idOf = ({ document, documentSha256 }: Observation) => {
    const key = `${document} ${documentSha256}`;
    const id = documents.get(key) ?? documents.size;
    documents.set(key, id);
    return id;
  };
  await append(
    connection,
    "incoming",
    accepted,
    [
      (row) => DAILY_SOURCES.indexOf(row.source),
      (row) => row.date,
      (row) => currencyIndex(row.base),
      (row) => currencyIndex(row.quote),
      (row) => row.printed,
      (row) => row.decimals,
      (row) => row.observedAt,
      (row) => row.publishedAt,
      (row) => row.retrievedAt,
      (row) => row.revision,
      idOf,
    ],
    PLAIN_NUMBERS,
  );
  await append(
    connection,
    "documents",
    [...documents],
    [
      ([, id]) => id,
      ([key]) => key.slice(0, key.lastIndexOf(" ")),
      ([key]) => key.slice(key.lastIndexOf(" ") + 1),
    ],
  );
}

type Column<T> = (row: T) => DuckDBValue;

async function append<T>(
  connection: DuckDBConnection,
  table: string,
  rows: readonly T[],
  columns: readonly Column<T>[],
  plain: ReadonlySet<number> = new Set(),
): Promise<void> {
  if (rows.length === 0) return;
  // Loaded here and not above: reading a lake from its cache must not load DuckDB.
  const { DuckDBDataChunk } = await import("@duckdb/node-api");
  const appender = await connection.createAppender(table);
  const types = columns.map((_, index) => appender.columnType(index));
  for (let from = 0; from < rows.length; from += CHUNK_ROWS) {
    const part = rows.slice(from, from + CHUNK_ROWS);
    const chunk = DuckDBDataChunk.create(types, part.length);
    for (const [index, column] of columns.entries()) {
      const vector = chunk.getColumnVector(index);
      if (plain.has(index)) {
        fillNumbers(itemsOf(vector), part, column as (row: T) => number);
        vector.flush();
      } else chunk.setColumnValues(index, part.map(column));
    }
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
}

function fillNumbers<T>(items: Record<number, number>, rows: readonly T[], column: (row: T) => number): void {
  for (let at = 0; at < rows.length; at++) items[at] = column(rows[at] as T);
}

/** Creates and fills `withdrawals`. */
export async function appendWithdrawals(
  connection: DuckDBConnection,
  withdrawn: LakeChange["withdrawn"],
): Promise<void> {
  await connection.run(withdrawalsSql);
  for (const row of withdrawn) {
    await connection.run("INSERT INTO withdrawals VALUES ($1, $2::DATE, $3, $4, $5, $6::TIMESTAMPTZ, $7)", [
      row.source,
      formatDay(row.date),
      row.base,
      row.quote,
      row.revision,
      formatInstant(row.retrievedAt),
      row.document,
    ]);
  }
}

/** Creates and fills `held`, the complete list. */
export async function appendHeld(connection: DuckDBConnection, held: readonly HeldFigure[]): Promise<void> {
  await connection.run(heldSql);
  const instant = (at: Instant | null) => (at === null ? null : formatInstant(at));
  for (const row of held) {
    await connection.run(
      `INSERT INTO held VALUES ($1::DATE, $2, $3, $4, $5, $6, $7::TIMESTAMPTZ, $8::TIMESTAMPTZ, $9::TIMESTAMPTZ,
        $10, $11, $12, $13)`,
      [
        formatDay(row.date),
        row.source,
        row.base,
        row.quote,
        row.printed,
        row.decimals,
        instant(row.observedAt),
        instant(row.publishedAt),
        instant(row.retrievedAt),
        row.document,
        row.documentSha256,
        row.rule,
        row.reason,
      ],
    );
  }
}
