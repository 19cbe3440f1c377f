/** Kinds of values that the checks of /status are made of. */

import { Type } from "@sinclair/typebox";
import * as field from "#contract/fields.ts";

export function word(values: readonly string[], description: string) {
  return Type.Unsafe<string>({ type: "string", enum: [...values], description });
}

export function instantOrNull(description: string, example: string) {
  return field.nullable<string>("string", {
    format: "date-time",
    pattern: field.INSTANT_PATTERN,
    description,
    examples: [example],
  });
}

export function dayOrNull(description: string, example: string) {
  return field.nullable<string>("string", {
    format: "date",
    pattern: field.DAY_PATTERN,
    description,
    examples: [example],
  });
}
