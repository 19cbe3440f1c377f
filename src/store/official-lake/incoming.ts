/** Versions on their way into DuckDB, a batch at a time. */

import { type DuckDBConnection, DuckDBDataChunk, type DuckDBValue } from "@duckdb/node-api";
import type { OfficialRow, PublicationVersion } from "#domain/official/publication.ts";

const CHUNK_ROWS = 2048;

/** In the order of incoming-rows.sql. */
const COLUMNS: readonly ((row: OfficialRow, version: PublicationVersion) => DuckDBValue)[] = [
  (_, { publication }) => publication,
  (_, { version }) => version,
  (_, { validFrom }) => validFrom,
  (_, { validTo }) => validTo,
  (_, { publishedAt }) => publishedAt,
  (_, { retrievedAt }) => retrievedAt,
  ({ base }) => base,
  ({ quote }) => quote,
  ({ rate }) => Number(rate),
  ({ rate }) => rate,
  ({ unit }) => unit,
  ({ kind }) => kind,
  (_, { sourceUrl }) => sourceUrl,
  (_, { documentSha256 }) => documentSha256,
];

/** Appends the rows of versions to `incoming`; resolves with how many those are. */
export async function appendVersions(
  connection: DuckDBConnection,
  versions: readonly PublicationVersion[],
): Promise<number> {
  const rows = versions.flatMap((version) => version.rows.map((row) => [row, version] as const));
  const appender = await connection.createAppender("incoming");
  const types = COLUMNS.map((_, index) => appender.columnType(index));
  for (let from = 0; from < rows.length; from += CHUNK_ROWS) {
    const part = rows.slice(from, from + CHUNK_ROWS);
    const chunk = DuckDBDataChunk.create(types, part.length);
    for (const [index, column] of COLUMNS.entries())
      chunk.setColumnValues(
        index,
        part.map(([row, version]) => column(row, version)),
      );
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
  return rows.length;
}

/** Fills `gone`. */
export async function appendGone(
  connection: DuckDBConnection,
  gone: readonly Pick<PublicationVersion, "publication" | "version">[],
): Promise<void> {
  const appender = await connection.createAppender("gone");
  for (const { publication, version } of gone) {
    appender.appendVarchar(publication);
    appender.appendInteger(version);
    appender.endRow();
  }
  appender.closeSync();
}
