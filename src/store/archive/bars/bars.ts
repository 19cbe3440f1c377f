/** Bars of a pair: merges the ticks in files with those still in the journal, date by date in the requested order. */

import type { Cache } from "#domain/cache/budget.ts";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { Bar, BarQuery, QuoteSide } from "#domain/history/periods.ts";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { type Day, dayAt } from "#domain/time/day.ts";
import type { FlushParts } from "#store/archive/changes.ts";
import { datesIn, type FilesByDate, filesByDate } from "#store/archive/table.ts";
import type { Add, Snapshot } from "#store/delta/snapshot.ts";
import { barsOf, crossOf, LEG_AGE_MILLISECONDS, type Part, type Series, seriesOf } from "./series.ts";
import {
  type DateTicks,
  loadTicks,
  NO_TICKS,
  pairKey,
  TICK_BYTES,
  type Ticks,
  ticksOf,
  withoutStored,
} from "./ticks.ts";

interface BarSources extends Pick<FlushParts, "table" | "reader" | "pending" | "snapshot"> {
  /** Keyed by path, pair and side. Paths are never reused. */
  readonly cache: Cache<string, Ticks>;
}

/** Few, because a query with a small limit need not read years. */
const DATES_AT_ONCE = 100;

export async function readBars(sources: BarSources, query: BarQuery): Promise<readonly Bar[]> {
  const { from, to, order, limit } = query;
  const isCross = query.base !== "USD" && query.symbol !== "USD";
  // Read before the files: a quote that leaves the journal meanwhile is then in its file.
  const pending = sources.pending.snapshot().map(({ quote }) => quote);
  const first = dayAt(isCross ? from - LEG_AGE_MILLISECONDS : from);
  const version = sources.snapshot();
  const files = filesByDate(version);
  const dates = datesOf(version, pending, first, dayAt(to - 1));
  const inWindow = dates.filter((date) => date >= dayAt(from));
  if (order === "desc") inWindow.reverse();

  const bars: Bar[] = [];
  for (let at = 0; at < inWindow.length && bars.length < limit; at += DATES_AT_ONCE) {
    const part = inWindow.slice(at, at + DATES_AT_ONCE);
    const needed = isCross ? dates.filter((date) => part.includes(date) || part.includes(date + 1)) : part;
    const ticks = new Map<QuoteSide, TicksByDate>();
    for (const side of query.side === "bid" || query.side === "ask" ? SIDES : MID)
      ticks.set(side, await readTicks(sources, files, pending, needed, { ...query, side }));
    for (const date of part) {
      const ofDate = barsOf(date, seriesOn(date, ticks, query, isCross), query);
      if (order === "desc") ofDate.reverse();
      for (const bar of ofDate) bars.push(bar);
      if (bars.length >= limit) break;
    }
  }
  return bars.length > limit ? bars.slice(0, limit) : bars;
}

function datesOf(version: Snapshot, pending: readonly LiveQuote[], from: Day, to: Day): readonly Day[] {
  const dates = new Set(datesIn(version, from, to));
  for (const { observedAt } of pending) {
    const date = dayAt(observedAt);
    if (date >= from && date <= to) dates.add(date);
  }
  return [...dates].sort((a, b) => a - b);
}

type TicksByDate = ReadonlyMap<Day, readonly DateTicks[]>;

const MID = ["mid"] as const;
const SIDES = ["bid", "ask"] as const;
/** The bid of an inverse is the reciprocal of the ask. */
const OPPOSITE = { mid: "mid", bid: "ask", ask: "bid" } as const;

