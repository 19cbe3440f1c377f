/** JSON whose numbers keep their digits, in and out: "0.85670" and an amount of 40 digits stay as they are. */

/** A number by its digits; JSON.stringify prints them unchanged. */
export interface ExactNumber {
  readonly rawJSON: string;
}

/** A body of this type, its numbers exact. */
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
  isRawJSON(value: unknown): value is ExactNumber;
  parse(
    text: string,
    reviver: (name: string, value: unknown, context: { source: string }) => unknown,
  ): unknown;
}

const { rawJSON, isRawJSON, parse } = JSON as unknown as SourceTextJson;

/** `digits` follow the grammar of JSON numbers; throws SyntaxError for what is no JSON. */
export const exactNumber = (digits: string): ExactNumber => rawJSON(digits);

export const isExactNumber = (value: unknown): value is ExactNumber => isRawJSON(value);

/** Throws SyntaxError when the text is not JSON. */
export function parseExact(text: string): unknown {
  return parse(text, (_, value, { source }) => (typeof value === "number" ? rawJSON(source) : value));
}

/**
 * Stand in a printed body for what is filled in later: texts with an escape that JSON.stringify never writes. The first is the place of
 * `timestamp`, for which the transport fills in the second in which it answers.
 */
export const SERVED_AT = rawJSON(String.raw`"\u0041"`) as ExactNumber & { readonly isServedAt: true };
const READY = rawJSON(String.raw`"\u0042"`);
/** Cuts a printed body at these places. */
export const FILLED_IN_LATER = /("\\u004[12]")/;

/** A member whose value is ready as JSON bytes, ASCII, in parts that follow each other. */
export class RawJson {
  readonly parts: readonly Uint8Array[];
  constructor(parts: readonly Uint8Array[]) {
    this.parts = parts;
  }
  toJSON(): ExactNumber {
    return READY;
  }
}
