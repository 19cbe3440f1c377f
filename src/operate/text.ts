/** A parameter of the operators' pages. */

import { Failure } from "#domain/faults/errors.ts";

/** Reads a text of this shape, null when absent or blank. Fails with `invalid_request`, which names the expected value. */
export function textOf(
  query: (name: string) => string | undefined,
  name: string,
  shape: RegExp,
  needed: string,
): string | null {
  const text = query(name) || null;
  if (text !== null && !shape.test(text))
    throw new Failure("invalid_request", { reason: `${name} must be ${needed}` });
  return text;
}
