/** Rows of rates as parallel columns, and the content of an export as data: the use case decides it, the store makes and prints the rows. */

import type { CurrencyIndex } from "#domain/currency/currency.ts";
import { unitsText } from "#domain/number/decimal.ts";
import { DERIVED_DIGITS } from "#domain/number/leg-digits.ts";
import type { Day, Instant } from "#domain/time/day.ts";
import type { History } from "./history.ts";
import type { Aggregate, BarColumns, DailyInterval } from "./periods.ts";

/** none: only days on which every leg was published. previous: every calendar day, forward-filled. */
export type Fill = "none" | "previous";

/** The rate rests on more than one figure. */
export const DERIVED = 1;
/** At least one leg was observed on an earlier day. */
export const FILLED = 2;
/** The digits are the published ones, with the zeros that `scale` implies. */
export const AS_PUBLISHED = 4;
/** There was a value once, and there is none now: `rate` is NaN. */
export const WITHDRAWN = 8;

/** `rate` is the double nearest to its decimal of `scale` places. */
export interface RateColumns {
  count: number;
  /** CurrencyIndex. */
  readonly symbol: Uint8Array;
  readonly date: Int32Array;
  readonly rate: Float64Array;
  readonly scale: Uint8Array;
  /** Position in DAILY_SOURCES of the least fresh leg. */
  readonly source: Uint8Array;
  /** Position in DAILY_SOURCES of the symbol's own leg; as `source` where the symbol is a pivot. Exports leave it out. */
  readonly ownSource: Uint8Array;
  /** DERIVED, FILLED, AS_PUBLISHED, WITHDRAWN. */
  readonly flags: Uint8Array;
  /** derivation_bps_max; NaN where there is none. */
  readonly bound: Float64Array;
  /** Observation time of the least fresh leg. */
  readonly observedAt: Float64Array;
  /** Highest revision among the legs and their latest retrieval; of changes only, else 0. */
  readonly revision: Uint16Array;
  readonly updatedAt: Float64Array;
}

export function emptyRateColumns(capacity: number): RateColumns {
  return {
    count: 0,
    symbol: new Uint8Array(capacity),
    date: new Int32Array(capacity),
    rate: new Float64Array(capacity),
    scale: new Uint8Array(capacity),
    source: new Uint8Array(capacity),
    ownSource: new Uint8Array(capacity),
    flags: new Uint8Array(capacity),
    bound: new Float64Array(capacity),
    observedAt: new Float64Array(capacity),
    revision: new Uint16Array(capacity),
    updatedAt: new Float64Array(capacity),
  };
}

const LARGEST_EXACT = 2 ** 53;
/** Powers of ten, exactly. */
export const TENS: readonly number[] = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);
const SMALLEST = TENS[DERIVED_DIGITS - 1] as number;
const LARGEST = TENS[DERIVED_DIGITS] as number;

/** The digits of a printed decimal. */
export function setDigits(into: RateColumns, row: number, text: string): void {
  const point = text.indexOf(".");
  into.rate[row] = Number(text);
  into.scale[row] = point < 0 ? 0 : text.length - point - 1;
}

/**
 * Sets a row to numerator / denominator (whole and positive), half-even to ten significant digits; false where doubles
 * cannot decide. The bounds are those of ratioText.
 */
export function setQuotient(into: RateColumns, row: number, numerator: number, denominator: number): boolean {
  if (numerator >= LARGEST_EXACT || denominator >= LARGEST_EXACT) return false;
  const quotient = numerator / denominator;
  let scale = DERIVED_DIGITS - 1 - Math.floor(Math.log10(quotient));
  if (!(scale >= 1 && scale <= 21)) return false;
  let shifted = quotient * (TENS[scale] as number);
  if (shifted < SMALLEST) {
    scale += 1;
    shifted = quotient * (TENS[scale] as number);
  } else if (shifted >= LARGEST) {
    scale -= 1;
    shifted = quotient * (TENS[scale] as number);
  }
  const whole = Math.floor(shifted);
  if (!(Math.abs(shifted - whole - 0.5) > 1e-3)) return false;
  into.rate[row] = (shifted - whole > 0.5 ? whole + 1 : whole) / (TENS[scale] as number);
  into.scale[row] = scale;
  return true;
}

/** The digits of a row: as published, or without zeros at the end. */
export function rateText(columns: RateColumns, row: number): string {
  let units = unitsOf(columns, row);
  let scale = columns.scale[row] as number;
  const isPublished = ((columns.flags[row] as number) & AS_PUBLISHED) !== 0;
  while (!isPublished && scale > 0 && units % 10 === 0) {
    units /= 10;
    scale -= 1;
  }
  return unitsText(units, scale);
}

/** The digits as an integer: exact, for the rate is the double nearest to them and they are at most 15. */
function unitsOf({ rate, scale }: RateColumns, row: number): number {
  return Math.round((rate[row] as number) * (TENS[scale[row] as number] as number));
}

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
  /** Rates are rounded to at most so many decimals; null leaves them as they are. */
  readonly dp: number | null;
  readonly content: Crosses | ChangedRows;
}

/** The rates in force, which the store computes from the figures. */
export interface Crosses {
  readonly history: History;
  readonly first: Day;
  /** Not after the last day with a value in force. */
  readonly last: Day;
  /** Where the last period ends, which may be later. */
  readonly until: Day;
  readonly fill: Fill;
  readonly interval: DailyInterval;
  readonly aggregate: Aggregate;
}

/** What has changed: rows with revision and time, and withdrawn ones without a rate. */
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
