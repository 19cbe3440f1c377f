/** A change on its way into DuckDB: rows appended in chunks, instants as milliseconds, codes as positions. */

import type { DuckDBConnection } from "@duckdb/node-api";
import type { Statement } from "#domain/acceptance/statements.ts";
import { currencyIndex } from "#domain/currency/currency.ts";
import { DAILY_SOURCES } from "#domain/currency/source.ts";
import type { HeldFigure } from "#domain/history/collection.ts";
import type { Observation } from "#domain/history/observation.ts";
import { formatDay, formatInstant, type Instant } from "#domain/time/day.ts";
import type { LakeChange } from "#ports.ts";
import { itemsOf } from "#store/delta/engine.ts";
import documentsSql from "./sql/documents-table.sql" with { type: "text" };
import heldSql from "./sql/held-table.sql" with { type: "text" };
import incomingSql from "./sql/incoming-table.sql" with { type: "text" };
import statementsSql from "./sql/statements-table.sql" with { type: "text" };
import withdrawalsSql from "./sql/withdrawals-table.sql" with { type: "text" };

/** DuckDB's vector size. */
const CHUNK_ROWS = 2048;

/** Gives a number to each document that observations name. */
export type Documents = (observation: Pick<Observation, "document" | "documentSha256">) => number;

/** Creates and fills `documents`, to which every row of `incoming` points. */
export async function appendDocuments(
  connection: DuckDBConnection,
  accepted: readonly Observation[],
): Promise<Documents> {
  await connection.run(documentsSql);
  const ids = new Map<string, Map<string, number>>();
  const documents: (readonly [url: string, sha256: string])[] = [];
  const idOf: Documents = ({ document, documentSha256 }) => {
    const ofUrl = ids.get(document) ?? new Map<string, number>();
    const id = ofUrl.get(documentSha256) ?? documents.length;
    if (id === documents.length) {
      documents.push([document, documentSha256]);
      ids.set(document, ofUrl.set(documentSha256, id));
    }
    return id;
  };
  for (const observation of accepted) idOf(observation);
  await append(connection, "documents", documents, [
    { plain: (_, at) => at },
    { text: ([url]) => url },
    { text: ([, sha256]) => sha256 },
  ]);
  return idOf;
}

/** Makes `incoming` anew with these rows. */
export async function appendIncoming(
  connection: DuckDBConnection,
  rows: readonly Observation[],
  idOf: Documents,
): Promise<void> {
  await connection.run(incomingSql);
  await append(connection, "incoming", rows, [
    { plain: (row) => DAILY_SOURCES.indexOf(row.source) },
    { plain: (row) => row.date },
    { plain: (row) => currencyIndex(row.base) },
    { plain: (row) => currencyIndex(row.quote) },
    { text: (row) => row.printed },
    { plain: (row) => row.decimals },
    { plain: (row) => row.observedAt },
    { plain: (row) => row.publishedAt ?? Number.NaN },
    { plain: (row) => row.retrievedAt },
    { plain: (row) => row.revision },
    { plain: idOf },
  ]);
}

/** Numbers are written into the vector's array without its checks. Nothing is ever null. */
type Column<T> =
  | { readonly plain: (row: T, at: number) => number }
  | { readonly text: (row: T, at: number) => string };

/** Appends through one chunk, which is filled again and again: the memory of each would stay until it is collected. */
async function append<T>(
  connection: DuckDBConnection,
  table: string,
  rows: readonly T[],
  columns: readonly Column<T>[],
): Promise<void> {
  if (rows.length === 0) return;
  // Loaded here and not above: reading a lake from its cache must not load DuckDB.
  const { DuckDBDataChunk } = await import("@duckdb/node-api");
  const appender = await connection.createAppender(table);
  const chunk = DuckDBDataChunk.create(columns.map((_, index) => appender.columnType(index)));
  for (let from = 0; from < rows.length; from += CHUNK_ROWS) {
    const count = Math.min(CHUNK_ROWS, rows.length - from);
    chunk.reset();
    chunk.rowCount = count;
    for (const [index, column] of columns.entries()) {
      const vector = chunk.getColumnVector(index);
      if ("plain" in column) {
        const items = itemsOf<Record<number, number>>(vector);
        for (let at = 0; at < count; at++) items[at] = column.plain(rows[from + at] as T, from + at);
      } else {
        const { itemCache, itemCacheDirty } = vector as unknown as {
          itemCache: string[];
          itemCacheDirty: boolean[];
        };
        for (let at = 0; at < count; at++) {
          itemCache[at] = column.text(rows[from + at] as T, from + at);
          itemCacheDirty[at] = true;
        }
      }
      vector.flush();
    }
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
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

/** Creates and fills `statements`, the complete list; `printed` is empty where there is none. */
export async function appendStatements(
  connection: DuckDBConnection,
  statements: readonly Statement[],
): Promise<void> {
  await connection.run(statementsSql);
  await append(connection, "statements", statements, [
    { text: ({ source }) => source },
    { text: ({ route }) => route },
    { text: ({ base }) => base },
    { text: ({ quote }) => quote },
    { plain: ({ first }) => first },
    { plain: ({ last }) => last },
    { text: ({ says }) => says },
    { text: ({ printed }) => printed ?? "" },
  ]);
}
