/** The results of the rates use cases, as values: rates, and pages of a series. src/api/rates and src/api/range print them. */

import type { CurrencyCode, CurrencyIndex } from "#domain/currency/currency.ts";
import type { Source } from "#domain/currency/source.ts";
import type { Dataset, Provenance, Simulated } from "#domain/dataset/dataset.ts";
import type { Cross } from "#domain/history/cross.ts";
import type { AsOf } from "#domain/history/observation.ts";
import type { Aggregate, Bar, BarInterval, DailyInterval, QuoteSide } from "#domain/history/periods.ts";
import type { Fill, Order } from "#domain/history/rate-columns.ts";
import type { Series } from "#domain/history/series.ts";
import type { QuoteImport } from "#domain/live/quote-file.ts";
import type { Decimal } from "#domain/number/decimal.ts";
import type { SpotOrigin, SpotRate } from "#domain/spot/rates.ts";
import type { MarketSession } from "#domain/time/calendar.ts";
import type { Day, Instant } from "#domain/time/day.ts";

export interface Served {
  readonly session: MarketSession;
  readonly simulated: Simulated;
}

/** The limit of knowledge of an answer. */
export interface KnownAsOf extends AsOf {
  /** True when a figure came to this server only after the instant. */
  readonly reconstructed: boolean;
}

export interface LatestRates extends Served {
  readonly base: CurrencyIndex;
  /** At least one. */
  readonly rates: readonly SpotRate[];
  readonly missing: readonly CurrencyIndex[];
  readonly origin: SpotOrigin;
  /** Decimals to round to; null: all digits. */
  readonly dp: number | null;
}

export interface HistoricalRates extends Served {
  readonly base: CurrencyIndex;
  readonly day: Day;
  /** At least one. */
  readonly rates: readonly (readonly [CurrencyIndex, Cross])[];
  readonly missing: readonly CurrencyIndex[];
  readonly origin: Provenance;
  readonly dp: number | null;
  /** Null without a limit of knowledge (`as_of`). */
  readonly asOf: KnownAsOf | null;
}

/** One pair: the rate in decimal digits, and where it comes from. */
export interface PairRate extends Served {
  readonly base: CurrencyIndex;
  readonly quote: CurrencyIndex;
  /** Units of `quote` per one `base`. */
  readonly rate: string;
  /** True when the rate goes through a third currency. */
  readonly derived: boolean;
  /** Ceiling of the error of a derived rate in basis points; null where there is none to state. */
  readonly boundBps: number | null;
  readonly source: Source;
  readonly sources: Readonly<Record<string, Source>>;
  /** Time of the oldest contributing observation. */
  readonly dataUpdatedAt: Instant;
  /** As in answers with several rates. */
  readonly effectiveAt: Readonly<Record<string, string>>;
  readonly stale: boolean;
  /** True when any daily reference figure contributes. */
  readonly isReference: boolean;
}

export interface Conversion extends PairRate {
  readonly amount: Decimal;
  /** `rate` times `amount`, to at most 15 significant digits. */
  readonly converted: string;
  /** The past day of the rates; null for the latest. */
  readonly day: { readonly date: Day; readonly forwardFilled: boolean } | null;
}

export interface ConversionBatch extends Served {
  readonly from: CurrencyIndex;
  readonly missing: readonly CurrencyIndex[];
  /** In the order of the query. */
  readonly conversions: readonly {
    readonly rate: SpotRate;
    readonly amount: Decimal;
    readonly converted: string;
    readonly boundBps: number | null;
  }[];
  readonly origin: SpotOrigin;
}

/** A currency of the catalog with its sources and days of data. */
export interface CurrencyFacts {
  readonly currency: CurrencyIndex;
  /** Decimals in which its daily reference rate is published; null before anything was collected. */
  readonly decimals: number | null;
  /** True when its rate from the dollar is triangulated. */
  readonly derived: boolean;
  readonly live: boolean;
  /** The preferred one first. */
  readonly sources: readonly Source[];
  /** First day with a rate against the dollar; null before anything was collected. */
  readonly historyStart: Day | null;
  /** Last date with a published figure; null before anything was collected. */
  readonly lastDate: Day | null;
}

/** Rows that many pages share. */
export interface RowBlock {
  /** Names the rows: equal for equal rows of one version of the data. */
  readonly key: string;
  /** Days on which any symbol has a value, ascending. */
  readonly days: Int32Array;
  /** Position in DAILY_SOURCES of the row's least fresh contribution. */
  readonly sources: Uint8Array;
  /** 1 where any value of the row is forward-filled. */
  readonly filled: Uint8Array;
}

/** Rows `from` to before `to` of a block, with the series that hold their values. */
export interface RowSpan {
  readonly block: RowBlock;
  readonly from: number;
  readonly to: number;
  readonly columns: readonly Series[];
}

/** A row that was made for one page: a period, or what has changed on a day. */
export interface ListedRow {
  readonly date: Day;
  /** Position in DAILY_SOURCES of the least fresh contribution; -1 where every value of the row is withdrawn. */
  readonly source: number;
  readonly filled: boolean;
  readonly rates: readonly {
    readonly symbol: CurrencyIndex;
    readonly text: string;
    /** The last day that counts in the value of a period; absent on rows of changes. */
    readonly to?: Day;
  }[];
  /** What has changed about the row's values since an instant; null on rows of periods. */
  readonly changes: {
    readonly updated: readonly {
      readonly symbol: CurrencyIndex;
      readonly at: Instant;
      readonly revision: number;
    }[];
    readonly withdrawn: readonly CurrencyIndex[];
  } | null;
}

/** Facts about all rows of a page together; null on a page without values. */
export interface PageOrigin {
  readonly source: Source | null;
  readonly symbolSources: Readonly<Record<string, Source>>;
  readonly dataUpdatedAt: Instant | null;
  readonly derivedSymbols: readonly CurrencyCode[];
}

/** One page: its rows are `listed`, or else those of the spans; a value there is `textAt(column, day - column.firstDay)`. */
export interface RangePage extends Served {
  readonly dataset: Dataset;
  readonly base: CurrencyIndex;
  readonly start: Day;
  readonly end: Day;
  readonly fill: Fill;
  readonly interval: DailyInterval;
  readonly aggregate: Aggregate;
  readonly symbols: readonly CurrencyIndex[];
  /** Order of the spans, and of the rows within them. */
  readonly order: Order;
  readonly spans: readonly RowSpan[];
  readonly listed: readonly ListedRow[] | null;
  readonly origin: PageOrigin;
  readonly nextCursor: string | null;
  /** Present on an answer as of an instant. */
  readonly asOf: KnownAsOf | null;
  /** Present on an answer of changes: since when, and what to send as `updated_after` next time. */
  readonly sync: { readonly updatedAfter: string; readonly from: string } | null;
}

/** The bars of one interval of time; symbols without a quote in it are absent. */
export interface BarRow {
  readonly start: Instant;
  readonly bars: readonly (readonly [CurrencyIndex, Bar])[];
}

export interface BarsPage extends Served {
  readonly base: CurrencyIndex;
  readonly symbols: readonly CurrencyIndex[];
  readonly start: Day;
  readonly end: Day;
  readonly interval: BarInterval;
  readonly side: QuoteSide;
  readonly rows: readonly BarRow[];
  /** Triangulated through the dollar. */
  readonly derivedSymbols: readonly CurrencyIndex[];
  /** The files that imported bars of the page rest on. */
  readonly imports: readonly QuoteImport[];
  readonly nextCursor: string | null;
}
