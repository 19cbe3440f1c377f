/** Reads the archive: merges the quotes in files with those in the journal, each once, and makes the SELECT of exports. */

import { type CurrencyCode, type CurrencyIndex, currencyCode } from "#domain/currency/currency.ts";
import type { QuotesPlan } from "#domain/history/rate-columns.ts";
import { currencyOf, FEEDS, type FeedId, type LiveQuote } from "#domain/live/live-quote.ts";
import { dayAt, type Instant } from "#domain/time/day.ts";
import type { ColumnReader } from "#store/parquet/duckdb-process.ts";
import { fill, type NumberColumns } from "#store/parquet/engine.ts";
import { type FlushParts, STORED } from "./changes.ts";
import newestSql from "./sql/read/read-newest.sql" with { type: "text" };
import quotesSql from "./sql/read/read-quotes.sql" with { type: "text" };
import ticksSql from "./sql/read/select-ticks.sql" with { type: "text" };
import { datesIn, filesByDate } from "./table.ts";

type QuoteSources = Pick<FlushParts, "table" | "reader" | "pending" | "snapshot">;

/** Implements `QuoteArchive.quotes`. Throws RangeError for bounds that are not whole milliseconds; an empty window has no quotes. */
export function readQuotes(sources: QuoteSources, from: Instant, to: Instant) {
  return readWindow(sources, STORED, from, to);
}

/** Implements `QuoteArchive.newest`, in the order and with the bounds of `readQuotes`. */
export async function readNewest(sources: QuoteSources, from: Instant, to: Instant) {
  const newest = new Map<CurrencyCode, LiveQuote>();
  for (const quote of await readWindow(sources, newestSql, from, to)) {
    const currency = currencyOf(quote);
    // Deleted first, to move the currency to the end: the map keeps the order of the quotes.
    newest.delete(currency);
    newest.set(currency, quote);
  }
  return [...newest.values()];
}

async function readWindow(
  { table, reader, snapshot, pending }: QuoteSources,
  rows: string,
  from: Instant,
  to: Instant,
): Promise<readonly LiveQuote[]> {
  if (!Number.isInteger(from) || !Number.isInteger(to))
    throw new RangeError("a window of quotes begins and ends at whole milliseconds");
  if (from >= to) return [];
  // Read before the files: a quote that leaves the journal meanwhile is then in its file.
  const waiting = pending
    .snapshot()
    .map(({ quote }) => quote)
    .filter(({ observedAt }) => observedAt >= from && observedAt < to);
  const version = snapshot();
  const files = filesByDate(version);
  const adds = datesIn(version, dayAt(from), dayAt(to - 1)).flatMap((date) => files.get(date) ?? []);
  await table.verifier.require(adds);
  const select = fill(quotesSql.replace("{rows}", rows), {
    files: adds.map(table.pathOf),
    from,
    to,
    feeds: FEEDS,
  });
  const stored = adds.length === 0 ? [] : await loadQuotes(reader, select);
  if (waiting.length === 0) return stored;
  // The first of equal quotes counts: a stored one comes before a pending one, as in a flush.
  const quotes = [...stored, ...waiting].sort(compareQuotes);
  return quotes.filter((quote, at) => at === 0 || compareQuotes(quotes[at - 1] as LiveQuote, quote) !== 0);
}

/** Compares by observation, currency, retrieval, feed and pair, as read-quotes.sql does; 0 means the same quote. */
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

/** The columns of read-quotes.sql. */
type QuoteColumn =
  | "base"
  | "quote"
  | "observed"
  | "retrieved"
  | "feed"
  | "bid"
  | "ask"
  | "mid"
  | "bid_decimals"
  | "ask_decimals"
  | "decimals";

async function loadQuotes(reader: ColumnReader, select: string): Promise<readonly LiveQuote[]> {
  const columns = (await reader.columns(select)) as NumberColumns<QuoteColumn>;
  return Array.from(columns.mid, (mid, row): LiveQuote => {
    const at = (name: QuoteColumn) => columns[name][row] as number;
    return {
      feed: FEEDS[at("feed") - 1] as FeedId,
      base: currencyCode(at("base")),
      quote: currencyCode(at("quote")),
      bid: at("bid") === 0 ? null : printed(at("bid"), at("bid_decimals")),
      ask: at("ask") === 0 ? null : printed(at("ask"), at("ask_decimals")),
      mid: printed(mid, at("decimals")),
      observedAt: at("observed"),
      retrievedAt: at("retrieved"),
    };
  });
}

/** Prints a double with its number of decimals. That is the accepted text, because a quote has at most QUOTE_DIGITS digits. */
function printed(price: number, decimals: number): string {
  return price.toFixed(decimals);
}

export async function selectOf(
  archive: { filesBetween(from: Instant, to: Instant): Promise<readonly string[]> },
  plan: QuotesPlan,
): Promise<string> {
  return ticksSelect(plan, await archive.filesBetween(plan.from, plan.to));
}

/** Selects no row, in the columns of select-ticks.sql, for a window without a file. */
const NO_TICKS = `SELECT
  NULL::TIMESTAMPTZ AS observed_at, NULL::TIMESTAMPTZ AS retrieved_at, NULL::VARCHAR AS feed, NULL::VARCHAR AS base,
  NULL::VARCHAR AS quote, NULL::DOUBLE AS bid, NULL::DOUBLE AS ask, NULL::DOUBLE AS mid, NULL::UTINYINT AS decimals
WHERE false`;

const DESCENDING =
  "ORDER BY date_trunc('day', observed_at) DESC, base DESC, quote DESC, observed_at DESC, retrieved_at DESC, feed DESC";

/**
 * Makes the SELECT of stored quotes: observed_at, retrieved_at, feed, base, quote, bid, ask, mid, decimals. `files` are those of the
 * window, by ascending date. The ascending order is that of the files (UTC date, base, quote, observed_at, retrieved_at, feed): it
 * streams, and needs a connection with preserve_insertion_order on. The descending order is the exact reverse, and sorts. Quotes in the
 * journal are not included.
 */
export function ticksSelect(
  { pairs, from, to, order, side = "mid" }: QuotesPlan,
  files: readonly string[],
): string {
  if (files.length === 0) return NO_TICKS;
  const pairIs = ([base, quote]: readonly [CurrencyIndex, CurrencyIndex]) =>
    `(base = '${currencyCode(base)}' AND quote = '${currencyCode(quote)}')`;
  const condition = pairs === null ? "true" : `(${pairs.map(pairIs).join(" OR ") || "false"})`;
  const select = ticksSql
    .replaceAll("{condition}", `${condition} AND ${side} IS NOT NULL`)
    .replaceAll("{order}", order === "asc" ? "" : DESCENDING);
  return fill(select, { files, from, to });
}
