/** The rate of any pair on any day: direct as published, inverted, or triangulated through EUR and USD; with its error bound, which comes from half a unit of each figure. */

import { type CurrencyCode, type CurrencyIndex, currencyIndex, EUR, USD } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource, PIVOT } from "#domain/currency/source.ts";
import { boundInBps, errorFactor, type FigureLeg, legsText } from "#domain/number/leg-digits.ts";
import { type Day, parseDay } from "#domain/time/day.ts";
import {
  currencyOfRow,
  FILL_DAYS,
  type History,
  type ObservationColumns,
  pivotOfRow,
  type Row,
} from "./history.ts";

export interface Leg extends FigureLeg {
  readonly row: Row;
}

export interface Cross {
  /** Units of `to` per one `from`, decimal digits. */
  readonly text: string;
  /** Observations the rate rests on: those of its legs, or for a currency against itself the one that makes it known. */
  readonly rows: readonly Row[];
  /** Empty for a currency against itself; one leg is direct or inverse; more are triangulated. */
  readonly legs: readonly Leg[];
  readonly derived: boolean;
}

/**
 * The rate on a day from the observations in force (forward fill included). Null where a currency has no observation, or a source's
 * figures have no day in common. See rowsOf for the rule of one date.
 */
export function crossRate(history: History, day: Day, from: CurrencyIndex, to: CurrencyIndex): Cross | null {
  if (from === to) return identity(history, day, from);
  const pairRows = rowsOf(history, day, from, to);
  if (pairRows === null) return null;
  const { rows, above } = pairRows;
  // A leg on the side of `to` multiplies where it is quoted per pivot; a leg on the side of `from` multiplies where it is not.
  const legs: Leg[] = [];
  for (const row of rows) legs.push(legOf(history, row, legs.length < above === isPerPivot(history, row)));
  return { text: legsText(legs), rows, legs, derived: legs.length > 1 };
}

/**
 * The observations that a pair's rate on a day rests on, by the one rule that all surfaces follow.
 *
 * Every currency is quoted against a pivot: EUR where a figure of the ECB is in force for it, else USD (H.10). Two pivots are
 * connected by the ECB's dollar while that is in force, else by H.10's euro. The figures are of one observation date, the newest
 * on which all of them exist, at most FILL_DAYS back. Where figures of two sources have no such date, those of each
 * source are of one date, the newest of that source; figures of one source without a common date make no rate.
 */
function rowsOf(history: History, day: Day, from: CurrencyIndex, to: CurrencyIndex): PairRows | null {
  const pivotOfFrom = pivotOn(history, day, from);
  const pivotOfTo = pivotOn(history, day, to);
  if (pivotOfFrom < 0 || pivotOfTo < 0) return null;
  const own: Row[] = [];
  if (to !== pivotOfTo) own.push(history.inForce(day, to));
  let above = own.length;
  if (pivotOfTo !== pivotOfFrom) {
    const dollar = history.inForce(day, USD);
    const joins = dollar >= 0 ? dollar : history.inForce(day, EUR);
    if (joins < 0) return null;
    own.push(joins);
    if (pivotOfTo === (dollar >= 0 ? USD : EUR)) above += 1;
  }
  if (from !== pivotOfFrom) own.push(history.inForce(day, from));
  const rows = ofOneDate(history, day, own);
  return rows === null ? null : { rows, above };
}

/** The first `above` rows connect `to` with the pivot that it shares with `from`; the others connect `from` with that pivot. */
interface PairRows {
  readonly rows: readonly Row[];
  readonly above: number;
}

/** EUR or USD: the currency against which the figure in force is quoted; -1 without a figure. */
export function pivotOn(history: History, day: Day, currency: CurrencyIndex): CurrencyIndex {
  if (currency === EUR || currency === USD) return currency;
  const row = history.inForce(day, currency);
  return row < 0 ? -1 : pivotOfRow(history, row);
}

/** The newest observations on one date for the same currencies and sources; see rowsOf. */
function ofOneDate(history: History, day: Day, rows: Row[]): Row[] | null {
  const { date, source } = history.observations;
  if (isOne(date, rows)) return rows;
  const whole = onCommonDate(history, day, rows);
  if (whole !== null || isOne(source, rows)) return whole;
  const aligned = rows.map((row) => {
    const ofSource = rows.filter((other) => source[other] === source[row]);
    return onCommonDate(history, day, ofSource)?.[ofSource.indexOf(row)] ?? -1;
  });
  return aligned.includes(-1) ? null : aligned;
}

