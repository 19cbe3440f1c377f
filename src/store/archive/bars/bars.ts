/** Bars of a pair: merges the ticks in files with those still in the journal, date by date in the requested order. */

import type { Cache } from "#domain/cache/budget.ts";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { Bar, BarQuery, QuoteSide } from "#domain/history/periods.ts";
import { currencyOf, type LiveQuote } from "#domain/live/live-quote.ts";
import { type Day, dayAt } from "#domain/time/day.ts";
import type { FlushParts } from "#store/archive/changes.ts";
import { datesIn, type FilesByDate, filesByDate } from "#store/archive/table.ts";
import type { Add } from "#store/delta/snapshot.ts";
import { barsOf, crossOf, LEG_AGE_MILLISECONDS, seriesOf } from "./series.ts";
import {
  type DateTicks,
  loadTicks,
  NO_TICKS,
  OPPOSITE,
  TICK_BYTES,
  type Ticks,
  withQuotes,
} from "./ticks.ts";

interface BarSources extends Pick<FlushParts, "table" | "reader" | "pending" | "snapshot"> {
  /** Keyed by path, currency and side. Paths are never reused. */
  readonly cache: Cache<string, Ticks>;
}

/** A currency of the query that is not the dollar, and the side of its prices per dollar. */
interface Leg {
  readonly code: CurrencyCode;
  readonly side: QuoteSide;
}

/** Few, because a query with a small limit need not read years. */
const DATES_AT_ONCE = 100;

export async function readBars(sources: BarSources, query: BarQuery): Promise<readonly Bar[]> {
  const { base, symbol, side = "mid", from, to, order, limit } = query;
  const isCross = base !== "USD" && symbol !== "USD";
  const legs: readonly Leg[] = [
    { code: base, side: OPPOSITE[side] },
    { code: symbol, side },
  ].filter(({ code }) => code !== "USD");
  // Read before the files: a quote that leaves the journal meanwhile is then in its file.
  const pending = Map.groupBy(
    sources.pending.snapshot().map(({ quote }) => quote),
    ({ observedAt }) => dayAt(observedAt),
  );
  const first = dayAt(isCross ? from - LEG_AGE_MILLISECONDS : from);
  const last = dayAt(to - 1);
  const version = sources.snapshot();
  const files = filesByDate(version);
  const waiting = [...pending.keys()].filter((date) => date >= first && date <= last);
  const dates = [...new Set([...datesIn(version, first, last), ...waiting])].sort((a, b) => a - b);
  const inWindow = dates.filter((date) => date >= dayAt(from));
  if (order === "desc") inWindow.reverse();

  const bars: Bar[] = [];
  for (let at = 0; at < inWindow.length && bars.length < limit; at += DATES_AT_ONCE) {
    const part = inWindow.slice(at, at + DATES_AT_ONCE);
    const needed = isCross ? dates.filter((date) => part.includes(date) || part.includes(date + 1)) : part;
    const bySide = new Map<QuoteSide, ReadonlyMap<Day, DateTicks>>();
    for (const [of, some] of Map.groupBy(legs, (leg) => leg.side)) {
      const codes = some.map(({ code }) => code);
      bySide.set(of, await readTicks(sources, files, pending, needed, codes, of));
    }
    const seriesAt = ({ code, side: of }: Leg, date: Day) =>
      seriesOf(bySide.get(of)?.get(date)?.get(code) ?? NO_TICKS, symbol === "USD");
    for (const date of part) {
      const [ofBase, ofSymbol] = legs.map((leg) => ({
        today: seriesAt(leg, date),
        before: isCross ? seriesAt(leg, date - 1) : NO_SERIES,
      })) as [LegSeries, LegSeries];
      const ofDate = barsOf(date, isCross ? crossOf(ofBase, ofSymbol) : ofBase.today, query);
      if (order === "desc") ofDate.reverse();
      for (const bar of ofDate) bars.push(bar);
      if (bars.length >= limit) break;
    }
  }
  return bars.length > limit ? bars.slice(0, limit) : bars;
}

type LegSeries = Parameters<typeof crossOf>[0];
const NO_SERIES = seriesOf(NO_TICKS, false);

/** Resolves with the ticks of the dates, from the files and the journal. */
async function readTicks(
  sources: BarSources,
  files: FilesByDate,
  pending: ReadonlyMap<Day, readonly LiveQuote[]>,
  dates: readonly Day[],
  codes: readonly CurrencyCode[],
  side: QuoteSide,
): Promise<ReadonlyMap<Day, DateTicks>> {
  // A date with a damaged file is refused even when its ticks are cached.
  await sources.table.verifier.require(dates.flatMap((date) => files.get(date) ?? []));
  const stored = await storedTicks(sources, files, dates, codes, side);
  return new Map(
    dates.map((date) => {
      const quotes = pending.get(date) ?? [];
      const ofDate = codes.map((code) => {
        const ofCode = quotes.filter((quote) => currencyOf(quote) === code);
        return [code, withQuotes(stored.get(date)?.get(code) ?? NO_TICKS, ofCode, date, side)] as const;
      });
      return [date, new Map(ofDate)] as const;
    }),
  );
}

/** Resolves with the ticks in the files of the dates. A date comes from the cache when all its currencies are there. */
async function storedTicks(
  { table, reader, cache }: BarSources,
  files: FilesByDate,
  dates: readonly Day[],
  codes: readonly CurrencyCode[],
  side: QuoteSide,
): Promise<ReadonlyMap<Day, DateTicks>> {
  const keyOf = (add: Add, code: CurrencyCode) => `${add.path} ${code} ${side}`;
  const stored = new Map<Day, DateTicks>();
  const unread: (readonly [Day, Add])[] = [];
  for (const date of dates) {
    const add = files.get(date);
    if (add === undefined) continue;
    const cached = codes.flatMap((code) => {
      const ticks = cache.get(keyOf(add, code));
      return ticks === undefined ? [] : [[code, ticks] as const];
    });
    if (cached.length === codes.length) stored.set(date, new Map(cached));
    else unread.push([date, add]);
  }
  if (unread.length === 0) return stored;
  const paths = unread.map(([, add]) => table.pathOf(add));
  const loaded = await loadTicks(reader, paths, codes, side);
  for (const [date, add] of unread) {
    const ofDate = loaded.get(date) ?? new Map<CurrencyCode, Ticks>();
    stored.set(date, ofDate);
    for (const code of codes) {
      const ticks = ofDate.get(code) ?? NO_TICKS;
      cache.set(keyOf(add, code), ticks, ticks.price.length * TICK_BYTES);
    }
  }
  return stored;
}
