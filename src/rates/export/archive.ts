/** Exports from the intraday archive: quotes as delivered, and bars of whole windows, symbol by symbol, a few weeks at a time. */

import { currencyCode } from "#domain/currency/currency.ts";
import { Failure } from "#domain/faults/errors.ts";
import {
  BAR_SECONDS,
  type BarColumns,
  type BarInterval,
  emptyBarColumns,
  type QuoteSide,
} from "#domain/history/periods.ts";
import type { BarsPlan, Order, QuotesPlan } from "#domain/history/rate-columns.ts";
import { type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import type { QuoteArchive } from "#ports.ts";
import { type ArchiveDeps, archiveOf, noQuotesIn, windowOf } from "#rates/archive.ts";
import type { RatesWindow } from "#rates/query.ts";
import type { BarsQuery } from "#rates/range/bars.ts";
import { refuseCursor } from "./daily.ts";

export interface ArchiveExport extends RatesWindow {
  /** True for `symbols=*`. An export of quotes then has every pair. */
  readonly all: boolean;
  readonly interval: BarInterval | "tick";
  readonly side: QuoteSide;
  readonly order: Order;
  /** Refused: a file has no pages. */
  readonly cursor: string | null;
}

/**
 * Flushes accepted quotes into the files first: the export has all of them. `quotes` is the number of quotes in
 * the files to read, an upper bound for the rows of `tick`. Failure `no_data_for_date` when no date of the window has a file, `invalid_request` for a reversed window or a server without an archive.
 */
export async function planArchiveExport(deps: ArchiveDeps, query: ArchiveExport) {
  refuseCursor(query);
  const archive = archiveOf(deps);
  const { from, to } = windowOf(query);
  await archive.flush();
  const { version, quotes, dates } = await archive.state(from, to);
  if (dates === null) throw noQuotesIn(query);
  const { base, order, interval, side } = query;
  const symbols = [...new Set(query.symbols)].sort((a, b) => a - b);
  const codes = interval === "tick" && query.all ? "*" : symbols.map(currencyCode).join(",");
  const until = deps.publishedUntil ?? null;
  const late = until === null || to <= until ? "" : ` until ${until}`;
  const identity = `${interval} ${currencyCode(base)} ${codes} ${from} ${to} ${order} ${version}${late}${side === "mid" ? "" : ` ${side}`}`;
  if (interval !== "tick") {
    const { first, last } = dates;
    const window = windowOf({ base, symbols, start: first, end: last });
    const question = { base, symbols, interval, order, side, ...window };
    checkBarCount(question);
    const blocks = () => barBlocks(archive, question);
    const plan: BarsPlan = { kind: "bars", base, rows: identity, blocks };
    return { plan, identity, quotes };
  }
  const pairs = query.all
    ? null
    : symbols.flatMap((symbol) => [[base, symbol] as const, [symbol, base] as const]);
  const end = until === null ? to : Math.min(to, until);
  const plan: QuotesPlan = { kind: "quotes", pairs, from, to: end, order, side };
  return { plan, identity, quotes };
}

/** Symbols ascend: files are ordered by them. */
interface BarBlocksQuery extends Pick<BarsQuery, "base" | "symbols" | "interval" | "order" | "side"> {
  /** Whole days. */
  readonly from: Instant;
  readonly to: Instant;
}

/** Most bars of one file, counting those without a quote: bars are in memory before they are printed. */
const MOST_BARS = 2_000_000;
/** Whole days: every bar width divides a day. */
const BLOCK_MILLISECONDS = 14 * MILLISECONDS_PER_DAY;

/** Failure `invalid_request` when the window has room for more bars than one file may hold. */
function checkBarCount({ symbols, from, to, interval }: BarBlocksQuery): void {
  const room = (symbols.length * (to - from)) / (BAR_SECONDS[interval] * 1000);
  if (room <= MOST_BARS) return;
  throw new Failure("invalid_request", {
    reason: `a file holds at most ${MOST_BARS} bars, and this window has room for ${Math.ceil(room)}: take fewer symbols, a shorter window or a wider interval`,
  });
}

/** One block for each symbol and fortnight with a bar, in the order of the file. */
async function* barBlocks(
  archive: QuoteArchive,
  { base, symbols, from, to, interval, order, side }: BarBlocksQuery,
): AsyncGenerator<BarColumns> {
  const widthSeconds = BAR_SECONDS[interval];
  for (const symbol of symbols) {
    for (const [begin, end] of parts(from, to, order)) {
      const limit = Math.ceil((end - begin) / (widthSeconds * 1000));
      const pair = { base: currencyCode(base), symbol: currencyCode(symbol) };
      const bars = await archive.bars({ ...pair, from: begin, to: end, widthSeconds, order, limit, side });
      if (bars.length === 0) continue;
      const block = emptyBarColumns(bars.length);
      for (const [row, bar] of bars.entries()) {
        block.symbol[row] = symbol;
        block.imported[row] = bar.imported === true ? 1 : 0;
        for (const name of ["start", "open", "high", "low", "close", "mean", "ticks"] as const) {
          block[name][row] = bar[name];
        }
      }
      yield block;
    }
  }
}

function parts(from: Instant, to: Instant, order: Order): readonly (readonly [Instant, Instant])[] {
  const blocks: (readonly [Instant, Instant])[] = [];
  for (let begin = from; begin < to; begin += BLOCK_MILLISECONDS) {
    blocks.push([begin, Math.min(to, begin + BLOCK_MILLISECONDS)]);
  }
  return order === "asc" ? blocks : blocks.reverse();
}
