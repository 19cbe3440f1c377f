/** Says why a day or window has no rate: Failure `no_data_for_date` with the reason. */

import type { CurrencyIndex } from "#domain/currency/currency.ts";
import type { Dataset, View } from "#domain/dataset/dataset.ts";
import { Failure } from "#domain/faults/errors.ts";
import { crossRate } from "#domain/history/cross.ts";
import { FILL_DAYS } from "#domain/history/history.ts";
import type { AsOf } from "#domain/history/observation.ts";
import type { Fill } from "#domain/history/rate-columns.ts";
import { earliestKnown } from "#domain/point-in-time/dataset.ts";
import { COVERAGE_START, type Day, dayAt, formatDay, formatInstant } from "#domain/time/day.ts";

/** Of one day, whose rates are filled from the days before it. `present` is the view of now, also where `asOf` limits the answer. */
export function noRateOn(present: View, day: Day, asOf: AsOf | null = null): Failure {
  const date = formatDay(day);
  return because(
    outsideOf(present, { start: day, end: day }, asOf, { begins: date, ends: date }) ??
      `${NO_RATE} was published on ${date} or within the ${FILL_DAYS} days before it${limitOf(present.dataset, asOf)}`,
  );
}

interface EmptyWindow {
  readonly start: Day;
  readonly end: Day;
  readonly fill: Fill;
  readonly asOf?: AsOf | null;
}

interface NamedWindow extends EmptyWindow {
  readonly base: CurrencyIndex;
  readonly symbols: readonly CurrencyIndex[];
}

/**
 * Refuses a window that has no row, unless filling gives it some: on a weekend nothing is published, and an empty answer says so.
 * `view` is what the rows were looked for in, put back to `asOf` where there is one.
 */
export function refuseEmptyWindow(present: View, view: View, window: NamedWindow): void {
  if (window.fill === "none" && hasFilledDay(view, window)) return;
  throw noRateIn(present, window);
}

/** A figure published in the window is in force for longer than a step, one from before it on the first day. */
const STEP_DAYS = FILL_DAYS / 2;

function hasFilledDay({ dataset, now }: View, { base, symbols, start, end }: NamedWindow): boolean {
  const last = Math.min(end, dayAt(now));
  for (let day = Math.max(start, COVERAGE_START); day <= last; day += STEP_DAYS)
    if (symbols.some((symbol) => crossRate(dataset.history, day, base, symbol) !== null)) return true;
  return false;
}

/** Of a window of days. */
function noRateIn(present: View, { start, end, asOf = null }: EmptyWindow): Failure {
  const [first, last] = [formatDay(start), formatDay(end)];
  const subjects = {
    begins: `the window begins on ${first}, which`,
    ends: `the window ends on ${last}, which`,
  };
  const span = start === end ? `on ${first}` : `from ${first} to ${last}`;
  const limit = limitOf(present.dataset, asOf);
  return because(
    outsideOf(present, { start, end }, asOf, subjects) ??
      `${NO_RATE} was published ${span} or within the ${FILL_DAYS} days before ${first}${limit}`,
  );
}

const NO_RATE = "no requested rate";

function because(reason: string): Failure {
  return new Failure("no_data_for_date", { reason });
}

/** What lies wholly after what can be known, or before coverage; null for what does not. */
function outsideOf(
  { now, dataset }: View,
  { start, end }: Pick<EmptyWindow, "start" | "end">,
  asOf: AsOf | null,
  { begins, ends }: { readonly begins: string; readonly ends: string },
): string | null {
  if (end < COVERAGE_START) return `${ends} is before ${formatDay(COVERAGE_START)}, where coverage starts`;
  const today = dayAt(now);
  if (start > today) return `${begins} is after today, ${formatDay(today)} (UTC): there is no rate of it yet`;
  if (asOf === null) return null;
  const known = dayAt(asOf.instant);
  if (start <= known) return null;
  return `${begins} is after ${formatDay(known)}, the day of as_of${beganAfter(dataset, asOf)}`;
}

/** Names the limit of knowledge of a point-in-time query. */
function limitOf(dataset: Dataset, asOf: AsOf | null): string {
  if (asOf === null) return "";
  return `, as far as was known at ${formatInstant(asOf.instant)}${beganAfter(dataset, asOf)}`;
}

/** Since when anything is known, where that is later than the instant requested. */
function beganAfter(dataset: Dataset, { instant, basis }: AsOf): string {
  const earliest = earliestKnown(dataset, basis);
  return earliest === null || earliest <= instant
    ? ""
    : `; nothing was known before ${formatInstant(earliest)}`;
}
