/** Closed dates: files not as this version writes them are rewritten, same rows, in order; each gets its index of ticks. */

import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { CURRENCY_CODES } from "#domain/currency.ts";
import { type Day, dayAt, formatDay, type Instant } from "#domain/day.ts";
import { replaceFile } from "#store/lake/durable.ts";
import { fill } from "#store/lake/engine.ts";
import { canTrim, deadBytes, graft, trim } from "#store/lake/graft.ts";
import { dateFile, datesWithFile, identityOf } from "./layout.ts";
import { INTRADAY_FORMAT, marksOfDates } from "./manifest.ts";
import { type QuoteMarks, ROW_GROUP_ROWS } from "./merge.ts";
import countSql from "./sql/count-quotes.sql" with { type: "text" };
import compactSql from "./sql/write-compacted.sql" with { type: "text" };
import { isIndexed, saveIndex } from "./tick-index.ts";
import { loadTicks } from "./ticks.ts";

export interface Compaction {
  /** Both inclusive; dates that are not over yet are left alone. */
  readonly from: Day;
  readonly to: Day;
  readonly now: Instant;
  /** Hears of dates looked at, out of how many. */
  readonly progress?: (done: number, total: number) => void;
}

export interface CompactedDate {
  readonly date: Day;
  readonly rows: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/**
 * Rewrites what needs it, date by date, each durable before the next: to interrupt it loses nothing. A file keeps the
 * bytes of the version before it for that one's readers, so that room is given back by the runs after. Rejects when a
 * rewritten file has another number of rows than the old one, which then stays. The caller holds the files' lock.
 */
export async function compactDates(
  connection: DuckDBConnection,
  directory: string,
  { from, to, now, progress }: Compaction,
  marks: Pick<QuoteMarks, "mode" | "sequence">,
): Promise<readonly CompactedDate[]> {
  const dates = datesWithFile(directory, from, Math.min(to, dayAt(now) - 1));
  const found = await marksOfDates(connection, directory, dates);
  const compacted: CompactedDate[] = [];
  for (const [index, date] of dates.entries()) {
    const known = found.get(date) ?? {};
    const path = join(directory, dateFile(date));
    if (known["crossrate_format"] !== String(INTRADAY_FORMAT) || deadBytes(path) > 0) {
      const journal = Number(known["crossrate_journal"] ?? 0);
      compacted.push(await rewrite(connection, date, path, { ...marks, journal }));
    }
    await indexTicks(connection, directory, date);
    progress?.(index + 1, dates.length);
  }
  return compacted;
}

/** Makes the private index of the date's ticks, unless it is there. */
async function indexTicks(connection: DuckDBConnection, directory: string, date: Day): Promise<void> {
  const identity = identityOf(directory, date);
  if (identity === null || isIndexed(directory, date, identity)) return;
  const ticks = (await loadTicks(connection, directory, [date], CURRENCY_CODES)).get(date);
  if (ticks !== undefined) saveIndex(directory, date, identity, ticks);
}

async function rewrite(
  connection: DuckDBConnection,
  date: Day,
  path: string,
  marks: QuoteMarks,
): Promise<CompactedDate> {
  const rows = await countRows(connection, path);
  const bytesBefore = Bun.file(path).size;
  let bytesAfter = 0;
  await replaceFile(path, async (target) => {
    if (deadBytes(path) > 0 && canTrim(path)) await trim(path, target);
    else await copySorted(connection, path, target, marks);
    const after = await countRows(connection, target);
    if (after !== rows)
      throw new Error(
        `compacting ${formatDay(date)} would turn ${rows} rows into ${after}: nothing was changed`,
      );
    bytesAfter = Bun.file(target).size;
  });
  return { date, rows, bytesBefore, bytesAfter };
}

async function copySorted(
  connection: DuckDBConnection,
  path: string,
  target: string,
  { mode, sequence, journal }: QuoteMarks,
): Promise<void> {
  const literals = {
    files: [path],
    target,
    row_group: ROW_GROUP_ROWS,
    format: String(INTRADAY_FORMAT),
    mode,
    sequence: String(sequence),
    journal: String(journal),
  };
  await connection.run(fill(compactSql, literals));
  await graft(path, target);
}

async function countRows(connection: DuckDBConnection, path: string): Promise<number> {
  return Number((await connection.runAndReadAll(fill(countSql, { files: [path] }))).getRowsJS()[0]?.[0]);
}
