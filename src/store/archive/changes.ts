/** The writers of the archive's table: the journal while this process owns it, its flush, removal of old dates, and clean-up. */

import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { type Day, dayAt, formatDay, type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { refreshCurrent } from "#store/delta/current.ts";
import { type DamagedFile, sentenceOf } from "#store/delta/damage.ts";
import { type Action, removalOf, type Snapshot } from "#store/delta/snapshot.ts";
import type { LakeStorage } from "#store/delta/storage.ts";
import { onNewest, type Table } from "#store/delta/table.ts";
import { checkpointIfDue, maintain, replacePartitions, type Swept } from "#store/delta/upkeep.ts";
import { syncPath } from "#store/disk/durable.ts";
import { type Claim, claim, LakeBusy, type WriterLock } from "#store/disk/writer-lock.ts";
import type { ColumnReader } from "#store/parquet/duckdb-process.ts";
import { type Engine, fill } from "#store/parquet/engine.ts";
import type { Emit } from "#telemetry.ts";
import {
  JOURNAL_FOLDER,
  type Journal,
  openJournal,
  type Pending,
  recoverSegments,
  removeSegment,
  segmentsOnDisk,
} from "./journal/journal.ts";
import freshSql from "./sql/merge/fresh-quotes.sql" with { type: "text" };
import incomingSql from "./sql/merge/incoming-quotes.sql" with { type: "text" };
import writeDateSql from "./sql/merge/write-date.sql" with { type: "text" };
import { datesIn, filesByDate } from "./table.ts";

export class JournalOwned extends Error {
  constructor(path: string) {
    super(
      `another process writes the intraday archive and holds ${path}: stop it first, or open the archive for reading`,
    );
    this.name = "JournalOwned";
  }
}

/** Resolves when this process has the claim. Throws JournalOwned when another process keeps it longer than the wait. */
export async function ownJournal(path: string, waitSeconds?: number): Promise<Claim> {
  return await claim(path, waitSeconds).catch((fault: unknown) => {
    throw fault instanceof LakeBusy ? new JournalOwned(path) : fault;
  });
}

export interface FlushParts {
  readonly directory: string;
  readonly table: Table;
  /** Null when the directory is the table itself. */
  readonly storage: LakeStorage | null;
  readonly snapshot: () => Snapshot;
  readonly lock: WriterLock;
  readonly engine: Engine;
  readonly reader: ColumnReader;
  readonly pending: Pending;
  readonly now: () => Instant;
  readonly keptMilliseconds: number;
  readonly emit: Emit | undefined;
  readonly follow: () => Promise<void>;
}

export function newOwnedJournal(parts: FlushParts) {
  const { directory, table, storage, snapshot, lock, engine, pending, now, emit } = parts;
  let owned: { readonly claim: Claim; readonly journal: Journal } | null = null;
  let flushing: Promise<unknown> = Promise.resolve();
  let reported: ReadonlySet<string> = new Set();

  /** Reports a damaged file once: flushes come every few minutes, and the damage may stay for days. */
  const reportRefused = (refused: ReadonlyMap<Day, string>) => {
    for (const [date, sentence] of refused) {
      if (reported.has(sentence)) continue;
      const detail = `${sentence}; quotes of ${formatDay(date)} stay in the journal until it is restored or repaired`;
      emit?.({ kind: "lake_damaged", detail });
    }
    reported = new Set(refused.values());
  };
  const flushJournal = async (journal: Journal): Promise<number> => {
    const beyond = await journal.seal();
    const sealed = pending.snapshot().filter(({ segment }) => segment < beyond);
    const merge = async (connection: DuckDBConnection) => {
      const before = snapshot();
      const all = sealed.map(({ quote }) => quote);
      const merged = await mergeQuotes(connection, table, before, all, now());
      if (merged.actions.length > 0) await commitDates(parts, before, merged.actions, "WRITE", connection);
      return merged;
    };
    const { quotes, refused } = await onNewest(storage, () => engine.use(merge));
    reportRefused(refused);
    // Only after the commit: until it is durable, only the journal has these quotes.
    const retained = new Set(
      sealed.filter(({ quote }) => refused.has(dayAt(quote.observedAt))).map(({ segment }) => segment),
    );
    const isDone = (segment: number) => segment < beyond && !retained.has(segment);
    for (const number of segmentsOnDisk(directory).filter(isDone)) removeSegment(directory, number);
    syncPath(join(directory, JOURNAL_FOLDER));
    pending.drop(isDone);
    return quotes;
  };
  const flush = async (): Promise<number> => {
    if (owned === null || pending.snapshot().length === 0) return 0;
    const { journal } = owned;
    const run = lock.exclusive(() => flushJournal(journal));
    flushing = Promise.allSettled([flushing, run]);
    return await run;
  };
  /** A failure loses nothing: the journal has the quotes, and the next start or flush tries again. */
  const flushIfPossible = (): Promise<number> =>
    flush().catch((fault) => {
      const detail = fault instanceof Error ? fault.message : String(fault);
      emit?.({ kind: "archive_flush_failed", detail });
      return 0;
    });

  return {
    isOwned: () => owned !== null,
    journal: (): Journal => {
      if (owned === null) throw new Error("this process does not own the journal of the archive");
      return owned.journal;
    },
    /** Takes the quotes of an earlier owner over; resolves with the number of them that the table gained. */
    begin: async (claim: Claim): Promise<number> => {
      try {
        for (const { number, quotes } of recoverSegments(directory, emit)) pending.add(number, quotes);
      } catch (fault) {
        pending.clear();
        await claim.release();
        throw fault;
      }
      const journal = openJournal(directory, (segmentsOnDisk(directory).at(-1) ?? 0) + 1, pending);
      owned = { claim, journal };
      return await flushIfPossible();
    },
    /** Resolves with the number of quotes that the table gained; 0 unless this process owns the journal. */
    flush,
    flushIfPossible,
    /** Ends without a flush: the journal's quotes stay there for the next owner. */
    end: async (): Promise<void> => {
      const ending = owned;
      if (ending === null) return;
      owned = null;
      // No other process may read the segments while a flush removes some.
      await flushing;
      await ending.journal.seal();
      pending.clear();
      await ending.claim.release();
    },
  };
}

/**
 * Rows of a row group: a multiple of DuckDB's 2,048, about three currencies of a full day. Reading one currency then
 * decodes little else; smaller groups make the footers costly, which every reader must parse.
 */
export const ROW_GROUP_ROWS = 4096;

export const STORED = "FROM read_parquet({files}, hive_partitioning = false)";

export const storedRows = (files: readonly string[]) => fill(STORED, { files });

export function writeDate(connection: DuckDBConnection, rows: string, target: string): Promise<unknown> {
  const sql = writeDateSql.replaceAll("{rows}", () => `(${rows})`);
  return connection.run(fill(sql, { target, row_group: ROW_GROUP_ROWS }));
}

/** Commits the next version, then updates the fixed names and the signed history. With a connection, a due checkpoint is written. */
export async function commitDates(
  { directory, table, now, keptMilliseconds, follow }: Omit<FlushParts, "pending">,
  before: Snapshot,
  actions: readonly Action[],
  operation: "WRITE" | "DELETE",
  connection: DuckDBConnection | null = null,
): Promise<void> {
  refreshCurrent(directory, table, await table.commit(before, actions, operation, now()));
  await follow();
  if (connection !== null) await checkpointIfDue(table, connection, { now: now(), keptMilliseconds });
}

/** Writes the files of the quotes' dates; a quote that is already in its file changes nothing. */
export async function mergeQuotes(
  connection: DuckDBConnection,
  table: Table,
  snapshot: Snapshot,
  quotes: readonly LiveQuote[],
  now: number,
) {
  const lines = quotes.map((quote) => JSON.stringify(quote)).join("\n");
  await connection.run(fill(incomingSql, { lines }));
  const files = filesByDate(snapshot);
  const actions: Action[] = [];
  /** Dates with a damaged file. Nothing is written over it; their quotes stay in the journal. */
  const refused = new Map<Day, string>();
  let added = 0;
  const dates = [...new Set(quotes.map(({ observedAt }) => dayAt(observedAt)))].sort((a, b) => a - b);
  for (const date of dates) {
    const old = files.get(date);
    const damage: DamagedFile | null = old === undefined ? null : await table.verifier.check(old);
    if (damage !== null) {
      refused.set(date, sentenceOf(damage));
      continue;
    }
    const from = date * MILLISECONDS_PER_DAY;
    const stored = old === undefined ? "FROM incoming WHERE false" : storedRows([table.pathOf(old)]);
    const fresh = freshSql.replace("{known}", () => stored);
    await connection.run(fill(fresh, { from, to: from + MILLISECONDS_PER_DAY }));
    const rows = Number((await connection.runAndReadAll("SELECT count(*) FROM fresh")).getRowsJS()[0]?.[0]);
    if (rows === 0) continue;
    added += rows;
    const write = (target: string) => writeDate(connection, `FROM fresh UNION ALL BY NAME ${stored}`, target);
    const file = { partition: { date: formatDay(date) }, write };
    actions.push(...(await replacePartitions(table, snapshot, connection, [file], now)));
  }
  return { actions, quotes: added, refused };
}

export async function retainDays(parts: FlushParts, days: number, at: Instant): Promise<readonly Day[]> {
  const { storage, snapshot, lock, pending, now } = parts;
  const spared = new Set(pending.snapshot().map(({ quote }) => dayAt(quote.observedAt)));
  const removeDates = async (): Promise<readonly Day[]> => {
    const before = snapshot();
    const files = filesByDate(before);
    const removed = datesIn(before, -Infinity, dayAt(at) - days).filter((date) => !spared.has(date));
    if (removed.length === 0) return [];
    const adds = removed.flatMap((date) => files.get(date) ?? []);
    const actions = adds.map((add) => removalOf(add, now()));
    await commitDates(parts, before, actions, "DELETE");
    return removed;
  };
  return await lock.exclusive(() => onNewest(storage, removeDates));
}

export async function cleanUpArchive(parts: FlushParts): Promise<Swept> {
  const { table, storage, snapshot, lock, engine, now, keptMilliseconds } = parts;
  const cleanUp = () => maintain(table, snapshot(), { now: now(), keptMilliseconds }, engine.use);
  return await lock.exclusive(() => onNewest(storage, cleanUp));
}
