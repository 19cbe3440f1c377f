/** Bars of a pair: the ticks of the dates needed, from the files and from what is not in them yet, date by date in the order asked for. */

import type { Bar, BarQuery } from "#domain/bars.ts";
import type { CurrencyCode } from "#domain/currency.ts";
import { type Day, dayAt } from "#domain/day.ts";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { barsOf } from "./aggregate.ts";
import type { Engine } from "./engine.ts";
import { datesWithFile, identityOf } from "./layout.ts";
import { crossOf, LEG_AGE_MILLISECONDS, type Part, type Series, seriesOf } from "./legs.ts";
import type { Pending, PendingSegment } from "./pending.ts";
import type { TickCache } from "./tick-cache.ts";
import { readIndexed } from "./tick-index.ts";
import { type DateTicks, loadTicks, NO_TICKS, pairKey, type Ticks, ticksOf, withoutStored } from "./ticks.ts";

/** Interval widths there are, in seconds; each divides a day, so that no bar reaches into another date. */
export const BAR_WIDTHS = [60, 300, 900, 3600, 86_400] as const;

export interface BarSources {
  readonly directory: string;
  readonly engine: Engine;
  readonly cache: TickCache;
  readonly pending: Pending;
}

/** Dates that are read at once: a query with a small limit need not read years. */
const DATES_AT_ONCE = 100;
/** A file that is replaced while it is read is read again; it is never replaced this often in so short a time. */
const ATTEMPTS = 8;

/** Throws RangeError for what no caller should ask. */
export function checkBarQuery({
  base,
  symbol,
  from,
  to,
  widthSeconds,
}: Omit<BarQuery, "order" | "limit">): void {
  if (!(from < to)) throw new RangeError("the window of a bar query must end after it begins");
  if (!(BAR_WIDTHS as readonly number[]).includes(widthSeconds))
    throw new RangeError(`bars are ${BAR_WIDTHS.join(", ")} seconds wide, not ${widthSeconds}`);
  if (base === symbol) throw new RangeError(`${base} has no bars in itself`);
}

/** At most `limit` bars from the beginning of the order; see `QuoteArchive.bars`. */
export async function readBars(sources: BarSources, query: BarQuery): Promise<readonly Bar[]> {
  checkBarQuery(query);
  const { from, to, order, limit } = query;
  const isCross = query.base !== "USD" && query.symbol !== "USD";
  // Before the files are looked at: what leaves the journal meanwhile is then in them.
  const pending = sources.pending.snapshot();
  const first = dayAt(isCross ? from - LEG_AGE_MILLISECONDS : from);
  const dates = datesOf(sources.directory, pending, first, dayAt(to - 1));
  const wanted = dates.filter((date) => date >= dayAt(from));
  if (order === "desc") wanted.reverse();

  const bars: Bar[] = [];
  for (let at = 0; at < wanted.length && bars.length < limit; at += DATES_AT_ONCE) {
    const part = wanted.slice(at, at + DATES_AT_ONCE);
    const needed = isCross ? dates.filter((date) => part.includes(date) || part.includes(date + 1)) : part;
    const ticks = await readTicks(sources, pending, needed, query);
    for (const date of part) {
      const ofDate = barsOf(date, seriesOn(date, ticks, query, isCross), query);
      if (order === "desc") ofDate.reverse();
      for (const bar of ofDate) bars.push(bar);
      if (bars.length >= limit) break;
    }
  }
  return bars.length > limit ? bars.slice(0, limit) : bars;
}

function datesOf(directory: string, pending: readonly PendingSegment[], from: Day, to: Day): readonly Day[] {
  const dates = new Set(datesWithFile(directory, from, to));
  for (const { quotes } of pending) {
    for (const { observedAt } of quotes) {
      const date = dayAt(observedAt);
      if (date >= from && date <= to) dates.add(date);
    }
  }
  return [...dates].sort((a, b) => a - b);
}

type Known = ReadonlyMap<Day, readonly DateTicks[]>;

