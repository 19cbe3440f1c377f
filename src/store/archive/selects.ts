/** SELECT statements over the archive's files, for exports that copy their rows: quotes as stored. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { Instant } from "#domain/time/day.ts";
import { fill } from "#store/delta/engine.ts";
import noTicksSql from "./sql/select-no-ticks.sql" with { type: "text" };
import ticksSql from "./sql/select-ticks.sql" with { type: "text" };
import ticksDescendingSql from "./sql/select-ticks-descending.sql" with { type: "text" };

export interface TicksQuery {
  /** Data files of the window, by ascending date. */
  readonly files: readonly string[];
  /** Pairs as they were quoted; null for all. */
  readonly pairs: readonly (readonly [base: CurrencyCode, quote: CurrencyCode])[] | null;
  /** Quotes observed from `from` up to, not including, `to`. */
  readonly from: Instant;
  readonly to: Instant;
  readonly order: "asc" | "desc";
}

/**
 * Quotes as stored: observed_at, retrieved_at, feed, base, quote, bid, ask, mid, decimals. Ascending is the order of the
 * files, which streams: by UTC date, then base, quote, observed_at, retrieved_at, feed; it needs a connection with
 * preserve_insertion_order on. Descending is the exact opposite and sorts. Quotes not flushed yet are not in it.
 * Throws RangeError when the window does not end after it begins.
 */
export function ticksSelect({ files, pairs, from, to, order }: TicksQuery): string {
  if (!(from < to)) throw new RangeError("the window of a query must end after it begins");
  if (files.length === 0) return noTicksSql;
  const condition =
    pairs === null
      ? "true"
      : `(${pairs.map(([base, quote]) => `(base = '${base}' AND quote = '${quote}')`).join(" OR ") || "false"})`;
  const template = order === "asc" ? ticksSql : ticksDescendingSql;
  return fill(template.replaceAll("{condition}", condition), { files, from, to });
}
