/** Exports out of the intraday archive: quotes as delivered, and bars of whole windows. */

import { type CurrencyIndex, currencyCode } from "#domain/currency/currency.ts";
import type { BarInterval } from "#domain/history/bars.ts";
import type { BarsPlan, Order, QuotesPlan } from "#domain/history/export-plan.ts";
import type { Day } from "#domain/time/day.ts";
import { barBlocks, checkBarCount } from "./bar-blocks.ts";
import { archiveOf, type BarsDeps, nothingQuoted, windowOf } from "./bars.ts";

export interface ArchiveExport {
  readonly base: CurrencyIndex;
  readonly symbols: readonly CurrencyIndex[];
  /** True for `symbols=*`: of quotes, every pair there is. */
  readonly all: boolean;
  readonly start: Day;
  readonly end: Day;
  readonly interval: BarInterval | "tick";
  readonly order: Order;
}

export interface PlannedArchiveExport {
  readonly plan: QuotesPlan | BarsPlan;
  readonly identity: string;
  /** Quotes in the files that will be read: rows of `tick` are at most as many. */
  readonly quotes: number;
}

/**
 * Brings accepted quotes into the files first, so that the export has all of them. Failure `no_data_for_date` when no date of
 * the window has a file, `invalid_request` for a reversed window or a server without an archive.
 */
export async function planArchiveExport(deps: BarsDeps, query: ArchiveExport): Promise<PlannedArchiveExport> {
  const archive = archiveOf(deps);
  const { from, to } = windowOf(query);
  await archive.flush();
  const { version, quotes, dates } = await archive.state(from, to);
  if (dates === null) throw nothingQuoted(query);
  const { base, order, interval } = query;
  const symbols = [...new Set(query.symbols)].sort((a, b) => a - b);
  const codes = interval === "tick" && query.all ? "*" : symbols.map(currencyCode).join(",");
  const until = deps.shownUntil ?? null;
  const late = until === null || to <= until ? "" : ` until ${until}`;
  const identity = `${interval} ${currencyCode(base)} ${codes} ${from} ${to} ${order} ${version}${late}`;
  if (interval !== "tick") {
    const { first, last } = dates;
    const question = {
      base,
      symbols,
      interval,
      order,
      ...windowOf({ base, symbols, start: first, end: last }),
    };
    checkBarCount(question);
    const blocks = () => barBlocks(archive, question);
    return { plan: { kind: "bars", base, rows: identity, blocks }, identity, quotes };
  }
  const pairs = query.all
    ? null
    : symbols.flatMap((symbol) => [[base, symbol] as const, [symbol, base] as const]);
  const end = until === null ? to : Math.min(to, until);
  return { plan: { kind: "quotes", pairs, from, to: end, order }, identity, quotes };
}
