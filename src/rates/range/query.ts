/** The query for a series of daily rates, and its refusals before any row is read. */

import type { Dataset } from "#domain/dataset/dataset.ts";
import { Failure, refuseReversed } from "#domain/faults/errors.ts";
import { refuseDamaged, refuseDamagedPast } from "#domain/history/damage.ts";
import type { AsOf } from "#domain/history/observation.ts";
import type { Aggregate, DailyInterval } from "#domain/history/periods.ts";
import type { ExportLayout, Fill, Order } from "#domain/history/rate-columns.ts";
import type { Since } from "#domain/point-in-time/since.ts";
import { COVERAGE_START, LAST_DAY } from "#domain/time/day.ts";
import type { RatesWindow } from "#rates/query.ts";

export interface RangeQuery extends RatesWindow {
  readonly fill: Fill;
  /** Rows of a page, 1 to 366. */
  readonly limit: number;
  readonly cursor: string | null;
  /** The order of dates; absent: asc. */
  readonly order?: Order;
  /** One row a week, month, quarter or year; absent: 1d. */
  readonly interval?: DailyInterval;
  /** How a period becomes one value; absent: last. */
  readonly aggregate?: Aggregate;
  readonly asOf?: AsOf | null;
  readonly updatedAfter?: Since | null;
}

export interface DailyExport extends RangeQuery {
  readonly layout: ExportLayout;
  readonly dp: number | null;
}

/** Refuses queries that contradict themselves, independent of the data: Failure `invalid_request`. */
export function refuseContradictions({ start, end, asOf, updatedAfter, interval }: RangeQuery): void {
  const refuse = (reason: string): never => {
    throw new Failure("invalid_request", { reason });
  };
  refuseReversed({ start, end });
  if (updatedAfter === undefined || updatedAfter === null) return;
  if (asOf !== undefined && asOf !== null) {
    refuse("as_of and updated_after exclude each other: what was known then, or what changed since");
  }
  if (interval !== undefined && interval !== "1d") {
    refuse("updated_after is of daily rows: leave interval out");
  }
}

/** Failure `data_unavailable` when the window, or what changed in it, may be in damaged files. */
export function refuseDamagedRange(
  dataset: Dataset,
  { start, end, asOf, updatedAfter }: Pick<RangeQuery, "start" | "end" | "asOf" | "updatedAfter">,
): void {
  // Changes are looked up in all years.
  if ((updatedAfter ?? null) !== null) refuseDamagedPast(dataset, COVERAGE_START, LAST_DAY);
  else if ((asOf ?? null) === null) refuseDamaged(dataset, start, end);
}
