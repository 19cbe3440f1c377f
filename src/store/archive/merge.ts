/** Quotes into the files of their dates: each date's file is rewritten whole beside the old one and renamed over it. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBDataChunk, type DuckDBValue } from "@duckdb/node-api";
import { type Day, dayAt, MILLISECONDS_PER_DAY } from "#domain/day.ts";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { type Replacement, replaceFiles } from "#store/lake/durable.ts";
import { fill } from "#store/lake/engine.ts";
import { graft } from "#store/lake/graft.ts";
import type { Mode } from "#store/lake/manifest.ts";
import { dateFile } from "./layout.ts";
import { INTRADAY_FORMAT } from "./manifest.ts";
import { decimalsOf } from "./quote-line.ts";
import countSql from "./sql/fresh-count.sql" with { type: "text" };
import freshSql from "./sql/fresh-quotes.sql" with { type: "text" };
import incomingSql from "./sql/incoming-quotes.sql" with { type: "text" };
import withoutKnownSql from "./sql/without-known.sql" with { type: "text" };
import writeFirstSql from "./sql/write-first.sql" with { type: "text" };
import writeMergedSql from "./sql/write-merged.sql" with { type: "text" };

/** Written into every file, so that a lost manifest can be made again from the files alone. */
export interface QuoteMarks {
  readonly mode: Mode;
  readonly sequence: number;
  /** The newest journal segment whose quotes of the date are in the file. */
  readonly journal: number;
}

/**
 * Rows of a row group. A multiple of DuckDB's 2,048: about three currencies of a full day, so that reading one of
 * them decodes little else. Smaller groups make the footers, which every reader must parse, the greater cost.
 */
export const ROW_GROUP_ROWS = 4096;

const CHUNK_ROWS = 2048;

/**
 * Adds the quotes to the files of their dates and resolves with what was new, by date, once that is durable. A quote
 * whose key is in its file already changes nothing.
 */
export async function mergeQuotes(
  connection: DuckDBConnection,
  directory: string,
  quotes: readonly LiveQuote[],
  marks: QuoteMarks,
): Promise<ReadonlyMap<Day, number>> {
  await connection.run(incomingSql);
  await appendQuotes(connection, quotes);
  const added = new Map<Day, number>();
  for (const date of datesOf(quotes)) {
    const from = date * MILLISECONDS_PER_DAY;
    await connection.run(fill(freshSql, { from, to: from + MILLISECONDS_PER_DAY }));
    const path = join(directory, dateFile(date));
    const isThere = existsSync(path);
    if (isThere) await connection.run(fill(withoutKnownSql, { files: [path] }));
    const rows = Number((await connection.runAndReadAll(countSql)).getRowsJS()[0]?.[0]);
    if (rows === 0) continue;
    const replacement = rewriting(connection, directory, date, marks, isThere);
    await replaceFiles([replacement]);
    added.set(date, rows);
  }
  return added;
}

/** The replacement of a date's file by one with its own rows and those of `fresh`, in order. */
export function rewriting(
  connection: DuckDBConnection,
  directory: string,
  date: Day,
  marks: QuoteMarks,
  isThere: boolean,
): Replacement {
  const path = join(directory, dateFile(date));
  const { mode, sequence, journal } = marks;
  const literals = {
    row_group: ROW_GROUP_ROWS,
    format: String(INTRADAY_FORMAT),
    mode,
    sequence: String(sequence),
    journal: String(journal),
  };
  return {
    path,
    write: async (target) => {
      const sql = isThere
        ? fill(writeMergedSql, { ...literals, target, files: [path] })
        : fill(writeFirstSql, { ...literals, target });
      await connection.run(sql);
      if (isThere) await graft(path, target);
    },
  };
}

/** UTC days of observation, ascending. */
export function datesOf(quotes: readonly LiveQuote[]): readonly Day[] {
  return [...new Set(quotes.map(({ observedAt }) => dayAt(observedAt)))].sort((a, b) => a - b);
}

/** In the order of incoming-quotes.sql. */
const COLUMNS: readonly ((quote: LiveQuote) => DuckDBValue)[] = [
  ({ observedAt }) => observedAt,
  ({ retrievedAt }) => retrievedAt,
  ({ feed }) => feed,
  ({ base }) => base,
  ({ quote }) => quote,
  ({ bid }) => (bid === null ? null : Number(bid)),
  ({ ask }) => (ask === null ? null : Number(ask)),
  ({ mid }) => Number(mid),
  ({ mid }) => decimalsOf(mid),
  ({ bid }) => (bid === null ? null : decimalsOf(bid)),
  ({ ask }) => (ask === null ? null : decimalsOf(ask)),
];

async function appendQuotes(connection: DuckDBConnection, quotes: readonly LiveQuote[]): Promise<void> {
  const appender = await connection.createAppender("incoming");
  const types = COLUMNS.map((_, index) => appender.columnType(index));
  for (let from = 0; from < quotes.length; from += CHUNK_ROWS) {
    const part = quotes.slice(from, from + CHUNK_ROWS);
    const chunk = DuckDBDataChunk.create(types, part.length);
    for (const [index, column] of COLUMNS.entries()) chunk.setColumnValues(index, part.map(column));
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
}
