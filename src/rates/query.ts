/** Shared by all rates use cases: the dataset and instant of a request (also a past one), and refusals of days without a rate. */

import { CURRENCY_COUNT, type CurrencyIndex, currencyCode } from "#domain/currency/currency.ts";
import type { Dataset, View } from "#domain/dataset/dataset.ts";
import { Failure } from "#domain/faults/errors.ts";
import { type Cross, crossRate } from "#domain/history/cross.ts";
import { damagedFailure, notCollected, refuseDamaged, refuseDamagedPast } from "#domain/history/damage.ts";
import { FILL_DAYS, type Row, rowSource } from "#domain/history/history.ts";
import type { AsOf } from "#domain/history/observation.ts";
import type { Fill } from "#domain/history/rate-columns.ts";
import { givenOn, refusePending } from "#domain/intake/reading.ts";
import { OLDEST_OPEN_HOURS } from "#domain/live/quote-evidence.ts";
import {
  datasetAsOf,
  earliestKnown,
  isPastLost,
  isReconstructed,
  mayBeReconstructed,
  type Window,
} from "#domain/point-in-time/dataset.ts";
import { type Reach, reachOf, type Since } from "#domain/point-in-time/since.ts";
import type { SpotTable } from "#domain/spot/table.ts";
import { COVERAGE_START, type Day, dayAt, formatDay, formatInstant, type Instant } from "#domain/time/day.ts";
import type { Clock } from "#ports.ts";
import type { Spot } from "./spot.ts";

export interface DailyDeps {
  /** The newest dataset, or null before the first ingest. */
  readonly dataset: () => Dataset | null;
  readonly clock: Clock;
}

export interface RatesDeps extends DailyDeps {
  readonly spot: Spot;
}

/** Pins one dataset and one instant for a whole request; Failure `data_unavailable` before the first ingest. */
export function openView(deps: DailyDeps): View {
  const dataset = deps.dataset();
  if (dataset === null || dataset.history.observations.count === 0) throw notCollected();
  return { dataset, now: deps.clock.now() };
}

/** The rates that a day has: of `symbols` in their order, or for null of every currency but the base, in the catalog's order. */
export function ratesOn(
  view: View,
  day: Day,
  base: CurrencyIndex,
  symbols: readonly CurrencyIndex[] | null,
): readonly (readonly [CurrencyIndex, Cross])[] {
  const rates: (readonly [CurrencyIndex, Cross])[] = [];
  for (const currency of symbols ?? everyOther(base)) {
    const cross = crossRate(view.dataset.history, day, base, currency);
    if (cross !== null) rates.push([currency, cross]);
  }
  return rates;
}

export function everyOther(base: CurrencyIndex): CurrencyIndex[] {
  return Array.from({ length: CURRENCY_COUNT }, (_, index) => index).filter((index) => index !== base);
}

/**
 * The reason why none of the currencies (the base first) has a latest rate: `no_data_for_date` when they are suspended,
 * `live_unavailable` when a live rate has expired, else `data_unavailable`.
 */
export function withoutRate(table: SpotTable, currencies: readonly CurrencyIndex[]): Failure {
  const expired = currencies.map(currencyCode).filter((code) => table.expired.has(code));
  if (table.isDamaged) return damagedFailure();
  const lacking = currencies.filter((currency) => table.chains[currency] === null);
  const suspended = lacking.filter((currency) => isSuspended(table, currency));
  // A suspended base leaves no rate at all.
  const isBase = suspended.includes(currencies[0] as CurrencyIndex);
  if (isBase || (suspended.length > 0 && suspended.length === lacking.length))
    return suspendedFailure(table, suspended);
  if (expired.length === 0) return notCollected(table.daily.newestDay);
  return new Failure("live_unavailable", {
    reason: `the live rate of ${expired.join(", ")} is more than ${OLDEST_OPEN_HOURS} hours of open market old, and no daily reference is newer; see /status`,
  });
}

/** Whether the currency is suspended: a retry cannot help. */
export function isSuspended({ chains, daily, expired }: SpotTable, currency: CurrencyIndex): boolean {
  return chains[currency] === null && daily.suspended.has(currency) && !expired.has(currencyCode(currency));
}

function suspendedFailure({ daily }: SpotTable, currencies: readonly CurrencyIndex[]): Failure {
  const each = currencies.map(
    (currency) => `${currencyCode(currency)} since ${formatDay(daily.suspended.get(currency) as Day)}`,
  );
  return new Failure("no_data_for_date", {
    reason: `no figure was published of ${each.join(", ")}, and one is in force for ${FILL_DAYS} days; /v1/{date} has the days before`,
  });
}

/** Requested currencies without a rate in the answer, in order. */
export function missingOf(
  requested: readonly CurrencyIndex[],
  rated: Iterable<CurrencyIndex>,
): readonly CurrencyIndex[] {
  const present = new Set(rated);
  return requested.filter((currency) => !present.has(currency));
}

