/** The content of an export as data: the use case decides it, the store prints it. */

import type { CurrencyIndex } from "#domain/currency/currency.ts";
import type { Instant } from "#domain/time/day.ts";
import type { BarColumns } from "./bars.ts";
import type { RateColumns } from "./rate-columns.ts";

export const EXPORT_FORMATS = ["csv", "parquet", "ndjson", "arrow"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** long: one row a date and symbol. wide: one row a date, one column a symbol. */
export const LAYOUTS = ["long", "wide"] as const;
export type ExportLayout = (typeof LAYOUTS)[number];
export type Order = "asc" | "desc";

/** Rates of one base. Long rows by symbol, then date; wide rows by date. */
export interface RatesPlan {
  readonly kind: "rates";
  readonly base: CurrencyIndex;
  /** In the requested order, which is that of the wide columns. */
  readonly symbols: readonly CurrencyIndex[];
  readonly layout: ExportLayout;
  readonly order: Order;
  /** Rows of changes: with revision and time, and withdrawn ones without a rate. */
  readonly changes: boolean;
  /** Identifies the rows: all layouts and formats of the same rows share it. */
  readonly rows: string;
  /**
   * The rows in long order, block by block, each made when it is requested: about a millisecond of work. A block is valid until
   * the next one is requested, which is written into the same columns.
   */
  readonly blocks: () => Iterable<RateColumns>;
}

/** Accepted live quotes as they were delivered, by date, then base, quote and observation time. */
export interface QuotesPlan {
  readonly kind: "quotes";
  /** null: every pair that was quoted. */
  readonly pairs: readonly (readonly [CurrencyIndex, CurrencyIndex])[] | null;
  /** Observed from `from` up to, not including, `to`. */
  readonly from: Instant;
  readonly to: Instant;
  readonly order: Order;
}

/** Open, high, low, close, mean and ticks of pairs in intervals of time, by symbol, then start. */
export interface BarsPlan {
  readonly kind: "bars";
  readonly base: CurrencyIndex;
  /** Identifies the bars in every format. */
  readonly rows: string;
  /** The bars in the order of the file, block by block, each made when it is requested. */
  readonly blocks: () => AsyncIterable<BarColumns>;
}

export type ExportPlan = RatesPlan | QuotesPlan | BarsPlan;

export interface ExportRequest {
  /** Names content and form: two requests of the same identity get the same bytes. */
  readonly identity: string;
  readonly plan: ExportPlan;
  readonly format: ExportFormat;
  /** The caller, because callers are served in rotation. */
  readonly caller: string;
}

/** A complete export on disk. */
export interface FinishedExport {
  readonly path: string;
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}
