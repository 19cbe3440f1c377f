/** Validates a parsed body against its schema. Every violation has its JSON path and a message. */

import type { Static, TSchema } from "@sinclair/typebox";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import { Value } from "@sinclair/typebox/value";
import { Failure, type ValidationIssue } from "#domain/faults/errors.ts";

const MOST_ISSUES = 20;

/** Returns all violations, one per path, at most 20; empty for a valid value. Paths are JSON pointers, "" is the body itself. */
export function issuesOf(model: TSchema, value: unknown): readonly ValidationIssue[] {
  if (Value.Check(model, value)) return [];
  const issues = new Map<string, ValidationIssue>();
  for (const error of Value.Errors(model, value)) {
    if (isShortEnough(error)) continue;
    // A missing value has a wrong type, too: the first fault of a path counts.
    if (!issues.has(error.path)) issues.set(error.path, { path: error.path, message: wordsOf(error) });
    if (issues.size === MOST_ISSUES) break;
  }
  return [...issues.values()];
}

/** Returns the valid value. Fails with `validation_error`, which names every invalid member. */
export function shaped<M extends TSchema>(model: M, value: unknown): Static<M> {
  const issues = issuesOf(model, value);
  if (issues.length > 0) throw new Failure("validation_error", { members: { errors: issues } });
  return value as Static<M>;
}

/** The checker counts UTF-16 units; the documented lengths are in characters (code points). */
function isShortEnough({ type, schema, value }: ValueError): boolean {
  if (type !== ValueErrorType.StringMaxLength || typeof value !== "string") return false;
  return Array.from(value).length <= Number(schema["maxLength"]);
}

const NAMES: Readonly<Record<string, string>> = {
  string: "a text",
  boolean: "true or false",
  integer: "a whole number",
  number: "a number",
  array: "a list",
  object: "an object",
  null: "null",
};

function wordsOf({ type, schema, message }: ValueError): string {
  const { anyOf, examples, maxItems, maxLength, minItems, enum: words } = schema as TSchema;
  if (type === ValueErrorType.ObjectRequiredProperty) return "is missing";
  if (type === ValueErrorType.ObjectAdditionalProperties) return "is none of the documented members";
  if (type === ValueErrorType.StringPattern) {
    if (Array.isArray(words)) return `one of ${words.join(", ")} is needed`;
    const [example] = Array.isArray(examples) ? examples : [];
    return `not of the documented form${example === undefined ? "" : `, such as ${example}`}`;
  }
  if (type === ValueErrorType.StringMaxLength) return `at most ${maxLength} characters are taken`;
  if (type === ValueErrorType.ArrayMinItems) return `at least ${minItems} must be in it`;
  if (type === ValueErrorType.Union && Array.isArray(anyOf)) {
    const kinds = anyOf.map((one: TSchema) => one["const"] ?? NAMES[String(one["type"])] ?? one["type"]);
    return `${kinds.join(" or ")} is needed`;
  }
  if (type === ValueErrorType.TupleLength && maxItems !== undefined) return `a list of ${maxItems} is needed`;
  const kind = NAMES[String(schema["type"])];
  return type in WRONG_KIND && kind !== undefined ? `${kind} is needed` : message;
}

/** Faults that only say that the type is wrong. */
const WRONG_KIND: Readonly<Partial<Record<ValueErrorType, true>>> = {
  [ValueErrorType.String]: true,
  [ValueErrorType.Boolean]: true,
  [ValueErrorType.Integer]: true,
  [ValueErrorType.Number]: true,
  [ValueErrorType.Array]: true,
  [ValueErrorType.Tuple]: true,
  [ValueErrorType.Object]: true,
};
