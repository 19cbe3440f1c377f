/** Parses a server's JSON so that every number keeps its digits. */

import { Digits } from "#domain/net/message.ts";

type Reviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown;

const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;

/** Every number becomes `Digits`. Throws SyntaxError. */
export function readDigits(text: string): unknown {
  return parse(text, (_, value, { source }) =>
    typeof value === "number" ? new Digits(source ?? String(value)) : value,
  );
}

/** A count or an identifier among the numbers of a body. */
export function countOf({ text }: Digits): number {
  return Number(text);
}
