/** The archive as a process uses it: as its one writer or as a reader, what it needs done from time to time, and its exports. */

import { type CurrencyCode, currencyCode } from "#domain/currency/currency.ts";
import type { QuotesPlan } from "#domain/history/export-plan.ts";
import { dayAt, type Instant } from "#domain/time/day.ts";
import { fill } from "#store/parquet/engine.ts";
import { type Archive, type ArchiveOptions, openQuoteArchive } from "./archive.ts";
import { JournalOwned } from "./journal/owner.ts";
import noTicksSql from "./sql/read/select-no-ticks.sql" with { type: "text" };
import ticksSql from "./sql/read/select-ticks.sql" with { type: "text" };
import ticksDescendingSql from "./sql/read/select-ticks-descending.sql" with { type: "text" };

/** How long a start waits for a process that is just ending. */
const WAIT_SECONDS = 3;
/** Closed dates that are checked each night: earlier ones have their index already. */
const INDEXED_DAYS = 35;

/**
 * Opens the archive for writing where this process takes in quotes and no other does; else for reading, until it owns the
 * journal. Rejects as openQuoteArchive does.
 */
export async function openArchive(
  options: Omit<ArchiveOptions, "access">,
  writes: boolean,
): Promise<Archive> {
  if (writes) {
    try {
      return await openQuoteArchive({ waitSeconds: WAIT_SECONDS, ...options, access: "write" });
    } catch (fault) {
      if (!(fault instanceof JournalOwned)) throw fault;
      options.emit?.({ kind: "archive_read_only", detail: fault.message });
    }
  }
  return await openQuoteArchive({ ...options, access: "read" });
}

/** One piece of upkeep; `keptDays` null retains everything. What needs the journal is left to the process that owns it. */
export async function maintainArchive(
  archive: Archive,
  task: "flush" | "compact",
  now: Instant,
  keptDays: number | null,
): Promise<void> {
  if (task === "flush") {
    if (archive.isOwned()) await archive.flush();
    return;
  }
  const to = dayAt(now) - 1;
  await archive.index({ from: to - INDEXED_DAYS, to, now });
  if (keptDays !== null && archive.isOwned()) await archive.retain(keptDays, now);
  await archive.upkeep();
}

/** The SELECT of an export plan over the archive's files. Rejects as `filesBetween` does. */
export async function selectOf(archive: Archive, plan: QuotesPlan): Promise<string> {
  const pairs =
    plan.pairs?.map(([base, quote]) => [currencyCode(base), currencyCode(quote)] as const) ?? null;
  const files = await archive.filesBetween(plan.from, plan.to);
  return ticksSelect({ ...plan, files, pairs });
}

interface TicksQuery {
  /** Data files of the window, by ascending date. */
  readonly files: readonly string[];
  /** Pairs as they were quoted; null for all. */
  readonly pairs: readonly (readonly [base: CurrencyCode, quote: CurrencyCode])[] | null;
  /** Quotes observed from `from` up to, not including, `to`. */
  readonly from: Instant;
  readonly to: Instant;
  readonly order: "asc" | "desc";
}

/**
 * Quotes as stored: observed_at, retrieved_at, feed, base, quote, bid, ask, mid, decimals. Ascending is the order of the
 * files, which streams: by UTC date, then base, quote, observed_at, retrieved_at, feed; it needs a connection with
 * preserve_insertion_order on. Descending is the exact opposite and sorts. Quotes not flushed yet are not in it.
 * Throws RangeError when the window does not end after it begins.
 */
export function ticksSelect({ files, pairs, from, to, order }: TicksQuery): string {
  if (!(from < to)) throw new RangeError("the window of a query must end after it begins");
  if (files.length === 0) return noTicksSql;
  const condition =
    pairs === null
      ? "true"
      : `(${pairs.map(([base, quote]) => `(base = '${base}' AND quote = '${quote}')`).join(" OR ") || "false"})`;
  const template = order === "asc" ? ticksSql : ticksDescendingSql;
  return fill(template.replaceAll("{condition}", condition), { files, from, to });
}
