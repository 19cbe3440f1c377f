/** The archive read back: as quotes, the files' merged with those still in the journal, each once; and as a SELECT for exports. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { type CurrencyCode, currencyCode } from "#domain/currency/currency.ts";
import type { QuotesPlan } from "#domain/history/export-plan.ts";
import { currencyOf } from "#domain/live/feed-outcome.ts";
import { FEEDS, type FeedId, type LiveQuote } from "#domain/live/live-quote.ts";
import { dayAt, type Instant } from "#domain/time/day.ts";
import type { Snapshot } from "#store/delta/snapshot.ts";
import type { Table } from "#store/delta/table.ts";
import { type Engine, fill, itemsOf } from "#store/parquet/engine.ts";
import { streamRows } from "#store/parquet/stream.ts";
import type { Pending } from "./journal/journal.ts";
import newestSql from "./sql/read/read-newest.sql" with { type: "text" };
import quotesSql from "./sql/read/read-quotes.sql" with { type: "text" };
import noTicksSql from "./sql/read/select-no-ticks.sql" with { type: "text" };
import ticksSql from "./sql/read/select-ticks.sql" with { type: "text" };
import ticksDescendingSql from "./sql/read/select-ticks-descending.sql" with { type: "text" };
import { datesIn, filesByDate } from "./table.ts";

interface QuoteSources {
  readonly table: Table;
  readonly engine: Engine;
  readonly pending: Pending;
  /** The newest version of the table. */
  readonly snapshot: () => Snapshot;
}

/** See `QuoteArchive.quotes`. Throws RangeError for bounds that are not whole milliseconds; an empty window has no quotes. */
export async function readQuotes(
  sources: QuoteSources,
  from: Instant,
  to: Instant,
): Promise<readonly LiveQuote[]> {
  return await readWindow(sources, { which: "all", from, to });
}

/** See `QuoteArchive.newest`; in the order of `readQuotes`, and with the same bounds. */
export async function readNewest(
  sources: QuoteSources,
  from: Instant,
  to: Instant,
): Promise<readonly LiveQuote[]> {
  const newest = new Map<CurrencyCode, LiveQuote>();
  for (const quote of await readWindow(sources, { which: "newest", from, to })) {
    const currency = currencyOf(quote);
    // Deleted first, so that the map has the order of the quotes.
    newest.delete(currency);
    newest.set(currency, quote);
  }
  return [...newest.values()];
}

async function readWindow(sources: QuoteSources, query: StoredQuery): Promise<readonly LiveQuote[]> {
  const { from, to } = query;
  if (!Number.isInteger(from) || !Number.isInteger(to))
    throw new RangeError("a window of quotes begins and ends at whole milliseconds");
  if (from >= to) return [];
  // Before the files are read: quotes that leave the journal meanwhile are then in them.
  const pending = sources.pending
    .snapshot()
    .flatMap(({ quotes }) => quotes.filter(({ observedAt }) => observedAt >= from && observedAt < to));
  const stored = await readStored(sources, query);
  return pending.length === 0 ? stored : merged(stored, pending.sort(compareQuotes));
}

/** All dates of the window as one version of the table has them. */
async function readStored(
  { table, engine, snapshot }: QuoteSources,
  query: StoredQuery,
): Promise<readonly LiveQuote[]> {
  const version = snapshot();
  const files = filesByDate(version);
  const dates = datesIn(version, dayAt(query.from), dayAt(query.to - 1));
  const adds = dates.flatMap((date) => files.get(date) ?? []);
  if (adds.length === 0) return [];
  await table.verifier.require(adds);
  return await engine.use((connection) => loadQuotes(connection, adds.map(table.pathOf), query));
}

/** By observation, then currency, retrieval, feed and pair, as read-quotes.sql does; 0 for the same quote. */
function compareQuotes(a: LiveQuote, b: LiveQuote): number {
  return (
    a.observedAt - b.observedAt ||
    compareTexts(currencyOf(a), currencyOf(b)) ||
    a.retrievedAt - b.retrievedAt ||
    compareTexts(a.feed, b.feed) ||
    compareTexts(a.base, b.base) ||
    compareTexts(a.quote, b.quote)
  );
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Two ordered lists as one; of a quote that comes again the first counts, a stored one above all: so does a flush. */
function merged(stored: readonly LiveQuote[], pending: readonly LiveQuote[]): readonly LiveQuote[] {
  const quotes: LiveQuote[] = [];
  let [at, waiting] = [0, 0];
  while (at < stored.length || waiting < pending.length) {
    const [old, fresh] = [stored[at], pending[waiting]];
    const isOld = fresh === undefined || (old !== undefined && compareQuotes(old, fresh) <= 0);
    const next = (isOld ? old : fresh) as LiveQuote;
    if (isOld) at += 1;
    else waiting += 1;
    const last = quotes.at(-1);
    if (last === undefined || compareQuotes(last, next) !== 0) quotes.push(next);
  }
  return quotes;
}

interface StoredQuery {
  /** All quotes, or only the newest of each currency. */
  readonly which: "all" | "newest";
  readonly from: Instant;
  readonly to: Instant;
}

/** Quotes of the files that were observed in the window, in the order of `compareQuotes`. */
async function loadQuotes(
  connection: DuckDBConnection,
  files: readonly string[],
  { which, from, to }: StoredQuery,
): Promise<readonly LiveQuote[]> {
  const sql = which === "all" ? quotesSql : newestSql;
  const stream = await streamRows(connection, fill(sql, { files, from, to, feeds: FEEDS }));
  const quotes: LiveQuote[] = [];
  for (;;) {
    const rows = await stream.next();
    if (rows === null) return quotes;
    const column = (index: number) => itemsOf<Float64Array | Uint8Array>(rows.chunk.getColumnVector(index));
    const [bases, ofs, observed, retrieved, feeds] = [column(0), column(1), column(2), column(3), column(4)];
    const [bids, asks, mids] = [column(5), column(6), column(7)];
    const [bidDecimals, askDecimals, midDecimals] = [column(8), column(9), column(10)];
    for (let row = 0; row < rows.count; row++) {
      quotes.push({
        feed: FEEDS[(feeds[row] as number) - 1] as FeedId,
        base: currencyCode(bases[row] as number),
        quote: currencyCode(ofs[row] as number),
        bid: bids[row] === 0 ? null : printed(bids[row] as number, bidDecimals[row] as number),
        ask: asks[row] === 0 ? null : printed(asks[row] as number, askDecimals[row] as number),
        mid: printed(mids[row] as number, midDecimals[row] as number),
        observedAt: observed[row] as number,
        retrievedAt: retrieved[row] as number,
      });
    }
  }
}

/**
 * The decimal of so many decimals that a double is the nearest to; it is the one that was accepted, because that has no
 * more than QUOTE_DIGITS digits.
 */
function printed(price: number, decimals: number): string {
  return price.toFixed(decimals);
}

/** Absolute paths of the files of a window, each intact. */
interface ArchiveFiles {
  filesBetween(from: Instant, to: Instant): Promise<readonly string[]>;
}

/** The SELECT of an export plan over the archive's files. Rejects as `filesBetween` does. */
export async function selectOf(archive: ArchiveFiles, plan: QuotesPlan): Promise<string> {
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