function seriesOn(date: Day, ticks: Known, { base, symbol }: BarQuery, isCross: boolean): Series {
  const series = (on: Day, asDelivered: string, inverse: string) =>
    seriesOf(
      (ticks.get(on) ?? []).flatMap((source): Part[] => [
        { ticks: source.get(asDelivered) ?? NO_TICKS, isInverse: false },
        { ticks: source.get(inverse) ?? NO_TICKS, isInverse: true },
      ]),
    );
  if (!isCross) return series(date, pairKey(base, symbol), pairKey(symbol, base));
  const leg = (code: CurrencyCode) => {
    const perDollar = (on: Day) => series(on, pairKey("USD", code), pairKey(code, "USD"));
    return { today: perDollar(date), before: perDollar(date - 1) };
  };
  return crossOf(leg(base), leg(symbol));
}

/** Per date the ticks of its file, then those that are not in it yet. */
async function readTicks(
  sources: BarSources,
  pending: readonly PendingSegment[],
  dates: readonly Day[],
  { base, symbol }: BarQuery,
): Promise<Known> {
  const codes = [...new Set<CurrencyCode>(["USD", base, symbol])];
  const pairs = codes.flatMap((code) => (code === "USD" ? [] : [pairKey("USD", code), pairKey(code, "USD")]));
  const known = new Map<Day, readonly DateTicks[]>();
  let unread = dates;
  for (let attempt = 1; unread.length > 0; attempt++) {
    const looked = unread.map((date) => look(sources, date, pairs));
    const missing = looked.filter(({ stored }) => stored === null).map(({ date }) => date);
    const fresh = await load(sources, missing, codes).catch((fault) => {
      // A file may have gone, or changed, while it was read.
      if (attempt >= ATTEMPTS) throw fault;
      return new Map<Day, DateTicks>();
    });
    unread = [];
    for (const { date, identity, stored } of looked) {
      const loaded = stored ?? fresh.get(date);
      if (loaded === undefined || (stored === null && identityOf(sources.directory, date) !== identity)) {
        if (attempt >= ATTEMPTS) throw new Error("a file of quotes was replaced whenever it was read");
        unread = [...unread, date];
        continue;
      }
      if (stored === null && identity !== null) {
        for (const pair of pairs) sources.cache.put(date, pair, identity, loaded.get(pair) ?? NO_TICKS);
      }
      known.set(date, [loaded, pendingTicks(pending, loaded, date, pairs)]);
    }
  }
  return known;
}

/** What is known of a date's file without DuckDB; `stored` is null when it must be read. */
function look({ directory, cache }: BarSources, date: Day, pairs: readonly string[]) {
  const identity = identityOf(directory, date);
  if (identity === null) return { date, identity, stored: new Map<string, Ticks>() };
  const stored = new Map<string, Ticks>();
  for (const pair of pairs) {
    const ticks = cache.get(date, pair, identity);
    if (ticks !== null) stored.set(pair, ticks);
  }
  const missing = pairs.filter((pair) => !stored.has(pair));
  const indexed = missing.length === 0 ? new Map() : readIndexed(directory, date, identity, missing);
  if (indexed === null) return { date, identity, stored: null };
  for (const pair of missing) {
    const ticks = indexed.get(pair) ?? NO_TICKS;
    stored.set(pair, ticks);
    cache.put(date, pair, identity, ticks);
  }
  return { date, identity, stored };
}

async function load(sources: BarSources, dates: readonly Day[], codes: readonly CurrencyCode[]) {
  if (dates.length === 0) return new Map<Day, DateTicks>();
  return await sources.engine.use((connection) => loadTicks(connection, sources.directory, dates, codes));
}

/** What of a date is in the journal and not in this version of its file. */
function pendingTicks(
  pending: readonly PendingSegment[],
  stored: DateTicks,
  date: Day,
  pairs: readonly string[],
): DateTicks {
  const byPair = new Map<string, LiveQuote[]>();
  for (const { quotes } of pending) {
    for (const quote of quotes) {
      const pair = pairKey(quote.base, quote.quote);
      if (dayAt(quote.observedAt) !== date || !pairs.includes(pair)) continue;
      byPair.set(pair, [...(byPair.get(pair) ?? []), quote]);
    }
  }
  return new Map(
    [...byPair].map(([pair, quotes]) => [
      pair,
      withoutStored(ticksOf(quotes, date), stored.get(pair) ?? NO_TICKS),
    ]),
  );
}
