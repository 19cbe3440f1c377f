/** Questions about a series that are refused before anything is looked up, and those whose figures may be damaged. */

import { refuseDamaged, refuseDamagedPast } from "#domain/faults/damage.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { Dataset } from "#domain/history/dataset.ts";
import { COVERAGE_START, type Day, formatDay } from "#domain/time/day.ts";
import type { RangeQuery } from "./range-query.ts";

/** Later than any day there is. */
const LAST_DAY: Day = Number.MAX_SAFE_INTEGER;

/** What contradicts itself whatever the data holds: Failure `invalid_request`. */
export function refuseContradictions({ start, end, asOf, updatedAfter, interval }: RangeQuery): void {
  const refuse = (reason: string): never => {
    throw new Failure("invalid_request", { reason });
  };
  if (start > end) refuse(`start_date ${formatDay(start)} is after end_date ${formatDay(end)}`);
  if (updatedAfter === undefined || updatedAfter === null) return;
  if (asOf !== undefined && asOf !== null) {
    refuse("as_of and updated_after exclude each other: what was known then, or what changed since");
  }
  if (interval !== undefined && interval !== "1d") {
    refuse("updated_after speaks of daily rows: leave interval out");
  }
}

/** Failure `data_unavailable` when the window, or what changed in it, may be in damaged files. */
export function refuseDamagedRange(
  dataset: Dataset,
  { start, end, asOf, updatedAfter }: Pick<RangeQuery, "start" | "end" | "asOf" | "updatedAfter">,
): void {
  // What changed lately is looked for in all years.
  if ((updatedAfter ?? null) !== null) refuseDamagedPast(dataset, COVERAGE_START, LAST_DAY);
  else if ((asOf ?? null) === null) refuseDamaged(dataset, start, end);
}
