/** JSON of the authorities, digits as printed: what the reader of the feeds leaves to do for official tables. */

import { BrokenDocument } from "#domain/faults/faults.ts";
import { type JsonObject, objectsAt, readJsonObject } from "#sources/live/json-text.ts";
import { decodeText } from "#sources/text.ts";

/** A list of objects that is a whole document by itself. Throws BrokenDocument. */
export function readJsonObjects(bytes: Uint8Array, what: string): readonly JsonObject[] {
  // The reader wants an object, so the list is made the one member of one; a second would be something after the list.
  const wrapped = readJsonObject(new TextEncoder().encode(`{"list":${decodeText(bytes, what)}}`), what);
  if (wrapped.size !== 1) throw new BrokenDocument(`${what}: something after its end`);
  return objectsAt(wrapped, "list", what);
}

const SCIENTIFIC = /^(\d+)(?:\.(\d+))?[eE]([+-]?\d{1,2})$/;

/** The same number without an exponent, digit for digit: "4.10E-5" → "0.0000410"; anything else as it is. */
export function withoutExponent(digits: string): string {
  const match = SCIENTIFIC.exec(digits);
  if (match === null) return digits;
  const [, whole = "", fraction = "", exponent = ""] = match;
  const all = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `0.${"0".repeat(-point)}${all}`;
  if (point >= all.length) return all + "0".repeat(point - all.length);
  return `${all.slice(0, point)}.${all.slice(point)}`;
}
