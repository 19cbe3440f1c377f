/** A change on its way into DuckDB: rows appended in chunks, instants as milliseconds, codes as positions. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { currencyIndex } from "#domain/currency/currency.ts";
import { DAILY_SOURCES } from "#domain/currency/source.ts";
import type { Observation } from "#domain/history/observation.ts";
import { formatDay, formatInstant } from "#domain/time/day.ts";
import type { LakeChange } from "#ports.ts";
import { appendRows } from "#store/parquet/append.ts";
import documentsSql from "./sql/tables/documents-table.sql" with { type: "text" };
import incomingSql from "./sql/tables/incoming-table.sql" with { type: "text" };
import withdrawalsSql from "./sql/tables/withdrawals-table.sql" with { type: "text" };

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
  await appendRows(connection, "documents", documents, [
    { plain: (_, at) => at },
    { text: ([url]) => url },
    { text: ([, sha256]) => sha256 },
  ]);
  return idOf;
}

/** Replaces `incoming` by these rows. */
export async function appendIncoming(
  connection: DuckDBConnection,
  rows: readonly Observation[],
  idOf: Documents,
): Promise<void> {
  await connection.run(incomingSql);
  await appendRows(connection, "incoming", rows, [
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
