/** Bodies to JSON text: exact digits as they are, and a hole where the serving time goes. */

import { Digits, SERVED_AT } from "#domain/body.ts";

/** JSON around the one `timestamp`; without one, everything is in `head` and `tail` is empty. */
export interface Template {
  readonly head: string;
  readonly tail: string;
}

/** A member whose value is already JSON text. */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Encodes a body that holds SERVED_AT at most once. */
export function encodeTemplate(body: unknown): Template {
  const text = encode(body);
  const hole = text.indexOf(HOLE);
  return hole < 0
    ? { head: text, tail: "" }
    : { head: text.slice(0, hole), tail: text.slice(hole + HOLE.length) };
}

/** A string no JSON text can contain: control characters are always escaped. */
const HOLE = "\u0000";

function encode(value: unknown): string {
  if (value instanceof Digits || value instanceof RawJson) return value.text;
  if (value === SERVED_AT) return HOLE;
  if (Array.isArray(value)) return `[${value.map(encode).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members: string[] = [];
    for (const name of Object.keys(value)) {
      const member = (value as Record<string, unknown>)[name];
      if (member !== undefined) members.push(`${label(name)}${encode(member)}`);
    }
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value);
}

/** Member names come from the product itself, so there are few of them. */
const labels = new Map<string, string>();

function label(name: string): string {
  let text = labels.get(name);
  if (text === undefined) {
    text = `${JSON.stringify(name)}:`;
    labels.set(name, text);
  }
  return text;
}
