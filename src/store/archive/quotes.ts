/** Reads the archive: merges the quotes in files with those in the journal, each once, and makes the SELECT of exports. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { type CurrencyCode, type CurrencyIndex, currencyCode } from "#domain/currency/currency.ts";
import type { QuotesPlan } from "#domain/history/rate-columns.ts";
import { currencyOf, FEEDS, type FeedId, type LiveQuote } from "#domain/live/live-quote.ts";
import { dayAt, type Instant } from "#domain/time/day.ts";
import { fill, itemsOf, streamRows } from "#store/parquet/engine.ts";
import { type FlushParts, STORED } from "./changes.ts";
import newestSql from "./sql/read/read-newest.sql" with { type: "text" };
import quotesSql from "./sql/read/read-quotes.sql" with { type: "text" };
import ticksSql from "./sql/read/select-ticks.sql" with { type: "text" };
import { datesIn, filesByDate } from "./table.ts";

type QuoteSources = Pick<FlushParts, "table" | "engine" | "pending" | "snapshot">;

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
  { table, engine, snapshot, pending }: QuoteSources,
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
  const stored = adds.length === 0 ? [] : await engine.use((connection) => loadQuotes(connection, select));
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

async function loadQuotes(connection: DuckDBConnection, select: string): Promise<readonly LiveQuote[]> {
  const stream = await streamRows(connection, select);
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
