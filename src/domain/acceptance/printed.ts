/** The rules by which a figure is held, and printed digits as exact numbers in one normal form: 366.9 and 366.90 are the same figure. */

import { withoutZeros } from "#domain/number/decimal.ts";

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
  "holiday_date",
  "decimal_slip",
  "implausible_jump",
  "unconfirmed_revision",
  "distrusted_document",
] as const;
type AcceptanceRule = (typeof ACCEPTANCE_RULES)[number];

export interface Objection {
  readonly rule: AcceptanceRule;
  readonly reason: string;
}

/** Moves that are too large: a new believed value before the figure can make them plausible. */
export const MOVE_RULES: ReadonlySet<string> = new Set(["decimal_slip", "implausible_jump"]);
/** Claims that only lack a witness: a document is released as a whole where a sample of its claims is confirmed. */
export const WITNESS_RULES: ReadonlySet<string> = new Set(["unconfirmed_revision", "distrusted_document"]);
/** Rules that a route of another kind overrules by stating the figure. `decimal_slip` is not among them: such a slip is copied easily. */
export const CONFIRMABLE_RULES: ReadonlySet<string> = new Set([
  "implausible_jump",
  "holiday_date",
  ...WITNESS_RULES,
]);
/** What an operator may overrule; the other rules guard what the history index can hold. */
export const RELEASABLE_RULES: ReadonlySet<string> = new Set([
  ...MOVE_RULES,
  ...WITNESS_RULES,
  "weekend_date",
  "holiday_date",
]);

/** The printed digits as an exact number: units / 10^scale. */
export interface Printed {
  readonly units: number;
  readonly scale: number;
  readonly value: number;
}

const DECIMAL = /^[+-]?(\d+)(?:\.(\d+))?$/;
const NOT_FINITE = /^[+-]?inf(inity)?$/i;
const MOST_DECIMALS = 15;

/** Reads printed digits: a positive decimal, signed or not, with digits that fit a safe integer. Returns the objection to anything else. */
export function readPrinted(printed: string): Printed | Objection {
  const match = DECIMAL.exec(printed);
  if (match === null) {
    return NOT_FINITE.test(printed.trim())
      ? { rule: "not_finite", reason: `${quotedStart(printed)} is not finite` }
      : { rule: "not_a_number", reason: `${quotedStart(printed)} is not a plain decimal number` };
  }
  const fraction = match[2] ?? "";
  const units = Number((match[1] as string) + fraction);
  const scale = fraction.length;
  if (!Number.isSafeInteger(units) || scale > MOST_DECIMALS) {
    return {
      rule: "too_many_digits",
      reason: `${quotedStart(printed)} has more digits than can be kept exactly`,
    };
  }
  if (units === 0 || printed.startsWith("-")) {
    return { rule: "not_positive", reason: `${quotedStart(printed)} is not above zero` };
  }
  return { units, scale, value: Number(printed) };
}

function quotedStart(printed: string): string {
  return JSON.stringify(printed.slice(0, 40));
}

/** units / 10^scale as text without trailing zeros: equal for equal values, e.g. "3669e-1". */
export function canonicalOf(units: number, scale: number): string {
  const [shortUnits, shortScale] = withoutZeros(units, scale);
  return `${shortUnits}e-${shortScale}`;
}

/** The canonical form of printed digits; a text that is not a usable number is returned unchanged. */
export function canonicalPrinted(printed: string): string {
  const read = readPrinted(printed);
  return "rule" in read ? printed : canonicalOf(read.units, read.scale);
}
