/** Ticks of a pair on a date as typed arrays: read from Parquet once per version of the file and cached, or from the private index of a closed date, for bars without DuckDB. */

import { rmSync } from "node:fs";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { CacheBudget } from "#domain/cache/budget.ts";
import { CURRENCY_CODES, type CurrencyCode, currencyCode } from "#domain/currency/currency.ts";
import type { QuoteSide } from "#domain/history/periods.ts";
import { FEEDS, IMPORTED_FEED, type LiveQuote } from "#domain/live/live-quote.ts";
import { type Day, dayAt, formatDay, type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { INTRADAY_FOLDER } from "#store/archive/journal/journal.ts";
import loadSql from "#store/archive/sql/read/load-ticks.sql" with { type: "text" };
import { datesIn, filesByDate } from "#store/archive/table.ts";
import type { Snapshot } from "#store/delta/snapshot.ts";
import type { Table } from "#store/delta/table.ts";
import { readCache, writeCache } from "#store/disk/binary-cache.ts";
import { fill, itemsOf, streamRows } from "#store/parquet/engine.ts";

/** Ascending by observation, then retrieval, then feed. */
export interface Ticks {
  /** Milliseconds from the start of the date. */
  readonly observed: Int32Array;
  /** Milliseconds from observation to retrieval, capped at 32 bits. */
  readonly lag: Int32Array;
  /** Position in FEED_ORDER, counted from 1. */
  readonly feed: Uint8Array;
  /** Of ticks of one side the price of that. */
  readonly mid: Float64Array;
}

/** Orders feeds, as in the files, when observation and retrieval are equal. Imports come last: indexes have the positions of the others. */
const FEED_ORDER: readonly string[] = [...[...FEEDS].sort(), IMPORTED_FEED];

/** The position of quotes from files. */
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

/** Resolves with the ticks of the currencies against each other on each date; `files` are the files of the dates. */
export async function loadTicks(
  connection: DuckDBConnection,
  files: readonly string[],
  dates: readonly Day[],
  currencies: readonly CurrencyCode[],
  side: QuoteSide = "mid",
): Promise<ReadonlyMap<Day, DateTicks>> {
  const codes = currencies.map((code) => `'${code}'`).join(", ");
  const stream = await streamRows(
    connection,
    fill(loadSql.replaceAll("{codes}", codes).replaceAll("{price}", side), { files, feeds: FEED_ORDER }),
  );
  const growing = new Map<number, Growing>();
  for (let rows = await stream.next(); rows !== null; rows = await stream.next()) {
    const { chunk, count } = rows;
    const column = <T>(index: number) => itemsOf<T>(chunk.getColumnVector(index));
    const [bases, quotes] = [column<Uint8Array>(0), column<Uint8Array>(1)];
    const [observed, lag] = [column<Float64Array>(2), column<Float64Array>(3)];
    const [feed, mid] = [column<Uint8Array>(4), column<Float64Array>(5)];
    let [lastKey, into] = [-1, new Growing()];
    for (let row = 0; row < count; row++) {
      const at = observed[row] as number;
      const date = dayAt(at);
      const key = (date * 64 + (bases[row] as number)) * 64 + (quotes[row] as number);
      if (key !== lastKey) {
        into = growing.get(key) ?? new Growing();
        growing.set(key, into);
        lastKey = key;
      }
      const since = at - date * MILLISECONDS_PER_DAY;
      into.push(since, lag[row] as number, feed[row] as number, mid[row] as number);
    }
  }
  const byDate = new Map<Day, Map<string, Ticks>>(dates.map((date) => [date, new Map()]));
  for (const [key, ticks] of growing) {
    const pair = pairKey(currencyCode((key >> 6) & 63), currencyCode(key & 63));
    byDate.get(Math.floor(key / 4096))?.set(pair, ticks.finish());
  }
  return byDate;
}

export function ticksOf(quotes: readonly LiveQuote[], date: Day, side: QuoteSide = "mid"): Ticks {
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

/** Sorts ticks. Those of this product's files are in order already and are returned as they are. */
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

/** Returns the ticks that are not in `stored`. */
export function withoutStored(ticks: Ticks, stored: Ticks): Ticks {
  return ticksWhere(ticks, (at) => !holds(stored, ticks, at));
}

/** Returns the ticks at the positions that count; the same object where all do. */
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
  let [low, high] = [0, stored.mid.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareTicks(stored, middle, ticks, at) < 0) low = middle + 1;
    else high = middle;
  }
  return low < stored.mid.length && compareTicks(stored, low, ticks, at) === 0;
}

