/** The rules by which a figure is held, and which of them an operator may overrule. */

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
type AcceptanceRule = (typeof ACCEPTANCE_RULES)[number];

/** Why a figure is held: the rule and one sentence. */
export interface Objection {
  readonly rule: AcceptanceRule;
  readonly reason: string;
}

/** A move that is too large: what another route, or the believed value before it, can make believable. */
export const MOVE_RULES: ReadonlySet<string> = new Set(["decimal_slip", "implausible_jump"]);
/** What an operator may overrule; the other rules guard what the history index can hold. */
export const RELEASABLE_RULES: ReadonlySet<string> = new Set([...MOVE_RULES, "weekend_date"]);
