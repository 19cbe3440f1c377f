/** JSON with its numbers as printed: 1.23450 keeps its zero, and no digit passes through a double. */

import { BrokenDocument } from "#domain/faults/upstream.ts";
import { type ExactNumber, exactNumber, isExactNumber } from "#domain/net/message.ts";
import { decodeText, quoted } from "./text.ts";

/** Objects are maps: no name in a document means anything to the runtime. */
export type JsonObject = ReadonlyMap<string, Json>;
export type Json = null | boolean | string | ExactNumber | readonly Json[] | JsonObject;

/** Feeds nest five levels deep. */
const DEEPEST = 32;

/**
 * The object that a document holds, read strictly by RFC 8259; the caller has bounded its size. Throws BrokenDocument on
 * anything else, and on what JSON.parse accepts: a name twice in one object, and nesting beyond reason. The message
 * quotes nothing: a piece of an answer may be a piece of a key, which could not be recognized and removed.
 */
export function readJsonObject(bytes: Uint8Array, what: string): JsonObject {
  const text = decodeText(bytes, what);
  let parsedMembers = 0;
  const revive = (_: string, inner: unknown, { source }: { readonly source: string }): unknown => {
    if (typeof inner === "number") return exactNumber(source);
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    const entries = Object.entries(inner);
    parsedMembers += entries.length;
    return new Map(entries);
  };
  let value: Json;
  try {
    value = JSON.parse(text, revive as Parameters<typeof JSON.parse>[1]);
  } catch {
    throw new BrokenDocument(`${what}: not JSON, or cut off`);
  }
  const { members, depth } = structureOf(text);
  if (depth > DEEPEST) throw new BrokenDocument(`${what}: nested more than ${DEEPEST} levels deep`);
  // JSON.parse takes the last of two members with the same name.
  if (parsedMembers !== members) throw new BrokenDocument(`${what}: a name is there twice in one object`);
  if (!(value instanceof Map)) throw new BrokenDocument(`${what}: not an object`);
  return value;
}

/** A list of objects that is a whole document by itself. Throws BrokenDocument. */
export function readJsonObjects(bytes: Uint8Array, what: string): readonly JsonObject[] {
  // readJsonObject takes an object, so the list is wrapped in one. A second member would be text after the list.
  const wrapped = readJsonObject(new TextEncoder().encode(`{"list":${decodeText(bytes, what)}}`), what);
  if (wrapped.size !== 1) throw new BrokenDocument(`${what}: something after its end`);
  return objectsAt(wrapped, "list", what);
}

/** Counts the members of all objects in valid JSON, and returns the deepest nesting. */
function structureOf(text: string): { readonly members: number; readonly depth: number } {
  let members = 0;
  let level = 0;
  let depth = -1;
  for (let at = 0; at < text.length; at++) {
    const mark = text[at];
    if (mark === ":") members++;
    else if (mark === "{" || mark === "[") depth = Math.max(depth, level++);
    else if (mark === "}" || mark === "]") level--;
    else if (mark === '"') {
      // Skips to the closing quote; an escaped quote does not close the text.
      while (text[++at] !== '"') if (text[at] === "\\") at++;
    }
  }
  return { members, depth };
}

export function objectAt(parent: JsonObject, name: string, what: string): JsonObject {
  const value = parent.get(name);
  if (value instanceof Map) return value;
  throw new BrokenDocument(`${what}: no object ${quoted(name)} in it`);
}

export function objectsAt(parent: JsonObject, name: string, what: string): readonly JsonObject[] {
  const value = parent.get(name);
  if (Array.isArray(value) && value.every((item) => item instanceof Map)) return value;
  throw new BrokenDocument(`${what}: no list of objects ${quoted(name)} in it`);
}

/** A member's text, or null where it is absent or something else. */
export function textAt(parent: JsonObject | undefined, name: string): string | null {
  const value = parent?.get(name);
  return typeof value === "string" ? value : null;
}

/** The characters of a number, printed as a JSON number or as text; null where the member is absent or something else. */
export function digitsAt(parent: JsonObject | undefined, name: string): string | null {
  const value = parent?.get(name);
  if (typeof value === "string") return value;
  return isExactNumber(value) ? value.rawJSON : null;
}