export type TickCache = ReturnType<typeof openTickCache>;

/** The share of the cache budget. A currency of a quarter, once a minute, is about 2 MB. */
const SHARE = 0.6;
const TICK_BYTES = 17;

export function openTickCache(caches: CacheBudget) {
  const entries = caches.cache<string, { readonly identity: string; readonly ticks: Ticks }>("ticks", {
    share: SHARE,
  });
  return {
    /** Returns null unless the cache has ticks of this very version of the file. */
    get: (date: Day, pair: string, identity: string): Ticks | null => {
      const entry = entries.get(`${date} ${pair}`);
      return entry?.identity === identity ? entry.ticks : null;
    },
    put: (date: Day, pair: string, identity: string, ticks: Ticks): void => {
      entries.set(`${date} ${pair}`, { identity, ticks }, ticks.mid.length * TICK_BYTES);
    },
  };
}

const INDEX_FILE = ".ticks.cache";

/**
 * Returns the ticks of the indexed pairs; null when the index is missing, torn, or made for another file. `identity` is
 * the path of the data file; paths are never reused.
 */
export function readIndexed(
  directory: string,
  date: Day,
  identity: string,
  pairs: readonly string[],
): DateTicks | null {
  return readCache(indexPath(directory, date), identity, (_, section) => {
    const ticks = new Map<string, Ticks>();
    for (const pair of pairs) {
      const bytes = section(pair);
      if (bytes !== undefined) ticks.set(pair, ticksIn(bytes));
    }
    return ticks;
  });
}

export interface Indexing {
  /** Both ends are inclusive; dates that are not over yet are skipped. */
  readonly from: Day;
  readonly to: Day;
  readonly now: Instant;
  readonly progress?: (done: number, total: number) => void;
}

/**
 * Makes the missing indexes of a window's closed dates; resolves with their number. A damaged date is skipped: its bars
 * are refused with or without an index.
 */
export async function indexDates(
  connection: DuckDBConnection,
  directory: string,
  table: Table,
  snapshot: Snapshot,
  { from, to, now, progress }: Indexing,
): Promise<number> {
  const files = filesByDate(snapshot);
  const dates = datesIn(snapshot, from, Math.min(to, dayAt(now) - 1));
  let made = 0;
  for (const [index, date] of dates.entries()) {
    const add = files.get(date);
    if (
      add !== undefined &&
      !isIndexed(directory, date, add.path) &&
      (await table.verifier.check(add)) === null
    ) {
      const ticks = (await loadTicks(connection, [table.pathOf(add)], [date], CURRENCY_CODES)).get(date);
      const sections = [...(ticks ?? [])].map(([pair, of]) => [pair, bytesOf(of)] as const);
      writeCache(indexPath(directory, date), add.path, null, sections);
      made += 1;
    }
    progress?.(index + 1, dates.length);
  }
  return made;
}

export function removeIndex(directory: string, date: Day): void {
  rmSync(indexPath(directory, date), { force: true });
}

/** Returns whether the index is intact and made for this file of the date. */
export function isIndexed(directory: string, date: Day, identity: string): boolean {
  return readCache(indexPath(directory, date), identity, () => true) ?? false;
}

function ticksIn(bytes: ArrayBuffer): Ticks {
  const count = bytes.byteLength / TICK_BYTES;
  return {
    mid: new Float64Array(bytes, 0, count),
    observed: new Int32Array(bytes, count * 8, count),
    lag: new Int32Array(bytes, count * 12, count),
    feed: new Uint8Array(bytes, count * 16, count),
  };
}

/** Encodes ticks for `ticksIn`. */
function bytesOf({ mid, observed, lag, feed }: Ticks): Uint8Array {
  const bytes = new Uint8Array(mid.length * TICK_BYTES);
  let at = 0;
  for (const { buffer, byteOffset, byteLength } of [mid, observed, lag, feed]) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  return bytes;
}

function indexPath(directory: string, date: Day): string {
  return join(directory, INTRADAY_FOLDER, `date=${formatDay(date)}`, INDEX_FILE);
}
