/** What is asked of a series of daily rates. */

import type { CurrencyIndex } from "#domain/currency.ts";
import type { Day, Instant } from "#domain/day.ts";
import type { Aggregate, DailyInterval, Order } from "#domain/export-plan.ts";
import type { AsOf } from "#domain/known.ts";
import type { Fill } from "#domain/series.ts";

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
