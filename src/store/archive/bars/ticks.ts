/** Ticks of a pair on a date, read from Parquet. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { type CurrencyCode, currencyCode } from "#domain/currency/currency.ts";
import type { QuoteSide } from "#domain/history/periods.ts";
import { FEEDS, IMPORTED_FEED, type LiveQuote } from "#domain/live/live-quote.ts";
import { type Day, dayAt, type Instant } from "#domain/time/day.ts";
import loadSql from "#store/archive/sql/read/load-ticks.sql" with { type: "text" };
import { fill, itemsOf, streamRows } from "#store/parquet/engine.ts";

export interface Tick {
  readonly observedAt: Instant;
  readonly retrievedAt: Instant;
  /** Position in FEED_ORDER, counted from 1. */
  readonly feed: number;
  /** Of one side. */
  readonly price: number;
}

/** In the order of compareTicks. */
export type Ticks = readonly Tick[];

/** An object, and its place in a list. */
export const TICK_BYTES = 72;

/** Orders feeds, as in the files, when observation and retrieval are equal. */
const FEED_ORDER: readonly string[] = [...[...FEEDS].sort(), IMPORTED_FEED];

/** The position of quotes from files. */
export const IMPORTED = FEED_ORDER.length;

export type DateTicks = ReadonlyMap<string, Ticks>;

export function pairKey(base: CurrencyCode, quote: CurrencyCode): string {
  return `${base}/${quote}`;
}

/** Resolves with the ticks in the files, of the currencies against each other, by date and pair. */
export async function loadTicks(
  connection: DuckDBConnection,
  files: readonly string[],
  currencies: readonly CurrencyCode[],
  side: QuoteSide,
): Promise<ReadonlyMap<Day, DateTicks>> {
  const codes = currencies.map((code) => `'${code}'`).join(", ");
  const stream = await streamRows(
    connection,
    fill(loadSql.replaceAll("{codes}", codes).replaceAll("{price}", side), { files, feeds: FEED_ORDER }),
  );
  const byDate = new Map<Day, Map<string, Tick[]>>();
  for (let rows = await stream.next(); rows !== null; rows = await stream.next()) {
    const { chunk, count } = rows;
    const column = (index: number) => itemsOf<Uint8Array | Float64Array>(chunk.getColumnVector(index));
    const [bases, quotes, observed] = [column(0), column(1), column(2)];
    const [retrieved, feeds, prices] = [column(3), column(4), column(5)];
    for (let row = 0; row < count; row++) {
      const observedAt = observed[row] as number;
      const date = dayAt(observedAt);
      const pair = pairKey(currencyCode(bases[row] as number), currencyCode(quotes[row] as number));
      const ofDate = byDate.get(date) ?? new Map<string, Tick[]>();
      const ticks = ofDate.get(pair) ?? [];
      byDate.set(date, ofDate.set(pair, ticks));
      const [retrievedAt, feed, price] = [retrieved[row], feeds[row], prices[row]] as [
        number,
        number,
        number,
      ];
      ticks.push({ observedAt, retrievedAt, feed, price });
    }
  }
  // Those of this product's files are in order already.
  for (const ofDate of byDate.values()) for (const ticks of ofDate.values()) ticks.sort(compareTicks);
  return byDate;
}

export function ticksOf(quotes: readonly LiveQuote[], side: QuoteSide): Ticks {
  return quotes
    .flatMap(({ observedAt, retrievedAt, feed, [side]: price }) =>
      price === null
        ? []
        : [{ observedAt, retrievedAt, feed: FEED_ORDER.indexOf(feed) + 1, price: Number(price) }],
    )
    .sort(compareTicks);
}

/** Compares two ticks by observation, then retrieval, then feed; 0 means the same quote of a pair. */
export function compareTicks(a: Tick, b: Tick): number {
  return a.observedAt - b.observedAt || a.retrievedAt - b.retrievedAt || a.feed - b.feed;
}

/** Returns the ticks that are not in `stored`. */
export function withoutStored(ticks: Ticks, stored: Ticks): Ticks {
  const since = ticks[0]?.observedAt ?? Number.POSITIVE_INFINITY;
  const later = stored.filter(({ observedAt }) => observedAt >= since);
  return ticks.filter((tick) => !later.some((other) => compareTicks(other, tick) === 0));
}
