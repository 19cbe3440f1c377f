/** Quotes into the files of their dates: each date gets a new file with the old rows and the new ones, in order. */

import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { type Day, dayAt, formatDay, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import type { Action } from "#store/delta/actions.ts";
import { type DamagedFile, sentenceOf } from "#store/delta/damage.ts";
import type { Snapshot } from "#store/delta/snapshot.ts";
import type { Table } from "#store/delta/table.ts";
import { type NewFile, replacePartitions } from "#store/delta/write.ts";
import { appendValues } from "#store/parquet/append.ts";
import { fill } from "#store/parquet/engine.ts";
import { decimalsOf } from "./journal/quote-line.ts";
import countSql from "./sql/merge/fresh-count.sql" with { type: "text" };
import freshSql from "./sql/merge/fresh-quotes.sql" with { type: "text" };
import incomingSql from "./sql/merge/incoming-quotes.sql" with { type: "text" };
import withoutKnownSql from "./sql/merge/without-known.sql" with { type: "text" };
import writeFirstSql from "./sql/merge/write-first.sql" with { type: "text" };
import writeMergedSql from "./sql/merge/write-merged.sql" with { type: "text" };
import { filesByDate } from "./table.ts";

interface Merged {
  readonly actions: readonly Action[];
  /** Quotes that were new to the files. */
  readonly quotes: number;
  /** Dates whose file is damaged: nothing is written in its place, so their quotes must stay in the journal. */
  readonly refused: ReadonlyMap<Day, string>;
}

/**
 * Rows of a row group. A multiple of DuckDB's 2,048: about three currencies of a full day, so that reading one of
 * them decodes little else. Smaller groups make the footers, which every reader must parse, the greater cost.
 */
export const ROW_GROUP_ROWS = 4096;

/** Writes the files of the quotes' dates; a quote whose key is in its date's file already changes nothing. */
export async function mergeQuotes(
  connection: DuckDBConnection,
  table: Table,
  snapshot: Snapshot,
  quotes: readonly LiveQuote[],
  now: number,
): Promise<Merged> {
  await connection.run(incomingSql);
  await appendValues(connection, "incoming", quotes, COLUMNS);
  const files = filesByDate(snapshot);
  const actions: Action[] = [];
  const refused = new Map<Day, string>();
  let added = 0;
  for (const date of datesOf(quotes)) {
    const old = files.get(date);
    const damage: DamagedFile | null = old === undefined ? null : await table.verifier.check(old);
    if (damage !== null) {
      refused.set(date, sentenceOf(damage));
      continue;
    }
    const from = date * MILLISECONDS_PER_DAY;
    await connection.run(fill(freshSql, { from, to: from + MILLISECONDS_PER_DAY }));
    const known = old === undefined ? [] : [table.pathOf(old)];
    if (old !== undefined) await connection.run(fill(withoutKnownSql, { files: known }));
    const rows = Number((await connection.runAndReadAll(countSql)).getRowsJS()[0]?.[0]);
    if (rows === 0) continue;
    added += rows;
    const sql = old === undefined ? writeFirstSql : writeMergedSql;
    const file: NewFile = {
      partition: { date: formatDay(date) },
      write: (target) => connection.run(fill(sql, { target, files: known, row_group: ROW_GROUP_ROWS })),
    };
    actions.push(...(await replacePartitions(table, snapshot, connection, [file], now)));
  }
  return { actions, quotes: added, refused };
}

/** UTC days of observation, ascending. */
function datesOf(quotes: readonly LiveQuote[]): readonly Day[] {
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