/** Some rates of some days, both days included. */
export interface RatesWindow {
  readonly base: CurrencyIndex;
  readonly symbols: readonly CurrencyIndex[];
  readonly start: Day;
  readonly end: Day;
}

interface RatesRequest {
  readonly base: CurrencyIndex;
  /** null: every other currency. */
  readonly symbols: readonly CurrencyIndex[] | null;
}

/** Failure `data_unavailable` when the latest rates need a source that was never collected. */
export function refusePendingLatest({ pending, chains }: SpotTable, request: RatesRequest): void {
  const sourceOf = (currency: CurrencyIndex) => chains[currency]?.[0]?.figure.source ?? null;
  refusePending(pending, { ...request, sourceOf: sourceOf });
}

/** As refusePendingLatest, for daily rates of a window, both days included. With `as_of_basis=retrieved` no source is awaited. */
export function refusePendingDays(
  { dataset, now }: View,
  window: RatesRequest & { readonly start: Day; readonly end: Day; readonly asOf?: AsOf | null },
): void {
  if (dataset.pending === undefined || window.asOf?.basis === "retrieved") return;
  const first = Math.max(window.start, COVERAGE_START);
  const last = Math.min(window.end, dayAt(now));
  if (first > last) return;
  for (const day of [first, last])
    refusePending(dataset.pending, { ...window, sourceOf: givenOn(dataset.history, day), day });
}

/** `asOf`, and whether any figure of the answer came to this server only after the instant; null without `asOf`. */
export function knownAsOf(asOf: AsOf | null, dataset: Dataset, figures: Iterable<Row>) {
  return asOf === null ? null : { ...asOf, reconstructed: anyReconstructed(dataset, figures) };
}

export type KnownAsOf = NonNullable<ReturnType<typeof knownAsOf>>;

/** Dependencies with the figures of the ECB alone; other sources are not awaited. */
export function ecbAlone<Deps extends DailyDeps>(deps: Deps): Deps {
  const dataset = (): Dataset | null => {
    const whole = deps.dataset();
    return whole === null ? null : ofEcb(whole);
  };
  return { ...deps, dataset };
}

/** An ECB figure in force is preferred to all others: leaving the others out gives exactly the ECB's own history. */
function ofEcb({ history, pending, ...rest }: Dataset): Dataset {
  const version = `${history.version} ecb`;
  const inForce = (day: Day, currency: CurrencyIndex): Row => {
    const row = history.inForce(day, currency);
    return row >= 0 && rowSource(history, row) === "ecb_daily" ? row : -1;
  };
  const awaited = pending?.filter(({ source }) => source === "ecb_daily");
  return { ...rest, history: { ...history, version, inForce }, ...(awaited && { pending: awaited }) };
}

/** Why a day has no rate. `present` is the view of now, even with `asOf`. */
export function noRateOn(present: View, day: Day, asOf: AsOf | null = null): Failure {
  return noRateIn(present, { start: day, end: day, asOf });
}

interface EmptyWindow extends RatesWindow {
  readonly fill: Fill;
  readonly asOf?: AsOf | null;
}

/**
 * Failure `no_data_for_date` for a window without a row. Without filling, a window whose days have a rate in force is allowed:
 * on a weekend nothing is published. `view` is as of `asOf`, `present` is of now.
 */
export function refuseEmptyWindow(present: View, view: View, window: EmptyWindow): void {
  if (window.fill === "none" && hasFilledDay(view, window)) return;
  throw noRateIn(present, window);
}

/** Why no rate was published in a window; it suggests `method=calendar` when a rate was in force. */
export function nothingPublished(present: View, view: View, window: EmptyWindow): Failure {
  if (window.fill === "previous" || !hasFilledDay(view, window)) return noRateIn(present, window);
  const [first, last] = [formatDay(window.start), formatDay(window.end)];
  const reason = `no requested rate was published from ${first} to ${last}: method=calendar counts every day, with the rate in force`;
  return because(reason);
}

/** Smaller than FILL_DAYS: a step cannot jump over a figure in force. */
const STEP_DAYS = FILL_DAYS / 2;

function hasFilledDay({ dataset, now }: View, { base, symbols, start, end }: EmptyWindow): boolean {
  const last = Math.min(end, dayAt(now));
  for (let day = Math.max(start, COVERAGE_START); day <= last; day += STEP_DAYS)
    if (symbols.some((symbol) => crossRate(dataset.history, day, base, symbol) !== null)) return true;
  return false;
}

