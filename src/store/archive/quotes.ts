/** The archive read back as quotes: what the files hold of a window, joined with what is still in the journal, each quote once. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import { currencyOf } from "#domain/live/feed-outcome.ts";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { dayAt, type Instant } from "#domain/time/day.ts";
import type { Snapshot } from "#store/delta/snapshot.ts";
import type { Table } from "#store/delta/table.ts";
import type { Engine } from "./engine.ts";
import type { Pending } from "./pending.ts";
import { loadQuotes, type StoredQuery } from "./stored-quotes.ts";
import { datesIn, filesByDate } from "./table.ts";

export interface QuoteSources {
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
    // Taken out first, so that the map keeps the order of the quotes.
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
  // Before the files are looked at: what leaves the journal meanwhile is then in them.
  const pending = sources.pending
    .snapshot()
    .flatMap(({ quotes }) => quotes.filter(({ observedAt }) => observedAt >= from && observedAt < to));
  const stored = await readStored(sources, query);
  return pending.length === 0 ? stored : joined(stored, pending.sort(compareQuotes));
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
export function compareQuotes(a: LiveQuote, b: LiveQuote): number {
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
function joined(stored: readonly LiveQuote[], pending: readonly LiveQuote[]): readonly LiveQuote[] {
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
