/** The table of live quotes (docs/lake.md), and its files by date. */

import { type Day, dayAt, type Instant, parseDay } from "#domain/time/day.ts";
import type { ArchiveState } from "#ports.ts";
import { asFailure } from "#store/delta/damage.ts";
import { column, type TableDefinition } from "#store/delta/schema.ts";
import { type Add, type Snapshot, statsOf } from "#store/delta/snapshot.ts";

export const INTRADAY: TableDefinition = {
  name: "intraday",
  description: "Every accepted live quote as delivered, by UTC day of observation",
  columns: [
    column("observed_at", "timestamp", "the feed's own time of the price", "ranged"),
    column("retrieved_at", "timestamp", "when the response arrived here", "ranged"),
    column("feed", "string", "coinbase, oxr, massive, twelvedata or oanda; imported for quotes of a file"),
    column("base", "string", "1 unit of this currency", "ranged"),
    column("quote", "string", "is mid units of this one", "ranged"),
    column("bid", "double", "null where the feed has one price only", "nullable"),
    column("ask", "double", "null where the feed has one price only", "nullable"),
    column("mid", "double", "the double nearest to the decimal delivered"),
    column("decimals", "short", "digits after the point in mid as delivered", "nullable"),
    column("bid_decimals", "short", "the same for bid", "nullable"),
    column("ask_decimals", "short", "the same for ask", "nullable"),
  ],
  partitions: [column("date", "date", "UTC day of observed_at")],
  currentFile: "quotes.parquet",
};

export type FilesByDate = ReadonlyMap<Day, Add>;

const byDate = new WeakMap<Snapshot, FilesByDate>();

export function filesByDate(snapshot: Snapshot): FilesByDate {
  const cached = byDate.get(snapshot);
  if (cached !== undefined) return cached;
  const entries = [...snapshot.files.values()]
    .map((add) => [parseDay(add.partitionValues["date"] ?? "") as Day, add] as const)
    .sort(([a], [b]) => a - b);
  const files = new Map(entries);
  byDate.set(snapshot, files);
  return files;
}

/** Returns the dates with a file, from `from` to `to` inclusive, ascending. */
export function datesIn(snapshot: Snapshot, from = -Infinity, to = Infinity): readonly Day[] {
  return [...filesByDate(snapshot).keys()].filter((date) => date >= from && date <= to);
}

export function newestRetrieval(add: Add): Instant {
  return Date.parse(String(statsOf(add).maxValues?.["retrieved_at"] ?? ""));
}

/** Covers whole dates: the first and last may have quotes outside the window. */
export function windowState(snapshot: Snapshot, from: Instant, to: Instant): ArchiveState {
  const files = filesByDate(snapshot);
  const dates = datesIn(snapshot, dayAt(from), dayAt(to - 1));
  const digest = new Bun.CryptoHasher("sha256");
  let quotes = 0;
  for (const date of dates) {
    const add = files.get(date);
    if (add === undefined) continue;
    digest.update(`${add.path} ${add.tags.sha256}\n`);
    quotes += statsOf(add).numRecords;
  }
  const [first, last] = [dates[0], dates.at(-1)];
  return {
    version: digest.digest("hex").slice(0, 16),
    quotes,
    dates: first === undefined || last === undefined ? null : { first, last },
  };
}

/** Fails with `data_unavailable` when `work` finds a damaged file: a query is never answered without it. */
export function whereIntact<T>(work: () => Promise<T>): Promise<T> {
  return asFailure(DAMAGED, work);
}

const DAMAGED = "quotes of this window are damaged on this server's disk, and its operator has been notified";
