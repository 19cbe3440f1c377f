/** Holding a parsed body against its model: every violation with its JSON path. */

import type { TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { ValidationIssue } from "#domain/errors.ts";

const MOST_ISSUES = 20;

/** All violations, at most 20; empty when the value has the documented shape. Paths are JSON pointers, "" is the body itself. */
export function issuesOf(model: TSchema, value: unknown): readonly ValidationIssue[] {
  if (Value.Check(model, value)) return [];
  const issues: ValidationIssue[] = [];
  for (const { path, message } of Value.Errors(model, value)) {
    issues.push({ path, message });
    if (issues.length === MOST_ISSUES) break;
  }
  return issues;
}
