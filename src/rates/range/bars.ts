/** Bars of intraday quotes, page by page: open, high, low, close, mean and ticks of each symbol in each interval. */

import { type CurrencyIndex, currencyCode, USD } from "#domain/currency/currency.ts";
import { simulatedAmong } from "#domain/dataset/dataset.ts";
import { BAR_SECONDS, type Bar, type BarInterval, type QuoteSide } from "#domain/history/periods.ts";
import type { Order } from "#domain/history/rate-columns.ts";
import { currencyOf } from "#domain/live/live-quote.ts";
import type { QuoteImport } from "#domain/live/quote-file.ts";
import { openText, sealText } from "#domain/text/cursor.ts";
import { marketSession } from "#domain/time/calendar.ts";
import { type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import type { QuoteArchive } from "#ports.ts";
import { type ArchiveDeps, archiveOf, noQuotesIn, windowOf } from "#rates/archive.ts";
import type { RatesWindow } from "#rates/query.ts";

export interface BarsQuery extends RatesWindow {
  readonly interval: BarInterval;
  readonly side: QuoteSide;
  readonly order: Order;
  readonly limit: number;
  readonly cursor: string | null;
}

export interface BarsDeps extends ArchiveDeps {
  readonly cursorSecret: string;
  readonly simulated: boolean;
}

/** Days of the first read. Each further read is four times as wide. */
const FIRST_READ_DAYS = 4;

/**
 * At most `limit` rows from the cursor or the start of the window. Intervals without a quote have no row, symbols without
 * one are absent. Failure `invalid_request` for a reversed window or a foreign cursor, `no_data_for_date` when the
 * window holds no quote.
 */
export async function barsPage(deps: BarsDeps, query: BarsQuery) {
  const archive = archiveOf(deps);
  const window = windowOf(query);
  const name = canonical(query);
  const from = query.cursor === null ? null : Number(openText(deps.cursorSecret, name, query.cursor));
  const read = await firstRows(archive, query, window, from);
  if (read.length === 0 && from === null) throw noQuotesIn(query);
  const rows = read.slice(0, query.limit);
  const next = read[query.limit];
  const seen = new Set(rows.flatMap(({ bars }) => bars.map(([symbol]) => symbol)));
  return {
    ...query,
    rows,
    /** A bar with this instant in it is not over. */
    now: deps.clock.now(),
    imports: importsOf(archive, query, rows),
    derivedSymbols: query.symbols.filter((symbol) => seen.has(symbol) && isCross(query.base, symbol)),
    simulated: simulatedAmong(deps.simulated, [...seen], () => true),
    session: marketSession(deps.clock.now()),
    nextCursor: next === undefined ? null : sealText(deps.cursorSecret, name, String(next.start)),
  };
}

export type BarsPage = Awaited<ReturnType<typeof barsPage>>;

/** The bars of one interval of time; symbols without a quote in it are absent. */
export interface BarRow {
  readonly start: Instant;
  readonly bars: readonly (readonly [CurrencyIndex, Bar])[];
}

/** The rows of the page, and the first row of the next page if there is one. */
async function firstRows(
  archive: QuoteArchive,
  query: BarsQuery,
  { from, to }: { readonly from: Instant; readonly to: Instant },
  cursor: Instant | null,
): Promise<readonly BarRow[]> {
  const width = BAR_SECONDS[query.interval] * 1000;
  const ascending = query.order === "asc";
  const rows = new Map<Instant, [CurrencyIndex, Bar][]>();
  let [low, high] = ascending ? [cursor ?? from, to] : [from, cursor === null ? to : cursor + width];
  let reach = Math.max(FIRST_READ_DAYS * MILLISECONDS_PER_DAY, 2 * query.limit * width);
  while (low < high && rows.size <= query.limit) {
    const part = ascending
      ? ([low, Math.min(high, edge(low + reach, width))] as const)
      : ([Math.max(low, edge(high - reach, width)), high] as const);
    for (const symbol of query.symbols) {
      for (const bar of await archive.bars({
        base: currencyCode(query.base),
        symbol: currencyCode(symbol),
        from: part[0],
        to: part[1],
        widthSeconds: width / 1000,
        side: query.side,
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
    reach *= 4;
  }
  return [...rows]
    .map(([start, bars]) => ({ start, bars }))
    .sort((a, b) => (ascending ? a.start - b.start : b.start - a.start))
    .slice(0, query.limit + 1);
}

/** Imported files with quotes of the base or of a symbol with imported bars, in the time span of the rows. */
function importsOf(
  archive: QuoteArchive,
  { base, interval }: BarsQuery,
  rows: readonly BarRow[],
): readonly QuoteImport[] {
  const symbols = new Set(
    rows.flatMap(({ bars }) => bars.flatMap(([symbol, bar]) => (bar.imported === true ? [symbol] : []))),
  );
  if (symbols.size === 0) return [];
  const codes = [base, ...symbols].map(currencyCode);
  const starts = rows.map(({ start }) => start);
  const [from, to] = [Math.min(...starts), Math.max(...starts) + BAR_SECONDS[interval] * 1000];
  return archive.imports(from, to).filter((each) => codes.includes(currencyOf(each)));
}

/** Reads begin and end at the edges of bars: no bar is cut in two. */
function edge(instant: Instant, width: number): Instant {
  return Math.floor(instant / width) * width;
}

function isCross(base: CurrencyIndex, symbol: CurrencyIndex): boolean {
  return base !== USD && symbol !== USD && base !== symbol;
}

function canonical({ base, symbols, start, end, interval, order, side }: BarsQuery): string {
  return `bars ${currencyCode(base)} ${symbols.map(currencyCode).join(",")} ${start} ${end} ${interval} ${order}${side === "mid" ? "" : ` ${side}`}`;
}