function isOne(column: Int32Array | Uint8Array, rows: readonly Row[]): boolean {
  for (let at = 1; at < rows.length; at++) {
    if (column[rows[at] as Row] !== column[rows[0] as Row]) return false;
  }
  return true;
}

function onCommonDate(history: History, day: Day, rows: readonly Row[]): Row[] | null {
  const { date, source } = history.observations;
  for (let at = Math.min(...rows.map((row) => date[row] as Day)), last = day - FILL_DAYS; at >= last; at--) {
    const sameDay = rows.map((row) => history.row(source[row] as number, at, currencyOfRow(history, row)));
    if (!sameDay.includes(-1)) return sameDay;
  }
  return null;
}

/** The rate 1 where the currency is known: by its own observation, or for a pivot by the figure that connects the two pivots. */
function identity(history: History, day: Day, currency: CurrencyIndex): Cross | null {
  const isPivot = currency === EUR || currency === USD;
  const first = history.inForce(day, isPivot ? USD : currency);
  const row = first >= 0 || !isPivot ? first : history.inForce(day, EUR);
  return row < 0 ? null : { text: "1", rows: [row], legs: [], derived: false };
}

/** True when the figure states "currency per one pivot" (EUR/NOK, USD/JPY); false for "pivot per one currency" (GBP/USD of H.10). */
function isPerPivot(history: History, row: Row): boolean {
  return history.observations.base[row] === pivotOfRow(history, row);
}

function legOf({ observations }: History, row: Row, multiplies: boolean): Leg {
  return {
    row,
    units: observations.units[row] as number,
    scale: observations.scale[row] as number,
    multiplies,
  };
}

/** The rows of `crossRate`, without computing its digits; null where the pair has no rate. */
export function figuresOf(
  history: History,
  day: Day,
  from: CurrencyIndex,
  to: CurrencyIndex,
): readonly Row[] | null {
  return (from === to ? identity(history, day, from) : rowsOf(history, day, from, to))?.rows ?? null;
}

/** True when every observation of the rate is of the day itself. */
export function isUnfilled({ observations }: History, day: Day, { rows }: Pick<Cross, "rows">): boolean {
  return rows.every((row) => observations.date[row] === day);
}

/**
 * Ceiling of the derivation error of a triangulated rate in basis points, rounded up to 0.01; null when the rate is
 * not triangulated, or when its legs differ in source or observation time, where rounding bounds nothing.
 *
 * A leg printed x is known to ± its half-unit e, so r = e/x. Multiplying legs contribute (1 + r),
 * dividing legs 1/(1 - r), and our own output half a unit of its tenth digit.
 */
export function derivationBound(history: History, cross: Cross): number | null {
  if (!cross.derived) return null;
  const { source, observedAt } = history.observations;
  const first = (cross.legs[0] as Leg).row;
  let factor = 1;
  for (const { row, multiplies } of cross.legs) {
    if (source[row] !== source[first] || observedAt[row] !== observedAt[first]) return null;
    factor *= errorFactor(relativeError(history, row), multiplies);
  }
  return boundInBps(factor);
}

/** The half-unit of a figure, relative to the figure. */
export function relativeError({ observations }: History, row: Row): number {
  const value = (observations.units[row] as number) / 10 ** (observations.scale[row] as number);
  return halfUnit(observations, row) / value;
}

/** More zeros than this at the end of a figure may be chance, not rounding. */
const MOST_ZEROS = 2;

/**
 * Half a unit of the last digit that is not zero, in units of the figure's quote: never finer than the decimals that the
 * authority publishes, at most two digits coarser. Where COARSE_STEPS has a coarser step for the day and the figure
 * is a multiple of it, half of that step. An authority may round more coarsely than it prints; one figure and the
 * table decide this, later figures never do.
 */
export function halfUnit(observations: ObservationColumns, row: Row): number {
  const units = observations.units[row] as number;
  const scale = observations.scale[row] as number;
  const published = observations.decimals[row] as number;
  const last = Math.max(published - MOST_ZEROS, Math.min(published, lastDecimal(units, scale)));
  const step = stepOf(observations, row);
  const half = 0.5 * 10 ** -last;
  if (step === undefined || !isMultiple(units, scale, step)) return half;
  return Math.max(half, 0.5 * step.mantissa * 10 ** step.exponent);
}

/** Decimal place of the last digit that is not zero; negative before the point. */
function lastDecimal(units: number, scale: number): number {
  let [rest, place] = [units, scale];
  while (rest !== 0 && rest % 10 === 0) {
    rest /= 10;
    place -= 1;
  }
  return place;
}

