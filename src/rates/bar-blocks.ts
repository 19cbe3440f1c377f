/** The bars of a whole window, symbol by symbol, a few weeks at a time: what files of bars are printed from. */

import { type CurrencyIndex, currencyCode } from "#domain/currency/currency.ts";
import { Failure } from "#domain/faults/errors.ts";
import { BAR_SECONDS, type BarColumns, type BarInterval, emptyBarColumns } from "#domain/history/bars.ts";
import type { Order } from "#domain/history/export-plan.ts";
import { type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import type { QuoteArchive } from "#ports.ts";

export interface BarBlocksQuestion {
  readonly base: CurrencyIndex;
  /** Ascending: files are ordered by symbol. */
  readonly symbols: readonly CurrencyIndex[];
  /** Whole days. */
  readonly from: Instant;
  readonly to: Instant;
  readonly interval: BarInterval;
  readonly order: Order;
}

/** Bars that one file may hold, those without a quote counted too: they stand in memory before they are printed. */
const MOST_BARS = 2_000_000;
/** Days of one block: every width divides a day. */
const BLOCK_MILLISECONDS = 14 * MILLISECONDS_PER_DAY;

/** Failure `invalid_request` when the window has room for more bars than one file may hold. */
export function checkBarCount({ symbols, from, to, interval }: BarBlocksQuestion): void {
  const room = (symbols.length * (to - from)) / (BAR_SECONDS[interval] * 1000);
  if (room <= MOST_BARS) return;
  throw new Failure("invalid_request", {
    reason: `a file holds at most ${MOST_BARS} bars, and this window has room for ${Math.ceil(room)}: take fewer symbols, a shorter window or a wider interval`,
  });
}

/** One block for each symbol and fortnight with a bar, in the order of the file. */
export async function* barBlocks(
  archive: QuoteArchive,
  { base, symbols, from, to, interval, order }: BarBlocksQuestion,
): AsyncGenerator<BarColumns> {
  const widthSeconds = BAR_SECONDS[interval];
  for (const symbol of symbols) {
    for (const [begin, end] of parts(from, to, order)) {
      const limit = Math.ceil((end - begin) / (widthSeconds * 1000));
      const pair = { base: currencyCode(base), symbol: currencyCode(symbol) };
      const bars = await archive.bars({ ...pair, from: begin, to: end, widthSeconds, order, limit });
      if (bars.length === 0) continue;
      const block = emptyBarColumns(bars.length);
      for (const [row, bar] of bars.entries()) {
        block.symbol[row] = symbol;
        for (const name of ["start", "open", "high", "low", "close", "mean", "ticks"] as const) {
          block[name][row] = bar[name];
        }
      }
      yield block;
    }
  }
}

function parts(from: Instant, to: Instant, order: Order): readonly (readonly [Instant, Instant])[] {
  const found: (readonly [Instant, Instant])[] = [];
  for (let begin = from; begin < to; begin += BLOCK_MILLISECONDS) {
    found.push([begin, Math.min(to, begin + BLOCK_MILLISECONDS)]);
  }
  return order === "asc" ? found : found.reverse();
}
