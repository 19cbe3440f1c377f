/** Which figures may be believed: named rules, each with a sentence that holds the numbers. Used by acceptance only. */

import { currencyIndex } from "#domain/currency/currency.ts";
import { type DailySource, PIVOT } from "#domain/currency/source.ts";
import type { Figure } from "#domain/history/observation.ts";
import { COVERAGE_START, type Day, formatDay, weekdayOf } from "#domain/time/day.ts";

export const ACCEPTANCE_RULES = [
  "not_a_number",
  "not_finite",
  "not_positive",
  "too_many_digits",
  "wrong_pivot",
  "direction_changed",
  "outside_coverage",
  "future_date",
  "weekend_date",
  "decimal_slip",
  "implausible_jump",
] as const;
export type AcceptanceRule = (typeof ACCEPTANCE_RULES)[number];

/** Why a figure is held: the rule and one sentence. */
export interface Objection {
  readonly rule: AcceptanceRule;
  readonly reason: string;
}

/** The printed digits as an exact number: units / 10^scale. */
export interface Printed {
  readonly units: number;
  readonly scale: number;
  readonly value: number;
}

/** A believed value of the same series, to compare a candidate with. */
export interface Neighbour {
  readonly day: Day;
  readonly value: number;
}

/**
 * Largest factor between neighbours. Real moves beyond it: ISK ×1.345 (2008-10-08) and ×1.488 (2008-11-06), TRY ×1.362
 * (2021-12-21). A second route has to say the same of them. ISK ×2.32 passes over its gap from 2008 to 2018.
 */
const NEAR_FACTOR = 1.3;
const FAR_FACTOR = 5;
const NEAR_DAYS = 14;
/** A ratio this close to a power of ten is read as a misplaced decimal point. */
const SLIP_TOLERANCE = 0.25;

const DECIMAL = /^[+-]?(\d+)(?:\.(\d+))?$/;
const NOT_FINITE = /^[+-]?inf(inity)?$/i;
const MOST_DECIMALS = 15;

/** Reads printed digits: a positive decimal whose digits fit a safe integer, with a sign or without; anything else → the objection. */
export function readPrinted(printed: string): Printed | Objection {
  return readPlain(printed) ?? readByPattern(printed);
}

/** So many digits are held exactly by a double, whatever they are. */
const EXACT_DIGITS = 15;
const [ZERO, POINT] = [48, 46];

/**
 * Plain digits, above zero and at most 15 of them; null for anything else, about which the pattern decides. Read digit by
 * digit, because the match of a pattern is five objects, and a history has 180,000 figures.
 */
function readPlain(printed: string): Printed | null {
  const { length } = printed;
  if (length > EXACT_DIGITS) return null;
  let units = 0;
  let point = -1;
  for (let at = 0; at < length; at++) {
    const code = printed.charCodeAt(at);
    if (code === POINT && point === -1 && at > 0) {
      point = at;
      continue;
    }
    const digit = code - ZERO;
    if (!(digit >= 0 && digit <= 9)) return null;
    units = units * 10 + digit;
  }
  if (units === 0 || point === length - 1) return null;
  return { units, scale: point === -1 ? 0 : length - point - 1, value: Number(printed) };
}

function readByPattern(printed: string): Printed | Objection {
  const match = DECIMAL.exec(printed);
  if (match === null) {
    return NOT_FINITE.test(printed.trim())
      ? { rule: "not_finite", reason: `${shown(printed)} is not finite` }
      : { rule: "not_a_number", reason: `${shown(printed)} is not a plain decimal number` };
  }
  const fraction = match[2] ?? "";
  const units = Number((match[1] as string) + fraction);
  const scale = fraction.length;
  if (!Number.isSafeInteger(units) || scale > MOST_DECIMALS) {
    return { rule: "too_many_digits", reason: `${shown(printed)} has more digits than can be kept exactly` };
  }
  if (units === 0 || printed.startsWith("-")) {
    return { rule: "not_positive", reason: `${shown(printed)} is not above zero` };
  }
  return { units, scale, value: Number(printed) };
}

function shown(printed: string): string {
  return JSON.stringify(printed.slice(0, 40));
}

/** Rules about pair and date alone; `today` is the UTC day of the retrieval's clock. */
export function objectToKey(source: DailySource, figure: Figure, today: Day): Objection | null {
  const { base, quote, date } = figure;
  if (
    base === quote ||
    (base !== PIVOT[source] && quote !== PIVOT[source]) ||
    currencyIndex(base) < 0 ||
    currencyIndex(quote) < 0
  ) {
    return { rule: "wrong_pivot", reason: `${base}/${quote} is not quoted against ${PIVOT[source]}` };
  }
  if (!(date >= COVERAGE_START)) {
    return { rule: "outside_coverage", reason: `${formatDay(date)} is before 1999-01-04` };
  }
  if (date > today) {
    return { rule: "future_date", reason: `${formatDay(date)} is after today, ${formatDay(today)}` };
  }
  const weekday = weekdayOf(date);
  if (weekday === 0 || weekday === 6) {
    return {
      rule: "weekend_date",
      reason: `${formatDay(date)} is a ${weekday === 0 ? "Sunday" : "Saturday"}`,
    };
  }
  return null;
}

/** Compares a candidate with one neighbour: null when the move between them can be believed. */
export function objectToMove(candidate: Neighbour, neighbour: Neighbour, as = "the value"): Objection | null {
  const ratio = candidate.value / neighbour.value;
  const factor = ratio >= 1 ? ratio : 1 / ratio;
  if (factor <= NEAR_FACTOR) return null;
  const told = `${candidate.value} on ${formatDay(candidate.day)} is ${ratio.toPrecision(4)} times ${as} ${neighbour.value} of ${formatDay(neighbour.day)}`;
  const power = Math.round(Math.log10(ratio));
  if (power !== 0 && Math.abs(ratio / 10 ** power - 1) <= SLIP_TOLERANCE) {
    return { rule: "decimal_slip", reason: `${told}: close to a power of ten` };
  }
  const most = isFar(candidate, neighbour) ? FAR_FACTOR : NEAR_FACTOR;
  if (factor <= most) return null;
  return { rule: "implausible_jump", reason: `${told}: more than a factor of ${most}` };
}

/** True when so much time lies between two values that a larger move is believed. */
export function isFar(a: Neighbour, b: Neighbour): boolean {
  return Math.abs(a.day - b.day) > NEAR_DAYS;
}
