/** JSON whose numbers keep their digits: an amount of 40 digits is sent as it arrived. */

/** A number as its digits; JSON.stringify prints them unchanged. */
export interface ExactNumber {
  readonly rawJSON: string;
}

/** A parsed body of this type, its numbers exact. */
export type Exact<T> = T extends number
  ? ExactNumber
  : T extends readonly (infer Item)[]
    ? readonly Exact<Item>[]
    : T extends object
      ? { readonly [Name in keyof T]: Exact<T[Name]> }
      : T;

/** ECMAScript's source text access, which the type library of the compiler has not got yet. */
interface SourceTextJson {
  rawJSON(text: string): ExactNumber;
  parse(
    text: string,
    reviver: (name: string, value: unknown, context: { source: string }) => unknown,
  ): unknown;
}

const { rawJSON, parse } = JSON as unknown as SourceTextJson;

/** Throws SyntaxError when the text is not JSON. */
export function parseExact(text: string): unknown {
  return parse(text, (_, value, { source }) => (typeof value === "number" ? rawJSON(source) : value));
}

/** `digits` follow the grammar of JSON numbers. */
export function exactNumber(digits: string): ExactNumber {
  return rawJSON(digits);
}
