/** Quotes out of the files as they were accepted: the columns of a query become quotes, doubles their digits again. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { currencyCode } from "#domain/currency/currency.ts";
import { FEEDS, type FeedId, type LiveQuote } from "#domain/live/live-quote.ts";
import type { Instant } from "#domain/time/day.ts";
import { fill, itemsOf } from "#store/delta/engine.ts";
import { streamRows } from "#store/delta/stream.ts";
import { MOST_DECIMALS } from "./quote-line.ts";
import newestSql from "./sql/read-newest.sql" with { type: "text" };
import quotesSql from "./sql/read-quotes.sql" with { type: "text" };

export interface StoredQuery {
  /** All quotes, or only the newest of each currency. */
  readonly which: "all" | "newest";
  readonly from: Instant;
  readonly to: Instant;
}

/** Quotes of the files that were observed in the window, ordered as `compareQuotes` says. */
export async function loadQuotes(
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
 * more than QUOTE_DIGITS digits. Where the decimals are not known, the shortest.
 */
function printed(price: number, decimals: number): string {
  if (decimals <= MOST_DECIMALS) return price.toFixed(decimals);
  for (let fewest = 0; fewest < MOST_DECIMALS; fewest++) {
    const text = price.toFixed(fewest);
    if (Number(text) === price) return text;
  }
  return price.toFixed(MOST_DECIMALS);
}
