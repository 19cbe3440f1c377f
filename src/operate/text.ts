/** A parameter of the operators' pages. */

import { Failure } from "#domain/faults/errors.ts";

/** The text of this shape, null where it is absent or blank. Failure `invalid_request` names what is needed. */
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
