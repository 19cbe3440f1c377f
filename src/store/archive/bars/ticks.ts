/** Ticks of a currency on a date as typed arrays, read from Parquet. */

import { type CurrencyCode, currencyCode } from "#domain/currency/currency.ts";
import type { QuoteSide } from "#domain/history/periods.ts";
import { currencyOf, FEEDS, IMPORTED_FEED, type LiveQuote } from "#domain/live/live-quote.ts";
import { firstNot } from "#domain/number/search.ts";
import { type Day, dayAt, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import loadSql from "#store/archive/sql/read/load-ticks.sql" with { type: "text" };
import type { ColumnReader } from "#store/parquet/duckdb-process.ts";
import { fill, type NumberColumns } from "#store/parquet/engine.ts";

/** Ascending by observation, retrieval, feed, then direction. */
export interface Ticks {
  /** Milliseconds from the start of the date. */
  readonly observed: Int32Array;
  /** Milliseconds from observation to retrieval, capped at 32 bits. */
  readonly lag: Int32Array;
  /** Position in FEED_ORDER, counted from 1. */
  readonly feed: Uint8Array;
  /** 1 where the price is dollars per unit of the currency, 0 where it is units of the currency per dollar. */
  readonly isInverse: Uint8Array;
  /** The price as delivered: of the side per dollar, or of the opposite side where it is an inverse. */
  readonly price: Float64Array;
}

export const TICK_BYTES = 18;

/** The bid of an inverse is the reciprocal of the ask. */
export const OPPOSITE = { mid: "mid", bid: "ask", ask: "bid" } as const;

/** Orders feeds, as in the files, when observation and retrieval are equal. */
const FEED_ORDER: readonly string[] = [...[...FEEDS].sort(), IMPORTED_FEED];

/** The feed position of imported quotes. */
export const IMPORTED = FEED_ORDER.length;

export type DateTicks = ReadonlyMap<CurrencyCode, Ticks>;

/** The columns of load-ticks.sql. */
type TickColumn = "code" | "observed" | "lag" | "feed" | "is_inverse" | "price";

export async function loadTicks(
  reader: ColumnReader,
  files: readonly string[],
  currencies: readonly CurrencyCode[],
  side: QuoteSide,
): Promise<ReadonlyMap<Day, DateTicks>> {
  const codes = ["USD", ...currencies].map((code) => `'${code}'`).join(", ");
  const sql = loadSql
    .replaceAll("{codes}", codes)
    .replaceAll("{side}", side)
    .replaceAll("{opposite}", OPPOSITE[side]);
  const columns = await reader.columns(fill(sql, { files, feeds: FEED_ORDER }));
  const { code, observed, lag, feed, is_inverse, price } = columns as NumberColumns<TickColumn>;
  const growing = new Map<number, Growing>();
  let [lastKey, into] = [-1, new Growing()];
  for (let row = 0; row < price.length; row++) {
    const at = observed[row] as number;
    const date = dayAt(at);
    const key = date * 64 + (code[row] as number);
    if (key !== lastKey) {
      into = growing.get(key) ?? new Growing();
      growing.set(key, into);
      lastKey = key;
    }
    const since = at - date * MILLISECONDS_PER_DAY;
    into.push(
      since,
      lag[row] as number,
      feed[row] as number,
      is_inverse[row] as number,
      price[row] as number,
    );
  }
  const byDate = new Map<Day, Map<CurrencyCode, Ticks>>();
  for (const [key, ticks] of growing) {
    const date = Math.floor(key / 64);
    const ofDate = byDate.get(date) ?? new Map<CurrencyCode, Ticks>();
    byDate.set(date, ofDate.set(currencyCode(key & 63), ticks.finish()));
  }
  return byDate;
}

/** Adds the quotes of one currency and date that are not stored. Returns the same object when there is none. */
export function withQuotes(stored: Ticks, quotes: readonly LiveQuote[], date: Day, side: QuoteSide): Ticks {
  const fresh = new Growing();
  for (const quote of quotes) {
    const isInverse = currencyOf(quote) === quote.base;
    const price = quote[isInverse ? OPPOSITE[side] : side];
    if (price === null) continue;
    const since = quote.observedAt - date * MILLISECONDS_PER_DAY;
    const lag = quote.retrievedAt - quote.observedAt;
    const feed = FEED_ORDER.indexOf(quote.feed) + 1;
    fresh.push(since, lag, feed, Number(isInverse), Number(price));
  }
  const more = fresh.finish();
  const added = ticksWhere(more, (at) => !holds(stored, more, at));
  if (added.price.length === 0) return stored;
  const all = new Growing();
  for (const { observed, lag, feed, isInverse, price } of [stored, added])
    for (let at = 0; at < price.length; at++)
      all.push(
        observed[at] as number,
        lag[at] as number,
        feed[at] as number,
        isInverse[at] as number,
        price[at] as number,
      );
  return all.finish();
}

class Growing {
  readonly #observed: number[] = [];
  readonly #lag: number[] = [];
  readonly #feed: number[] = [];
  readonly #isInverse: number[] = [];
  readonly #price: number[] = [];

  push(observed: number, lag: number, feed: number, isInverse: number, price: number): void {
    this.#observed.push(observed);
    this.#lag.push(Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, lag)));
    this.#feed.push(feed);
    this.#isInverse.push(isInverse);
    this.#price.push(price);
  }
  finish(): Ticks {
    return inOrder({
      observed: Int32Array.from(this.#observed),
      lag: Int32Array.from(this.#lag),
      feed: Uint8Array.from(this.#feed),
      isInverse: Uint8Array.from(this.#isInverse),
      price: Float64Array.from(this.#price),
    });
  }
}

export const NO_TICKS = new Growing().finish();

/** Sorts ticks. Returns the same object when they are in order, as those of one direction are in this product's files. */
function inOrder(ticks: Ticks): Ticks {
  const count = ticks.price.length;
  let at = 1;
  while (at < count && compareTicks(ticks, at - 1, ticks, at) <= 0) at += 1;
  if (at >= count) return ticks;
  const order = Array.from(ticks.price, (_, position) => position);
  return picked(
    ticks,
    order.sort((a, b) => compareTicks(ticks, a, ticks, b) || a - b),
  );
}

/** Compares two ticks; 0 means the same quote of a currency. */
function compareTicks(a: Ticks, at: number, b: Ticks, bt: number): number {
  return (
    (a.observed[at] as number) - (b.observed[bt] as number) ||
    (a.lag[at] as number) - (b.lag[bt] as number) ||
    (a.feed[at] as number) - (b.feed[bt] as number) ||
    (a.isInverse[at] as number) - (b.isInverse[bt] as number)
  );
}

/** Returns the ticks at the positions that count; the same object when all do. */
export function ticksWhere(ticks: Ticks, isCounted: (at: number) => boolean): Ticks {
  const counted = Array.from(ticks.price, (_, at) => at).filter(isCounted);
  return counted.length === ticks.price.length ? ticks : picked(ticks, counted);
}

function picked({ observed, lag, feed, isInverse, price }: Ticks, positions: readonly number[]): Ticks {
  return {
    observed: Int32Array.from(positions, (at) => observed[at] as number),
    lag: Int32Array.from(positions, (at) => lag[at] as number),
    feed: Uint8Array.from(positions, (at) => feed[at] as number),
    isInverse: Uint8Array.from(positions, (at) => isInverse[at] as number),
    price: Float64Array.from(positions, (at) => price[at] as number),
  };
}

function holds(stored: Ticks, ticks: Ticks, at: number): boolean {
  const place = firstNot(stored.price.length, (middle) => compareTicks(stored, middle, ticks, at) < 0);
  return place < stored.price.length && compareTicks(stored, place, ticks, at) === 0;
}
