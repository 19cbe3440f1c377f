/** Reading currencies and pairs as callers write them. */

import { Failure } from "#domain/faults/errors.ts";
import { type CurrencyIndex, currencyIndex } from "./currency.ts";

/** A base currency; Failure `unsupported_base`. */
export function parseBase(code: string): CurrencyIndex {
  const index = currencyIndex(code);
  if (index < 0) throw new Failure("unsupported_base", { base: code });
  return index;
}

const LONGEST_SYMBOLS = 512;

/**
 * A comma-separated list of codes, blanks around them ignored, repeats collapsed, in the order given.
 * Empty, absent or `*` means all (null). Failure `invalid_request` naming the first unknown code.
 */
export function parseSymbols(text: string | undefined): readonly CurrencyIndex[] | null {
  if (text === undefined || text.trim() === "" || text.trim() === "*") return null;
  if (text.length > LONGEST_SYMBOLS) {
    throw new Failure("invalid_request", { reason: `symbols is longer than ${LONGEST_SYMBOLS} characters` });
  }
  const indexes = new Set<CurrencyIndex>();
  for (const part of text.split(",")) {
    const code = part.trim();
    const index = currencyIndex(code);
    if (index < 0) {
      const printed = code === "" ? "an empty code" : code.slice(0, 20);
      throw new Failure("invalid_request", {
        reason: `unknown currency in symbols: ${printed}; see /v1/currencies`,
      });
    }
    indexes.add(index);
  }
  return [...indexes];
}

/** The two sides of a conversion; Failure `invalid_pair`. */
export function parsePair(from: string, to: string): readonly [from: CurrencyIndex, to: CurrencyIndex] {
  const [fromIndex, toIndex] = [currencyIndex(from), currencyIndex(to)];
  if (fromIndex < 0 || toIndex < 0) throw new Failure("invalid_pair", { pair: `${from}/${to}` });
  return [fromIndex, toIndex];
}

/** Official reference values that only the slug route serves. */
export type OfficialSlug = "usd-mxn-banxico" | "usd-mxn-dof";

export interface Slug {
  /** Lower case. */
  readonly text: string;
  readonly base: CurrencyIndex;
  readonly quote: CurrencyIndex;
  readonly official: OfficialSlug | null;
}

/** True for one of the official names. */
export function isOfficial(slug: Slug): slug is Slug & { readonly official: OfficialSlug } {
  return slug.official !== null;
}

/** `<base>-<quote>`, or one of the official names; case-insensitive. Failure `invalid_pair`; a currency against itself is no pair. */
export function parseSlug(given: string): Slug {
  const text = given.toLowerCase();
  const official = text === "usd-mxn-banxico" || text === "usd-mxn-dof" ? text : null;
  const match = /^([a-z]{3})-([a-z]{3})$/.exec(official === null ? text : "usd-mxn");
  const [base, quote] = [currencyIndex(match?.[1] ?? ""), currencyIndex(match?.[2] ?? "")];
  if (base < 0 || quote < 0 || base === quote) throw new Failure("invalid_pair", { pair: given });
  return { text, base, quote, official };
}
