/** SELECT statements over the archive's files, for exports that copy their rows: raw quotes, and bars of several symbols. */

import { join } from "node:path";
import type { BarQuery } from "#domain/bars.ts";
import type { CurrencyCode } from "#domain/currency.ts";
import { dayAt, type Instant } from "#domain/day.ts";
import { fill } from "#store/lake/engine.ts";
import { checkBarQuery } from "./bars.ts";
import { dateFile, datesWithFile } from "./layout.ts";
import { LEG_AGE_MILLISECONDS } from "./legs.ts";
import barsSql from "./sql/select-bars.sql" with { type: "text" };
import noBarsSql from "./sql/select-no-bars.sql" with { type: "text" };
import noTicksSql from "./sql/select-no-ticks.sql" with { type: "text" };
import ticksSql from "./sql/select-ticks.sql" with { type: "text" };
import ticksDescendingSql from "./sql/select-ticks-descending.sql" with { type: "text" };

/** A statement that can stand in `COPY (…) TO`, and the files it reads, absolute. */
export interface ArchiveSelect {
  readonly sql: string;
  readonly files: readonly string[];
}

export interface TicksQuery {
  /** The lake's directory. */
  readonly directory: string;
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
export function ticksSelect({ directory, pairs, from, to, order }: TicksQuery): ArchiveSelect {
  if (!(from < to)) throw new RangeError("the window of a query must end after it begins");
  const files = filesBetween(directory, from, to);
  if (files.length === 0) return { sql: noTicksSql, files };
  const condition =
    pairs === null
      ? "true"
      : `(${pairs.map(([base, quote]) => `(base = '${base}' AND quote = '${quote}')`).join(" OR ") || "false"})`;
  const template = order === "asc" ? ticksSql : ticksDescendingSql;
  return { sql: fill(template.replaceAll("{condition}", condition), { files, from, to }), files };
}

export interface BarsQuery extends Pick<BarQuery, "base" | "from" | "to" | "widthSeconds"> {
  /** The lake's directory. */
  readonly directory: string;
  readonly symbols: readonly CurrencyCode[];
}

/**
 * Bars as of `QuoteArchive.bars`, bit for bit: start TIMESTAMPTZ, base, symbol VARCHAR, open, high, low, close, mean
 * DOUBLE, ticks BIGINT, ordered by symbol, start. Quotes not flushed yet are not in it. Throws as `bars` does.
 */
export function barsSelect({ directory, base, symbols, from, to, widthSeconds }: BarsQuery): ArchiveSelect {
  for (const symbol of symbols) checkBarQuery({ base, symbol, from, to, widthSeconds });
  const files = symbols.length === 0 ? [] : filesBetween(directory, from - LEG_AGE_MILLISECONDS, to);
  if (files.length === 0) return { sql: noBarsSql, files };
  const list = (codes: readonly CurrencyCode[]) => [...new Set(codes)].map((code) => `'${code}'`).join(", ");
  const template = barsSql
    .replaceAll("{codes}", list(["USD", base, ...symbols]))
    .replaceAll("{symbols}", list(symbols));
  const literals = { files, base, from, to, width: widthSeconds * 1000, leg_age: LEG_AGE_MILLISECONDS };
  return { sql: fill(template, literals), files };
}

function filesBetween(directory: string, from: Instant, to: Instant): readonly string[] {
  return datesWithFile(directory, dayAt(from), dayAt(to - 1)).map((date) => join(directory, dateFile(date)));
}
