/** Rows that are made for one page and printed one by one: periods and changes. Daily rows are cut from blocks instead. */

import type { CurrencyIndex } from "#domain/currency/currency.ts";
import type { Row } from "#domain/history/history.ts";
import type { Day, Instant } from "#domain/time/day.ts";
import type { PageOrigin } from "./range-origin.ts";

export interface ListedRow {
  readonly date: Day;
  /** Position in DAILY_SOURCES of the least fresh contribution; -1 where every value of the row is gone. */
  readonly source: number;
  readonly filled: boolean;
  readonly rates: readonly { readonly symbol: CurrencyIndex; readonly text: string }[];
  /** What has changed about the row's values since an instant; null on rows that do not speak of it. */
  readonly changes: {
    readonly updated: readonly {
      readonly symbol: CurrencyIndex;
      readonly at: Instant;
      readonly revision: number;
    }[];
    readonly withdrawn: readonly CurrencyIndex[];
  } | null;
}

export interface ListedPage {
  readonly rows: readonly ListedRow[];
  readonly origin: PageOrigin;
  /** The observations that the values rest on, looked up only by who needs them. */
  readonly figures: readonly (() => Iterable<Row>)[];
  /** Day of the row after the page. */
  readonly next: Day | null;
}