function isMultiple(units: number, scale: number, { mantissa, exponent }: CoarseStep): boolean {
  const finer = scale + exponent;
  return finer >= 0 ? units % (mantissa * 10 ** finer) === 0 : (units * 10 ** -finer) % mantissa === 0;
}

function stepOf({ source, base, quote, date }: ObservationColumns, row: Row): CoarseStep | undefined {
  const from = source[row] as number;
  const currency = base[row] === PIVOTS[from] ? quote[row] : base[row];
  const day = date[row] as number;
  return STEPS[from]
    ?.get(currency as number)
    ?.find((step) => day >= step.from && day <= (step.to ?? Number.POSITIVE_INFINITY));
}

/** Figures of the period that are multiples of mantissa × 10^exponent are rounded to it; the others are printed finer. */
export interface CoarseStep {
  readonly source: DailySource;
  /** The side that is not the pivot of the source. */
  readonly currency: CurrencyCode;
  /** Both days inclusive; `to` is null where the step was still in use when the table was made. */
  readonly from: Day;
  readonly to: Day | null;
  readonly mantissa: 2 | 5;
  readonly exponent: number;
}

/**
 * Ordered by source, currency and date. A period is listed when at least five of six of its figures (19 of 20 for a step of 2)
 * are multiples of the step, the first and the last included. Also at least 18 of its figures have a digit other than zero at
 * that place, and two thirds of these fit the step; by chance one of nine would (four of nine for a step of 2). Read out of the
 * ECB's whole history to 2026-04-13 and the H.10 series of TWD to 2020-10-09. Shorter runs cannot be distinguished from chance.
 */
export const COARSE_STEPS: readonly CoarseStep[] = [
  step("ecb_daily", "GBP", "2001-01-02", "2016-01-15", 5, -5),
  step("ecb_daily", "INR", "2016-04-04", "2016-06-28", 5, -4),
  step("ecb_daily", "INR", "2016-08-19", "2021-06-14", 5, -4),
  step("ecb_daily", "INR", "2021-06-28", "2022-11-09", 5, -4),
  step("ecb_daily", "INR", "2022-12-06", "2025-03-03", 5, -4),
  step("ecb_daily", "INR", "2025-05-05", null, 5, -4),
  step("ecb_daily", "ISK", "2008-10-08", "2008-12-09", 5, 0),
  step("ecb_daily", "ISK", "2018-06-19", "2018-08-27", 2, -1),
  step("ecb_daily", "ISK", "2021-07-21", "2021-09-20", 2, -1),
  step("ecb_daily", "ISK", "2021-10-05", "2022-03-07", 2, -1),
  step("ecb_daily", "ISK", "2025-05-21", "2026-02-17", 2, -1),
  step("ecb_daily", "NOK", "1999-01-04", "2016-01-25", 5, -4),
  step("ecb_daily", "NOK", "2023-02-22", null, 5, -4),
  step("ecb_daily", "PLN", "2009-01-05", "2009-03-19", 5, -4),
  step("ecb_daily", "SEK", "1999-01-05", "2000-10-20", 5, -4),
  step("ecb_daily", "SEK", "2008-12-02", "2009-02-17", 5, -4),
  step("ecb_daily", "SEK", "2023-02-24", "2023-05-09", 5, -4),
  step("ecb_daily", "SEK", "2023-06-20", "2024-02-29", 5, -4),
  step("ecb_daily", "SEK", "2024-05-17", null, 5, -4),
  step("ecb_daily", "TRY", "2006-04-07", "2006-06-19", 5, -4),
  step("fred_daily", "TWD", "2004-08-31", "2005-04-19", 5, -3),
];

function step(
  source: DailySource,
  currency: CurrencyCode,
  from: string,
  to: string | null,
  mantissa: CoarseStep["mantissa"],
  exponent: number,
): CoarseStep {
  return {
    source,
    currency,
    from: parseDay(from) as Day,
    to: to === null ? null : parseDay(to),
    mantissa,
    exponent,
  };
}

const PIVOTS = DAILY_SOURCES.map((source) => currencyIndex(PIVOT[source]));

/** The table by position of the source, then by currency. */
const STEPS = DAILY_SOURCES.map((source) =>
  Map.groupBy(
    COARSE_STEPS.filter((step) => step.source === source),
    ({ currency }) => currencyIndex(currency),
  ),
);
