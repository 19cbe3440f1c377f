/** Point in time: a view of the dataset as it was known at an instant. */

import type { Dataset, View } from "#domain/dataset/dataset.ts";
import { Failure } from "#domain/faults/errors.ts";
import { refuseDamagedPast } from "#domain/history/damage.ts";
import type { Row } from "#domain/history/history.ts";
import type { AsOf } from "#domain/history/observation.ts";
import {
  datasetAsOf,
  isReconstructed,
  mayBeReconstructed,
  type Window,
} from "#domain/point-in-time/dataset.ts";
import { type Reach, reachOf, type Since } from "#domain/point-in-time/since.ts";
import { COVERAGE_START, type Day, dayAt, formatInstant, type Instant } from "#domain/time/day.ts";

/** What will be known is not known yet: Failure `invalid_request` for an instant after now. */
export function refuseFuture(name: string, instant: Instant, now: Instant): void {
  if (instant <= now) return;
  throw new Failure("invalid_request", {
    reason: `${name} ${formatInstant(instant)} is after now, ${formatInstant(now)}`,
  });
}

/**
 * What the copy of a client has of the dataset: all until an instant, and all days until a day. Failure `invalid_request` for an
 * instant that is later than both now and the newest retrieval; after a wrong clock the latter can be the later one.
 */
export function reachOfCopy(since: Since, dataset: Dataset, now: Instant): Reach {
  const reach = reachOf(since, dataset, now);
  if (reach !== null) return reach;
  throw new Failure("invalid_request", {
    reason: `updated_after ${since.text} is after now, ${formatInstant(now)}`,
  });
}

/**
 * The view as of an instant: what was known then, and that instant as its now, so that later days have no value.
 * With a window only its days can be read. Failure `invalid_request` for an instant after now,
 * `data_unavailable` where the days may be in damaged files.
 */
export function viewAsOf(view: View, { instant, basis }: AsOf, window: Window | null): View {
  refuseFuture("as_of", instant, view.now);
  refuseDamagedPast(view.dataset, window?.first ?? COVERAGE_START, window?.last ?? dayAt(view.now));
  return { dataset: datasetAsOf(view.dataset, instant, basis, window), now: instant };
}

/** True when any contributing observation came to this server only after the instant that the dataset was put back to. */
export function anyReconstructed(dataset: Dataset, rows: Iterable<Row>): boolean {
  if (!mayBeReconstructed(dataset)) return false;
  for (const row of rows) if (isReconstructed(dataset, row)) return true;
  return false;
}

/** Up to this size building a window is several times cheaper than building the whole, which others may share. */
const LONGEST_WINDOW = 800;

/** The part of history that is worth building for some days: null for all years, when the days are many. */
export function windowFor(start: Day, end: Day, now: Instant): Window | null {
  const first = Math.max(start, COVERAGE_START);
  const last = Math.min(end, dayAt(now));
  return last - first < LONGEST_WINDOW ? { first, last } : null;
}
