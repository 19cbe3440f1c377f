/** JSON with its numbers as printed, for the feeds: 1.23450 keeps its zero, and no digit passes through a double. */

import { BrokenDocument } from "#domain/faults/faults.ts";
import { decodeText, quoted } from "#sources/text.ts";

/** A JSON number, as the characters that stand in the document. */
export interface PrintedNumber {
  readonly digits: string;
}
/** Objects are maps, so that no name in a document means anything to the runtime. */
export type JsonObject = ReadonlyMap<string, Json>;
export type Json = null | boolean | string | PrintedNumber | readonly Json[] | JsonObject;

/** Feeds nest five levels deep. A bound, because the reader calls itself. */
const DEEPEST = 32;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /[ \t\n\r]*/y;
const WORDS = [
  ["true", true],
  ["false", false],
  ["null", null],
] as const;

/**
 * The object that a document holds, read strictly by RFC 8259. Throws BrokenDocument on anything else, and on what
 * JSON.parse lets pass: a name twice in one object, and nesting beyond reason. The message quotes nothing: a piece of
 * an answer may be a piece of a key, which nobody could recognize to strike it out.
 */
export function readJsonObject(bytes: Uint8Array, what: string): JsonObject {
  const text = decodeText(bytes, what);
  let at = 0;
  const value = read(0);
  skipSpace();
  if (at < text.length) throw broken("something after its end");
  if (!(value instanceof Map)) throw broken("not an object");
  return value;

  function read(depth: number): Json {
    if (depth > DEEPEST) throw broken(`nested more than ${DEEPEST} levels deep`);
    skipSpace();
    const character = text[at];
    if (character === "{") return readObject(depth);
    if (character === "[") return readArray(depth);
    if (character === '"') return readString();
    NUMBER.lastIndex = at;
    const digits = NUMBER.exec(text)?.[0];
    if (digits !== undefined) {
      at += digits.length;
      return { digits };
    }
    for (const [word, meaning] of WORDS) {
      if (!text.startsWith(word, at)) continue;
      at += word.length;
      return meaning;
    }
    throw broken(at < text.length ? `not JSON at character ${at}` : "cut off");
  }

  function readObject(depth: number): JsonObject {
    const members = new Map<string, Json>();
    at++;
    if (takes("}")) return members;
    do {
      skipSpace();
      const name = readString();
      if (members.has(name)) throw broken(`a name is there twice, before character ${at}`);
      expectNext(":");
      members.set(name, read(depth + 1));
    } while (takes(","));
    expectNext("}");
    return members;
  }

  function readArray(depth: number): readonly Json[] {
    const items: Json[] = [];
    at++;
    if (takes("]")) return items;
    do items.push(read(depth + 1));
    while (takes(","));
    expectNext("]");
    return items;
  }

  function readString(): string {
    if (text[at] !== '"') throw broken(at < text.length ? "a name without quotes" : "cut off");
    let end = at + 1;
    while (end < text.length && text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
    const token = text.slice(at, end + 1);
    at = end + 1;
    try {
      return JSON.parse(token);
    } catch (error) {
      throw new BrokenDocument(`${what}: a broken or unfinished text before character ${at}`, error);
    }
  }

  function takes(character: string): boolean {
    skipSpace();
    if (text[at] !== character) return false;
    at++;
    return true;
  }

  function expectNext(character: string): void {
    if (!takes(character)) throw broken(at < text.length ? `no ${character} where it belongs` : "cut off");
  }

  function skipSpace(): void {
    SPACE.lastIndex = at;
    SPACE.exec(text);
    at = SPACE.lastIndex;
  }

  function broken(reason: string): BrokenDocument {
    return new BrokenDocument(`${what}: ${reason}`);
  }
}

/** A member that must be an object. Throws BrokenDocument. */
export function objectAt(parent: JsonObject, name: string, what: string): JsonObject {
  const value = parent.get(name);
  if (value instanceof Map) return value;
  throw new BrokenDocument(`${what}: no object ${quoted(name)} in it`);
}

/** A member that must be a list of objects. Throws BrokenDocument. */
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
  return typeof value === "object" && value !== null && "digits" in value ? value.digits : null;
}
