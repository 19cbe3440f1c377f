/** Named periods of accounts and taxes: years, quarters, months, and the tax years of countries that do not begin in January. */

import { type Day, dayOf } from "./day.ts";

export interface Period {
  readonly start: Day;
  /** Inclusive. */
  readonly end: Day;
}

/** The first month and day of a tax year that is named after two calendar years. */
const TAX_YEARS: Readonly<Record<string, readonly [month: number, day: number]>> = {
  AUS: [7, 1],
  GBR: [4, 6],
  IND: [4, 1],
  NZL: [4, 1],
};

export const TAX_COUNTRIES = Object.keys(TAX_YEARS);

export const PERIOD_GRAMMAR = "^(\\d{4}(-(0[1-9]|1[0-2]|Q[1-4]))?|[A-Z]{3}-\\d{4}-\\d{2})$";

/**
 * Reads `2025`, `2025-Q3`, `2025-07` and `GBR-2025-26`; null for anything else, also for a country without such a year.
 * With a country `2025-26` is its tax year; what can be a month (`2011-12`) is the month.
 */
export function parsePeriod(text: string, country?: string): Period | null {
  const [, plainYear, month, quarter] = /^(\d{4})(?:-(?:(\d{2})|Q([1-4])))?$/.exec(text) ?? [];
  if (plainYear !== undefined) {
    const year = Number(plainYear);
    const first = month !== undefined ? Number(month) : quarter !== undefined ? Number(quarter) * 3 - 2 : 1;
    const months = month !== undefined ? 1 : quarter !== undefined ? 3 : 12;
    const period = between(year, first, 1, months);
    return period === null && country !== undefined ? parsePeriod(`${country}-${text}`) : period;
  }
  const [, named = "", year = "", next = ""] = /^([A-Z]{3})-(\d{4})-(\d{2})$/.exec(text) ?? [];
  const begins = TAX_YEARS[named];
  if (begins === undefined || Number(next) !== (Number(year) + 1) % 100) return null;
  return between(Number(year), ...begins, 12);
}

function between(year: number, month: number, day: number, months: number): Period | null {
  if (month < 1 || month > 12) return null;
  const last = month - 1 + months;
  const start = dayOf(year, month, day);
  const after = dayOf(year + Math.floor(last / 12), (last % 12) + 1, day);
  return start === null || after === null ? null : { start, end: after - 1 };
}
