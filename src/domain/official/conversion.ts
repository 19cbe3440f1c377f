/** Converts an amount by one publication: along one of its rows, or two that share a currency. Exact, with one rounding at the end. */

import { CURRENCIES } from "#domain/currency/currency.ts";
import { CONVERTED_DIGITS } from "#domain/number/amount.ts";
import {
  type Decimal,
  parseDecimal,
  powerOfTen,
  roundQuotient,
  roundSignificant,
} from "#domain/number/decimal.ts";
import { DERIVED_DIGITS } from "#domain/number/leg-digits.ts";
import type { OfficialRow } from "./publication.ts";

/**
 * `in_force`: the publication valid on the day. `previous_business_day`: the one valid on the day before, for laws that take the last
 * table before the event. `published_on`: the one that was published on the day itself.
 */
export const DAY_RULES = ["in_force", "previous_business_day", "published_on"] as const;
export type DayRule = (typeof DAY_RULES)[number];

interface Step {
  readonly row: OfficialRow;
  readonly to: string;
  /** From the row's base to its quote. */
  readonly isForward: boolean;
}

/**
 * Null where the rows do not connect the two currencies. `rows` are of one kind. The answer has one or two of them, in the order of the
 * computation. `rate`, units of `to` per one `from`: as printed where one row of one unit states it, else to 10 significant digits. `converted`:
 * to at most 15. `rounded`: the exact amount half-even to the minor units of `to`; null for a currency outside the catalog.
 */
export function convertOfficially(
  rows: readonly OfficialRow[],
  { from, to, amount }: { readonly from: string; readonly to: string; readonly amount: Decimal },
) {
  const steps = pathOf(rows, from, to);
  if (steps === null) return null;
  let [numerator, denominator] = [1n, 1n];
  for (const { row, isForward } of steps) {
    const rate = parseDecimal(row.rate);
    if (rate === null) throw new Error(`not a rate: ${row.rate}`);
    const [quoted, counted] = [rate.units, powerOfTen(rate.scale) * BigInt(row.unit)];
    numerator *= isForward ? quoted : counted;
    denominator *= isForward ? counted : quoted;
  }
  const [top, bottom] = [numerator * amount.units, denominator * powerOfTen(amount.scale)];
  const currency = CURRENCIES.find(({ code }) => code === to);
  const [only] = steps;
  const isPrinted = steps.length === 1 && only?.isForward === true && only.row.unit === 1;
  return {
    rows: steps.map(({ row }) => row),
    rate: isPrinted ? only.row.rate : roundSignificant(numerator, denominator, DERIVED_DIGITS),
    converted: roundSignificant(top, bottom, CONVERTED_DIGITS),
    rounded: currency === undefined ? null : roundQuotient(top, bottom, currency.minorUnits),
  };
}

/** The direct step where there is one, else two steps. */
function pathOf(rows: readonly OfficialRow[], from: string, to: string): readonly Step[] | null {
  const first = stepsFrom(rows, from);
  const direct = first.find((step) => step.to === to);
  if (direct !== undefined) return [direct];
  for (const step of first) {
    const second = stepsFrom(rows, step.to).find((next) => next.to === to);
    if (second !== undefined) return [step, second];
  }
  return null;
}

/** Steps along a row, then steps against one. */
function stepsFrom(rows: readonly OfficialRow[], code: string): readonly Step[] {
  const forward = rows.filter(({ base }) => base === code);
  const backward = rows.filter(({ quote }) => quote === code);
  return [
    ...forward.map((row) => ({ row, to: row.quote, isForward: true })),
    ...backward.map((row) => ({ row, to: row.base, isForward: false })),
  ];
}
