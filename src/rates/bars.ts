/** Bars of intraday quotes, page by page: open, high, low, close, mean and ticks of each symbol in each interval. */

import { type CurrencyIndex, currencyCode, USD } from "#domain/currency/currency.ts";
import { Failure } from "#domain/faults/errors.ts";
import { BAR_SECONDS, type Bar, type BarInterval } from "#domain/history/bars.ts";
import type { Order } from "#domain/history/export-plan.ts";
import { openText, sealText } from "#domain/text/cursor.ts";
import { type Day, formatDay, formatInstant, type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { type MarketSession, marketSession } from "#domain/time/session.ts";
import type { Clock, QuoteArchive } from "#ports.ts";
import { archiveUntil } from "./late-archive.ts";

export interface BarsQuestion {
  readonly base: CurrencyIndex;
  readonly symbols: readonly CurrencyIndex[];
  readonly start: Day;
  readonly end: Day;
  readonly interval: BarInterval;
  readonly order: Order;
  readonly limit: number;
  readonly cursor: string | null;
}

export interface BarsDeps {
  readonly archive: QuoteArchive | null;
  readonly clock: Clock;
  readonly cursorSecret: string;
  /** See `shownUntil`; absent shows everything. */
  readonly shownUntil?: Instant | null;
}

export interface BarRow {
  readonly start: Instant;
  readonly bars: readonly (readonly [CurrencyIndex, Bar])[];
}

export interface BarsPage {
  readonly rows: readonly BarRow[];
  readonly derivedSymbols: readonly string[];
  readonly session: MarketSession;
  readonly nextCursor: string | null;
}

/** Days that are looked through at first; each look that finds too little is followed by one four times as wide. */
const FIRST_LOOK_DAYS = 4;

/**
 * At most `limit` rows from the cursor or the start of the window. Intervals without a quote have no row, symbols without
 * one are absent. Failure `invalid_request` for a reversed window or a foreign cursor, `no_data_for_date` when the
 * window holds no quote.
 */
export async function barsPage(deps: BarsDeps, query: BarsQuestion): Promise<BarsPage> {
  const archive = archiveOf(deps);
  const window = windowOf(query);
  const name = canonical(query);
  const from = query.cursor === null ? null : Number(openText(deps.cursorSecret, name, query.cursor));
  const found = await firstRows(archive, query, window, from);
  if (found.length === 0 && from === null) throw nothingQuoted(query);
  const rows = found.slice(0, query.limit);
  const next = found[query.limit];
  const seen = new Set(rows.flatMap(({ bars }) => bars.map(([symbol]) => symbol)));
  return {
    rows,
    derivedSymbols: query.symbols
      .filter((symbol) => seen.has(symbol) && isCross(query.base, symbol))
      .map(currencyCode),
    session: marketSession(deps.clock.now()),
    nextCursor: next === undefined ? null : sealText(deps.cursorSecret, name, String(next.start)),
  };
}

/** The archive, or Failure `invalid_request` where this server keeps none. */
export function archiveOf({
  archive,
  shownUntil = null,
}: Pick<BarsDeps, "archive" | "shownUntil">): QuoteArchive {
  if (archive !== null) return shownUntil === null ? archive : archiveUntil(archive, shownUntil);
  throw new Failure("invalid_request", {
    reason: "this server keeps no intraday quotes; leave interval out for daily rates",
  });
}

/** Both days whole, UTC. Failure `invalid_request` for a reversed window, or a symbol that is the base. */
export function windowOf({
  base,
  symbols,
  start,
  end,
}: Pick<BarsQuestion, "base" | "symbols" | "start" | "end">): { from: Instant; to: Instant } {
  if (symbols.includes(base)) {
    throw new Failure("invalid_request", {
      reason: `${currencyCode(base)} is the base: quotes and bars are of two currencies`,
    });
  }
  if (start > end) {
    throw new Failure("invalid_request", {
      reason: `start_date ${formatDay(start)} is after end_date ${formatDay(end)}`,
    });
  }
  return { from: start * MILLISECONDS_PER_DAY, to: (end + 1) * MILLISECONDS_PER_DAY };
}

export function nothingQuoted({ start, end }: Pick<BarsQuestion, "start" | "end">): Failure {
  return new Failure("no_data_for_date", {
    wording:
      "the intraday archive has no such quote from {first} to {last}; leave interval out for daily rates",
    first: formatDay(start),
    last: formatDay(end),
  });
}

/** One row more than the page, where there is one: it says where the next page begins. */
async function firstRows(
  archive: QuoteArchive,
  query: BarsQuestion,
  { from, to }: { readonly from: Instant; readonly to: Instant },
  cursor: Instant | null,
): Promise<readonly BarRow[]> {
  const width = BAR_SECONDS[query.interval] * 1000;
  const ascending = query.order === "asc";
  const rows = new Map<Instant, [CurrencyIndex, Bar][]>();
  let [low, high] = ascending ? [cursor ?? from, to] : [from, cursor === null ? to : cursor + width];
  let look = Math.max(FIRST_LOOK_DAYS * MILLISECONDS_PER_DAY, 2 * query.limit * width);
  while (low < high && rows.size <= query.limit) {
    const part = ascending
      ? ([low, Math.min(high, edge(low + look, width))] as const)
      : ([Math.max(low, edge(high - look, width)), high] as const);
    for (const symbol of query.symbols) {
      for (const bar of await archive.bars({
        base: currencyCode(query.base),
        symbol: currencyCode(symbol),
        from: part[0],
        to: part[1],
        widthSeconds: width / 1000,
        order: query.order,
        limit: query.limit + 1,
      })) {
        const row = rows.get(bar.start) ?? [];
        row.push([symbol, bar]);
        rows.set(bar.start, row);
      }
    }
    if (ascending) low = part[1];
    else high = part[0];
    look *= 4;
  }
  return [...rows]
    .map(([start, bars]) => ({ start, bars }))
    .sort((a, b) => (ascending ? a.start - b.start : b.start - a.start))
    .slice(0, query.limit + 1);
}

/** Looks begin and end where bars do, so that none is cut in two. */
function edge(instant: Instant, width: number): Instant {
  return Math.floor(instant / width) * width;
}

function isCross(base: CurrencyIndex, symbol: CurrencyIndex): boolean {
  return base !== USD && symbol !== USD && base !== symbol;
}

function canonical({ base, symbols, start, end, interval, order }: BarsQuestion): string {
  return `bars ${currencyCode(base)} ${symbols.map(currencyCode).join(",")} ${start} ${end} ${interval} ${order}`;
}

/** How the transport dates a bar. */
export function barDate(start: Instant): { readonly date: string; readonly start: string } {
  return { date: formatDay(Math.floor(start / MILLISECONDS_PER_DAY)), start: formatInstant(start) };
}
