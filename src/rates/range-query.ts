/** What is asked of a series of daily rates. */

import type { CurrencyIndex } from "#domain/currency/currency.ts";
import type { Aggregate, DailyInterval, Order } from "#domain/history/export-plan.ts";
import type { Fill } from "#domain/history/series.ts";
import type { AsOf } from "#domain/point-in-time/known.ts";
import type { Day, Instant } from "#domain/time/day.ts";

export interface RangeQuery {
  readonly base: CurrencyIndex;
  readonly symbols: readonly CurrencyIndex[];
  readonly start: Day;
  readonly end: Day;
  readonly fill: Fill;
  /** Rows of a page, 1 to 366. */
  readonly limit: number;
  readonly cursor: string | null;
  /** By date; absent: asc. */
  readonly order?: Order;
  /** One row a week or month; absent: 1d. */
  readonly interval?: DailyInterval;
  /** How a week or month becomes one value; absent: last. */
  readonly aggregate?: Aggregate;
  /** Limits the answer to what was known then. */
  readonly asOf?: AsOf | null;
  /** Limits the answer to what changed since, by retrieval time. */
  readonly updatedAfter?: Instant | null;
}