/** Says whether the window is after today or `asOf`, before coverage, or empty. */
function noRateIn(
  { now, dataset }: View,
  { start, end, asOf = null }: Pick<EmptyWindow, "start" | "end" | "asOf">,
): Failure {
  const [first, last] = [formatDay(start), formatDay(end)];
  const isDay = start === end;
  if (end < COVERAGE_START) {
    const ends = isDay ? last : `the window ends on ${last}, which`;
    return because(`${ends} is before ${formatDay(COVERAGE_START)}, where coverage starts`);
  }
  const begins = isDay ? first : `the window begins on ${first}, which`;
  const today = dayAt(now);
  if (start > today)
    return because(`${begins} is after today, ${formatDay(today)} (UTC): there is no rate of it yet`);
  if (asOf !== null && start > dayAt(asOf.instant)) {
    const asOfDay = formatDay(dayAt(asOf.instant));
    return because(`${begins} is after ${asOfDay}, the day of as_of${beganAfter(dataset, asOf)}`);
  }
  const span = isDay ? `on ${first}` : `from ${first} to ${last}`;
  const before = `within the ${FILL_DAYS} days before ${isDay ? "it" : first}`;
  return because(`no requested rate was published ${span} or ${before}${limitOf(dataset, asOf)}`);
}

function because(reason: string): Failure {
  return new Failure("no_data_for_date", { reason });
}

function limitOf(dataset: Dataset, asOf: AsOf | null): string {
  if (asOf === null) return "";
  return `, as far as was known at ${formatInstant(asOf.instant)}${beganAfter(dataset, asOf)}`;
}

/** A clause with the first known instant if that is after `instant`, else "". */
function beganAfter(dataset: Dataset, { instant, basis }: AsOf): string {
  const earliest = earliestKnown(dataset, basis);
  return earliest === null || earliest <= instant
    ? ""
    : `; nothing was known before ${formatInstant(earliest)}`;
}

/** Failure `invalid_request` for an instant after now. */
export function refuseFuture(name: string, instant: Instant, now: Instant): void {
  if (instant <= now) return;
  throw new Failure("invalid_request", {
    reason: `${name} ${formatInstant(instant)} is after now, ${formatInstant(now)}`,
  });
}

/**
 * What a client's copy holds. Failure `invalid_request` for an instant after both now and the newest retrieval. (A wrong clock may
 * have dated the newest retrieval after now.)
 */
export function reachOfCopy(since: Since, dataset: Dataset, now: Instant): Reach {
  const reach = reachOf(since, dataset, now);
  if (reach !== null) return reach;
  throw new Failure("invalid_request", {
    reason: `updated_after ${since.text} is after now, ${formatInstant(now)}`,
  });
}

/**
 * The view of what was known at an instant; its `now` is that instant. With a window, only the window's days can be read. Failures:
 * `invalid_request` for an instant after now, `data_unavailable` when the days may be in damaged files, or a past value is lost.
 */
export function viewAsOf(view: View, { instant, basis }: AsOf, window: Window | null): View {
  refuseFuture("as_of", instant, view.now);
  const days = window ?? { first: COVERAGE_START, last: dayAt(view.now) };
  refuseDamagedPast(view.dataset, days.first, days.last);
  if (isPastLost(view.dataset, instant, days))
    throw new Failure("data_unavailable", {
      reason:
        "a value known at that instant was lost with a damaged file, so what was known then cannot be served",
    });
  return { dataset: datasetAsOf(view.dataset, instant, basis, window), now: instant };
}

/**
 * `present` is the view of now. `view` is the same, or with `asOf` the view at that instant, for the days from `start` to `end`.
 * Failures: `invalid_request` for an `asOf` after now; `no_data_for_date` before coverage, after today or after the day of
 * `asOf`; `data_unavailable` when a source was never collected or a file is damaged.
 */
export function viewsOfDays(
  deps: DailyDeps,
  query: RatesRequest & { readonly start: Day; readonly end: Day; readonly asOf: AsOf | null },
): { readonly present: View; readonly view: View } {
  const { start, end, asOf } = query;
  const present = openView(deps);
  if (asOf !== null) refuseFuture("as_of", asOf.instant, present.now);
  for (const day of [start, end])
    if (day < COVERAGE_START || day > dayAt(asOf?.instant ?? present.now)) throw noRateOn(present, day, asOf);
  if (asOf === null) refuseDamaged(present.dataset, start, end);
  refusePendingDays(present, query);
  const view = asOf === null ? present : viewAsOf(present, asOf, windowFor(start, end, asOf.instant));
  return { present, view };
}

/** Whether any figure reached this server only after the instant. */
export function anyReconstructed(dataset: Dataset, rows: Iterable<Row>): boolean {
  if (!mayBeReconstructed(dataset)) return false;
  for (const row of rows) if (isReconstructed(dataset, row)) return true;
  return false;
}

/** In days. A window up to this size is much cheaper to build than all years, although other requests may share those. */
const LONGEST_WINDOW = 800;

/** The part of history to build for some days; null for all years. */
export function windowFor(start: Day, end: Day, now: Instant): Window | null {
  const first = Math.max(start, COVERAGE_START);
  const last = Math.min(end, dayAt(now));
  return last - first < LONGEST_WINDOW ? { first, last } : null;
}