function seriesOn(
  date: Day,
  ticks: ReadonlyMap<QuoteSide, TicksByDate>,
  { base, symbol, side = "mid" }: BarQuery,
  isCross: boolean,
): Series {
  const parts = (on: Day, pair: string, of: QuoteSide, isInverse: boolean): readonly Part[] =>
    (ticks.get(of)?.get(on) ?? []).map((source) => ({ ticks: source.get(pair) ?? NO_TICKS, isInverse }));
  const series = (on: Day, of: QuoteSide, asDelivered: string, inverse: string) =>
    seriesOf([...parts(on, asDelivered, of, false), ...parts(on, inverse, OPPOSITE[of], true)]);
  if (!isCross) return series(date, side, pairKey(base, symbol), pairKey(symbol, base));
  const leg = (code: CurrencyCode, of: QuoteSide) => {
    const perDollar = (on: Day) => series(on, of, pairKey("USD", code), pairKey(code, "USD"));
    return { today: perDollar(date), before: perDollar(date - 1) };
  };
  return crossOf(leg(base, OPPOSITE[side]), leg(symbol, side));
}

async function readTicks(
  sources: BarSources,
  files: FilesByDate,
  pending: readonly LiveQuote[],
  dates: readonly Day[],
  { base, symbol, side = "mid" }: BarQuery,
): Promise<TicksByDate> {
  const codes = [...new Set<CurrencyCode>(["USD", base, symbol])];
  const pairs = codes.flatMap((code) => (code === "USD" ? [] : [pairKey("USD", code), pairKey(code, "USD")]));
  // A date with a damaged file is refused even when its ticks are cached.
  await sources.table.verifier.require(dates.flatMap((date) => files.get(date) ?? []));
  const stored = await storedTicks(sources, files, dates, pairs, codes, side);
  const byDate = new Map<Day, readonly DateTicks[]>();
  for (const date of dates) {
    const ofFile = stored.get(date) ?? new Map<string, Ticks>();
    byDate.set(date, [ofFile, pendingTicks(pending, ofFile, date, pairs, side)]);
  }
  return byDate;
}

/** Resolves with the ticks in the files of the dates. A date comes from the cache when all its pairs are there. */
async function storedTicks(
  { table, reader, cache }: BarSources,
  files: FilesByDate,
  dates: readonly Day[],
  pairs: readonly string[],
  codes: readonly CurrencyCode[],
  side: QuoteSide,
): Promise<ReadonlyMap<Day, DateTicks>> {
  const keyOf = (add: Add, pair: string) => `${add.path} ${pair} ${side}`;
  const stored = new Map<Day, DateTicks>();
  const unread: (readonly [Day, Add])[] = [];
  for (const date of dates) {
    const add = files.get(date);
    if (add === undefined) continue;
    const cached = pairs.flatMap((pair) => {
      const ticks = cache.get(keyOf(add, pair));
      return ticks === undefined ? [] : [[pair, ticks] as const];
    });
    if (cached.length === pairs.length) stored.set(date, new Map(cached));
    else unread.push([date, add]);
  }
  if (unread.length === 0) return stored;
  const paths = unread.map(([, add]) => table.pathOf(add));
  const loaded = await loadTicks(reader, paths, codes, side);
  for (const [date, add] of unread) {
    const ofDate = loaded.get(date) ?? new Map<string, Ticks>();
    stored.set(date, ofDate);
    for (const pair of pairs) {
      const ticks = ofDate.get(pair) ?? NO_TICKS;
      cache.set(keyOf(add, pair), ticks, ticks.mid.length * TICK_BYTES);
    }
  }
  return stored;
}

function pendingTicks(
  pending: readonly LiveQuote[],
  stored: DateTicks,
  date: Day,
  pairs: readonly string[],
  side: QuoteSide,
): DateTicks {
  const byPair = new Map<string, LiveQuote[]>();
  for (const quote of pending) {
    const pair = pairKey(quote.base, quote.quote);
    if (dayAt(quote.observedAt) !== date || !pairs.includes(pair)) continue;
    byPair.set(pair, [...(byPair.get(pair) ?? []), quote]);
  }
  return new Map(
    [...byPair].map(([pair, quotes]) => [
      pair,
      withoutStored(ticksOf(quotes, date, side), stored.get(pair) ?? NO_TICKS),
    ]),
  );
}
