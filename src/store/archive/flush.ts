/** A flush: quotes out of the journal's ended segments into the table, in one commit; only then do the segments go. */

import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { type Day, dayAt, formatDay, type Instant } from "#domain/time/day.ts";
import { onNewest } from "#store/delta/contention.ts";
import { refreshCurrent } from "#store/delta/current.ts";
import type { Snapshot } from "#store/delta/snapshot.ts";
import type { LakeStorage } from "#store/delta/storage.ts";
import type { Table } from "#store/delta/table.ts";
import { checkpointIfDue } from "#store/delta/upkeep.ts";
import { syncPath } from "#store/disk/durable.ts";
import type { WriterLock } from "#store/disk/writer-lock.ts";
import type { Engine } from "#store/parquet/engine.ts";
import type { Emit } from "#telemetry.ts";
import { JOURNAL_FOLDER, removeSegment, segmentsOnDisk } from "./journal/files.ts";
import type { Journal } from "./journal/journal.ts";
import type { Pending } from "./journal/pending.ts";
import { mergeQuotes } from "./merge.ts";

export interface FlushParts {
  /** The lake's directory. */
  readonly directory: string;
  readonly table: Table;
  /** Null where the directory is the table itself. */
  readonly storage: LakeStorage | null;
  readonly snapshot: () => Snapshot;
  readonly lock: WriterLock;
  readonly engine: Engine;
  readonly journal: Journal;
  readonly pending: Pending;
  readonly now: () => Instant;
  readonly keptMilliseconds: number;
  readonly emit: Emit | undefined;
  /** Signs the commits of the table. */
  readonly follow: () => Promise<void>;
}

export interface FlushReport {
  /** Quotes that were new to the Parquet files. */
  readonly quotes: number;
  readonly milliseconds: number;
}

/** The returned function resolves with null when nothing is pending. */
export function newFlush(parts: FlushParts): () => Promise<FlushReport | null> {
  const { directory, table, storage, snapshot, lock, engine, journal, pending, now } = parts;
  const { keptMilliseconds, emit, follow } = parts;
  let reported: ReadonlySet<string> = new Set();
  /** Once a file: flushes come every few minutes, and the damage may stay for days. */
  const reportRefused = (refused: ReadonlyMap<Day, string>) => {
    for (const [date, sentence] of refused) {
      if (reported.has(sentence)) continue;
      const detail = `${sentence}; quotes of ${formatDay(date)} stay in the journal until it is restored or repaired`;
      emit?.({ kind: "lake_damaged", detail });
    }
    reported = new Set(refused.values());
  };
  return async () => {
    if (pending.snapshot().length === 0) return null;
    return await lock.exclusive(async () => {
      const started = performance.now();
      const beyond = await journal.seal();
      const sealed = pending.snapshot().filter(({ number }) => number < beyond);
      const merge = async (connection: DuckDBConnection) => {
        const before = snapshot();
        const all = sealed.flatMap((segment) => segment.quotes);
        const merged = await mergeQuotes(connection, table, before, all, now());
        if (merged.actions.length > 0) {
          const after = await table.commit(before, merged.actions, "WRITE", now());
          refreshCurrent(directory, table, after);
          await follow();
          await checkpointIfDue(table, connection, { now: now(), keptMilliseconds });
        }
        return merged;
      };
      const { quotes, refused } = await onNewest(storage, () => engine.use(merge));
      reportRefused(refused);
      // Only now: until the commit is durable, only the journal has these quotes.
      const done = sealed.filter(
        (segment) => !segment.quotes.some(({ observedAt }) => refused.has(dayAt(observedAt))),
      );
      const retained = new Set(
        sealed.filter((segment) => !done.includes(segment)).map(({ number }) => number),
      );
      for (const number of segmentsOnDisk(directory).filter(
        (number) => number < beyond && !retained.has(number),
      ))
        removeSegment(directory, number);
      syncPath(join(directory, JOURNAL_FOLDER));
      pending.drop(done.map(({ number }) => number));
      return { quotes, milliseconds: performance.now() - started };
    });
  };
}
