/** Pages of a time series, as values: daily rows as columns, periods and changes as rows, and bars. src/api/range prints them. */

import type { CurrencyCode, CurrencyIndex } from "#domain/currency/currency.ts";
import type { Source } from "#domain/currency/source.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import type { Aggregate, Bar, BarInterval, DailyInterval } from "#domain/history/periods.ts";
import type { Fill, Order } from "#domain/history/rate-columns.ts";
import type { Series } from "#domain/history/series.ts";
import type { Day, Instant } from "#domain/time/day.ts";
import type { KnownAsOf, Served } from "./rates.ts";

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
  readonly rates: readonly { readonly symbol: CurrencyIndex; readonly text: string }[];
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
  readonly rows: readonly BarRow[];
  /** Triangulated through the dollar. */
  readonly derivedSymbols: readonly CurrencyIndex[];
  readonly nextCursor: string | null;
}
