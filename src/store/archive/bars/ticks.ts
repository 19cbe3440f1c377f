/** Ticks of a pair on a date as typed arrays, read from Parquet. */

import { type CurrencyCode, currencyCode } from "#domain/currency/currency.ts";
import type { QuoteSide } from "#domain/history/periods.ts";
import { FEEDS, IMPORTED_FEED, type LiveQuote } from "#domain/live/live-quote.ts";
import { firstNot } from "#domain/number/search.ts";
import { type Day, dayAt, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import loadSql from "#store/archive/sql/read/load-ticks.sql" with { type: "text" };
import type { ColumnReader } from "#store/parquet/duckdb-process.ts";
import { fill, type NumberColumns } from "#store/parquet/engine.ts";

/** Ascending by observation, then retrieval, then feed. */
export interface Ticks {
  /** Milliseconds from the start of the date. */
  readonly observed: Int32Array;
  /** Milliseconds from observation to retrieval, capped at 32 bits. */
  readonly lag: Int32Array;
  /** Position in FEED_ORDER, counted from 1. */
  readonly feed: Uint8Array;
  /** The price of the side that was read. */
  readonly mid: Float64Array;
}

export const TICK_BYTES = 17;

/** Orders feeds, as in the files, when observation and retrieval are equal. */
const FEED_ORDER: readonly string[] = [...[...FEEDS].sort(), IMPORTED_FEED];

/** The feed position of imported quotes. */
export const IMPORTED = FEED_ORDER.length;

export const NO_TICKS: Ticks = {
  observed: new Int32Array(0),
  lag: new Int32Array(0),
  feed: new Uint8Array(0),
  mid: new Float64Array(0),
};

export type DateTicks = ReadonlyMap<string, Ticks>;

export function pairKey(base: CurrencyCode, quote: CurrencyCode): string {
  return `${base}/${quote}`;
}

/** The columns of load-ticks.sql. */
type TickColumn = "base" | "quote" | "observed" | "lag" | "feed" | "mid";

export async function loadTicks(
  reader: ColumnReader,
  files: readonly string[],
  currencies: readonly CurrencyCode[],
  side: QuoteSide,
): Promise<ReadonlyMap<Day, DateTicks>> {
  const codes = currencies.map((code) => `'${code}'`).join(", ");
  const columns = await reader.columns(
    fill(loadSql.replaceAll("{codes}", codes).replaceAll("{price}", side), { files, feeds: FEED_ORDER }),
  );
  const { base, quote, observed, lag, feed, mid } = columns as NumberColumns<TickColumn>;
  const growing = new Map<number, Growing>();
  let [lastKey, into] = [-1, new Growing()];
  for (let row = 0; row < mid.length; row++) {
    const at = observed[row] as number;
    const date = dayAt(at);
    const key = (date * 64 + (base[row] as number)) * 64 + (quote[row] as number);
    if (key !== lastKey) {
      into = growing.get(key) ?? new Growing();
      growing.set(key, into);
      lastKey = key;
    }
    const since = at - date * MILLISECONDS_PER_DAY;
    into.push(since, lag[row] as number, feed[row] as number, mid[row] as number);
  }
  const byDate = new Map<Day, Map<string, Ticks>>();
  for (const [key, ticks] of growing) {
    const pair = pairKey(currencyCode((key >> 6) & 63), currencyCode(key & 63));
    const date = Math.floor(key / 4096);
    const ofDate = byDate.get(date) ?? new Map<string, Ticks>();
    byDate.set(date, ofDate.set(pair, ticks.finish()));
  }
  return byDate;
}

export function ticksOf(quotes: readonly LiveQuote[], date: Day, side: QuoteSide): Ticks {
  const growing = new Growing();
  for (const { observedAt, retrievedAt, feed, [side]: price } of quotes) {
    if (price === null) continue;
    const since = observedAt - date * MILLISECONDS_PER_DAY;
    growing.push(since, retrievedAt - observedAt, FEED_ORDER.indexOf(feed) + 1, Number(price));
  }
  return growing.finish();
}

class Growing {
  readonly #observed: number[] = [];
  readonly #lag: number[] = [];
  readonly #feed: number[] = [];
  readonly #mid: number[] = [];

  push(observed: number, lag: number, feed: number, mid: number): void {
    this.#observed.push(observed);
    this.#lag.push(Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, lag)));
    this.#feed.push(feed);
    this.#mid.push(mid);
  }
  finish(): Ticks {
    return inOrder({
      observed: Int32Array.from(this.#observed),
      lag: Int32Array.from(this.#lag),
      feed: Uint8Array.from(this.#feed),
      mid: Float64Array.from(this.#mid),
    });
  }
}

/** Sorts ticks. Returns the same object when they are in order, as in this product's files. */
export function inOrder(ticks: Ticks): Ticks {
  const { observed, lag, feed, mid } = ticks;
  const compare = (a: number, b: number) => compareTicks(ticks, a, ticks, b);
  let isOrdered = true;
  for (let at = 1; at < observed.length && isOrdered; at++) isOrdered = compare(at - 1, at) <= 0;
  if (isOrdered) return ticks;
  const order = Array.from(observed, (_, at) => at).sort((a, b) => compare(a, b) || a - b);
  return {
    observed: Int32Array.from(order, (at) => observed[at] as number),
    lag: Int32Array.from(order, (at) => lag[at] as number),
    feed: Uint8Array.from(order, (at) => feed[at] as number),
    mid: Float64Array.from(order, (at) => mid[at] as number),
  };
}

/** Compares two ticks; 0 means the same quote of a pair. */
function compareTicks(a: Ticks, at: number, b: Ticks, bt: number): number {
  return (
    (a.observed[at] as number) - (b.observed[bt] as number) ||
    (a.lag[at] as number) - (b.lag[bt] as number) ||
    (a.feed[at] as number) - (b.feed[bt] as number)
  );
}

export function withoutStored(ticks: Ticks, stored: Ticks): Ticks {
  return ticksWhere(ticks, (at) => !holds(stored, ticks, at));
}

/** Returns the ticks at the positions that count; the same object when all do. */
export function ticksWhere(ticks: Ticks, isCounted: (at: number) => boolean): Ticks {
  const counted = Array.from(ticks.mid, (_, at) => at).filter(isCounted);
  if (counted.length === ticks.mid.length) return ticks;
  return {
    observed: Int32Array.from(counted, (at) => ticks.observed[at] as number),
    lag: Int32Array.from(counted, (at) => ticks.lag[at] as number),
    feed: Uint8Array.from(counted, (at) => ticks.feed[at] as number),
    mid: Float64Array.from(counted, (at) => ticks.mid[at] as number),
  };
}

function holds(stored: Ticks, ticks: Ticks, at: number): boolean {
  const place = firstNot(stored.mid.length, (middle) => compareTicks(stored, middle, ticks, at) < 0);
  return place < stored.mid.length && compareTicks(stored, place, ticks, at) === 0;
}
