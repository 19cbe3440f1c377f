/** The name of a publication, made fit for an address and for an event id. */

import { BrokenDocument } from "#domain/faults/faults.ts";

const LONGEST = 64;
/** Begins with a letter or digit, so that it is never "." or "..", which mean something else in an address. */
const FIT = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
/** The address `…/publications/latest` is taken. */
const RESERVED = "latest";

/**
 * An authority's own name with its slashes as hyphens: `041/A/NBP/2026` → `041-A-NBP-2026`. Letters, digits, `.`, `_`
 * and `-` only, at most 64 characters. Throws BrokenDocument on any other name: what cannot stand in an address
 * unchanged must not be bent until it does, or two names would become one.
 */
export function publicationId(text: string): string {
  const id = text.replaceAll("/", "-");
  if (id.length <= LONGEST && FIT.test(id) && id !== RESERVED) return id;
  throw new BrokenDocument(`not a name for a publication: ${JSON.stringify(text.slice(0, 80))}`);
}
