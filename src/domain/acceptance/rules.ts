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
  "unconfirmed_revision",
  "distrusted_document",
] as const;
type AcceptanceRule = (typeof ACCEPTANCE_RULES)[number];

/** Why a figure is held: the rule and one sentence. */
export interface Objection {
  readonly rule: AcceptanceRule;
  readonly reason: string;
}

/** A move that is too large: the believed value before it can make it believable. */
export const MOVE_RULES: ReadonlySet<string> = new Set(["decimal_slip", "implausible_jump"]);
/** Claims that only miss a witness: a document is released as a whole where a sample of them is confirmed. */
export const WITNESS_RULES: ReadonlySet<string> = new Set(["unconfirmed_revision", "distrusted_document"]);
/** What a route of another kind confirms by stating it. A slip by ten is copied as easily as it is made, so it is not among them. */
export const CONFIRMABLE_RULES: ReadonlySet<string> = new Set(["implausible_jump", ...WITNESS_RULES]);
/** What an operator may overrule; the other rules guard what the history index can hold. */
export const RELEASABLE_RULES: ReadonlySet<string> = new Set([
  ...MOVE_RULES,
  ...WITNESS_RULES,
  "weekend_date",
]);
