/** Point in time: reading `as_of` and `updated_after`, and a view of the dataset as it was known then. */

import { refuseDamagedPast } from "#domain/faults/damage.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { Dataset, View } from "#domain/history/dataset.ts";
import type { Row } from "#domain/history/history.ts";
import {
  datasetAsOf,
  isReconstructed,
  mayBeReconstructed,
  type Window,
} from "#domain/point-in-time/dataset.ts";
import { AS_OF_BASES, type AsOf, type AsOfBasis } from "#domain/point-in-time/known.ts";
import { COVERAGE_START, type Day, dayAt, formatInstant, type Instant, parseDay } from "#domain/time/day.ts";

const INSTANT = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,3})?Z$/;

/** A UTC instant out of a query, `YYYY-MM-DDTHH:MM:SS[.sss]Z`; Failure `invalid_request` naming the parameter. */
export function parseInstant(name: string, text: string): Instant {
  const match = INSTANT.exec(text);
  if (match !== null && parseDay(match[1] as string) !== null) return Date.parse(text);
  const reason =
    parseDay(text) === null
      ? `${name} must be a UTC instant such as 2026-04-13T16:30:00Z`
      : `${name} must be an instant, not a day: write ${text}T23:59:59Z for the end of that day, UTC`;
  throw new Failure("invalid_request", { reason });
}

/**
 * `as_of` and `as_of_basis` (absent: undefined) → the limit of knowledge, null without one. Failure `invalid_request`
 * for a malformed instant, an unknown basis, or a basis alone.
 */
export function parseAsOf(asOf: string | undefined, basis: string | undefined): AsOf | null {
  if (asOf === undefined) {
    if (basis === undefined) return null;
    throw new Failure("invalid_request", { reason: "as_of_basis says how as_of is meant: send as_of too" });
  }
  const found: AsOfBasis | undefined =
    basis === undefined ? AS_OF_BASES[0] : AS_OF_BASES.find((candidate) => candidate === basis.toLowerCase());
  if (found === undefined) {
    throw new Failure("invalid_request", { reason: `as_of_basis must be one of ${AS_OF_BASES.join(", ")}` });
  }
  return { instant: parseInstant("as_of", asOf), basis: found };
}

/** Nobody knows yet what will be known: Failure `invalid_request` for an instant after now. */
export function refuseFuture(name: string, instant: Instant, now: Instant): void {
  if (instant <= now) return;
  throw new Failure("invalid_request", {
    reason: `${name} ${formatInstant(instant)} is after now, ${formatInstant(now)}`,
  });
}

/**
 * The view as of an instant: what was known then, and that instant as its now, so that later days have no value.
 * With a window only its days can be asked about. Failure `invalid_request` for an instant after now,
 * `data_unavailable` where the days may be in damaged files.
 */
export function viewAsOf(view: View, { instant, basis }: AsOf, window: Window | null): View {
  refuseFuture("as_of", instant, view.now);
  refuseDamagedPast(view.dataset, window?.first ?? COVERAGE_START, window?.last ?? dayAt(view.now));
  return { dataset: datasetAsOf(view.dataset, instant, basis, window), now: instant };
}

/** The members that an as_of answer has more; `rows` are the observations that contribute to it. */
export function asOfMembers({ dataset }: View, rows: Iterable<Row>) {
  const { asOf } = dataset;
  if (asOf === undefined) return {};
  return {
    as_of: formatInstant(asOf.instant),
    as_of_basis: asOf.basis,
    as_of_reconstructed: anyReconstructed(dataset, rows),
  };
}

/** True when any contributing observation came to this server only after the instant that the dataset was put back to. */
export function anyReconstructed(dataset: Dataset, rows: Iterable<Row>): boolean {
  if (!mayBeReconstructed(dataset)) return false;
  for (const row of rows) if (isReconstructed(dataset, row)) return true;
  return false;
}

/** Up to here a window of its own is several times cheaper than the whole, which others may share. */
const LONGEST_WINDOW = 800;

/** The part of history that is worth building for some days: null for all years, when the days are many. */
export function windowFor(start: Day, end: Day, now: Instant): Window | null {
  const first = Math.max(start, COVERAGE_START);
  const last = Math.min(end, dayAt(now));
  return last - first < LONGEST_WINDOW ? { first, last } : null;
}
