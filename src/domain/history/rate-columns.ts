/** Rows of rates as parallel columns, and the content of an export as data: the use case decides it, the store makes and prints the rows. */

import type { CurrencyIndex } from "#domain/currency/currency.ts";
import type { AboutSheet } from "#domain/text/workbook.ts";
import type { Day, Instant } from "#domain/time/day.ts";
import { bytes, doubles, type History } from "./history.ts";
import type { Aggregate, BarColumns, DailyInterval, QuoteSide } from "./periods.ts";

/** none: only days on which every leg was published. previous: every calendar day, forward-filled. */
export type Fill = "none" | "previous";

/** The rate rests on more than one figure. */
export const DERIVED = 1;
/** At least one leg was observed on an earlier day. */
export const FILLED = 2;
/** The digits are the published ones, with the zeros that `scale` implies. */
export const AS_PUBLISHED = 4;
/** A value that existed and is gone: `rate` is NaN. */
export const WITHDRAWN = 8;
/** Shifted by a position in DAILY_SOURCES: a figure of that source contributes. */
export const OF_FIRST_SOURCE = 16;

/** `rate` is the double nearest to its decimal of `scale` places. */
export type RateColumns = ReturnType<typeof emptyRateColumns>;

export function emptyRateColumns(capacity: number) {
  return {
    count: 0,
    /** CurrencyIndex. */
    symbol: bytes(capacity),
    date: new Int32Array(capacity) as Int32Array,
    rate: doubles(capacity),
    scale: bytes(capacity),
    /** Position in DAILY_SOURCES of the least fresh leg. */
    source: bytes(capacity),
    /** DERIVED, FILLED, AS_PUBLISHED, WITHDRAWN. */
    flags: bytes(capacity),
    /** derivation_bps_max; NaN without a bound. */
    bound: doubles(capacity),
    /** Highest revision among the legs and their latest retrieval. */
    revision: new Uint16Array(capacity) as Uint16Array,
    updatedAt: doubles(capacity),
  };
}

export function setDigits(into: RateColumns, row: number, text: string): void {
  const point = text.indexOf(".");
  into.rate[row] = Number(text);
  into.scale[row] = point < 0 ? 0 : text.length - point - 1;
}

export const EXPORT_FORMATS = ["csv", "parquet", "ndjson", "arrow", "xlsx"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** long: one row per date and symbol. wide: one row per date, one column per symbol. */
export const LAYOUTS = ["long", "wide"] as const;
export type ExportLayout = (typeof LAYOUTS)[number];
export type Order = "asc" | "desc";

/** Rates of one base. Long rows by symbol, then date; wide rows by date. */
export interface RatesPlan {
  readonly kind: "rates";
  readonly base: CurrencyIndex;
  /** In the requested order, which is also the order of the wide columns. */
  readonly symbols: readonly CurrencyIndex[];
  readonly layout: ExportLayout;
  readonly order: Order;
  /** Rates are rounded to at most this many decimals; null leaves them unchanged. */
  readonly dp: number | null;
  readonly content: Crosses | ChangedRows;
}

/** The rates in force, which the store computes from the figures. */
export interface Crosses {
  readonly history: History;
  readonly first: Day;
  /** Not after the last day with a value in force. */
  readonly last: Day;
  /** The end of the last period: `last` or later. */
  readonly until: Day;
  readonly fill: Fill;
  readonly interval: DailyInterval;
  readonly aggregate: Aggregate;
}

/** Changed rows, with revision and time. A withdrawn row has no rate. */
export interface ChangedRows {
  /** Identifies the rows. */
  readonly rows: string;
  /** The rows in long order, block by block, each made when it is requested. */
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
  /** Quotes without this price are left out; `mid` by default, which each has. */
  readonly side?: QuoteSide;
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
  /** Names content and form: equal identities get equal bytes. */
  readonly identity: string;
  readonly plan: ExportPlan;
  readonly format: ExportFormat;
  /** Columns with simulated numbers: CSV and NDJSON mark their names. */
  readonly simulated: readonly string[];
  /** The second sheet of a workbook; metadata of Parquet and Arrow. */
  readonly about?: AboutSheet;
  /** The caller, because callers are served in rotation. */
  readonly caller: string;
}

export interface FinishedExport {
  readonly path: string;
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}
