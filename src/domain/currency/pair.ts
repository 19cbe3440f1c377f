/** Reading currencies and pairs as callers write them. */

import { Failure } from "#domain/faults/errors.ts";
import { type CurrencyIndex, currencyIndex, mixedCaseHint } from "./currency.ts";

/** A base currency; Failure `unsupported_base`. */
export function parseBase(code: string): CurrencyIndex {
  const index = currencyIndex(code);
  if (index < 0) throw new Failure("unsupported_base", { base: code.toUpperCase(), ...hintFor(code) });
  return index;
}

/** The hint for the first of the codes in mixed case, in place of the message of a refusal. */
function hintFor(...codes: readonly string[]): { readonly wording?: string } {
  const hint = codes.map(mixedCaseHint).find((text) => text !== null);
  return hint === undefined ? {} : { wording: hint };
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
        reason: mixedCaseHint(code) ?? `unknown currency in symbols: ${printed}; see /v1/currencies`,
      });
    }
    indexes.add(index);
  }
  return [...indexes];
}

/** The two sides of a conversion; Failure `invalid_pair`. */
export function parsePair(from: string, to: string): readonly [from: CurrencyIndex, to: CurrencyIndex] {
  const [fromIndex, toIndex] = [currencyIndex(from), currencyIndex(to)];
  if (fromIndex < 0 || toIndex < 0)
    throw new Failure("invalid_pair", { pair: `${from}/${to}`, ...hintFor(from, to) });
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

/** `<base>-<quote>`, or one of the official names; each code in upper or in lower case. Failure `invalid_pair`; a currency against itself is no pair. */
export function parseSlug(given: string): Slug {
  const text = given.toLowerCase();
  const official = text === "usd-mxn-banxico" || text === "usd-mxn-dof" ? text : null;
  const [from = "", to = "", ...more] = given.split("-");
  const [base, quote] = [currencyIndex(from), currencyIndex(to)];
  const isPair = base >= 0 && quote >= 0 && base !== quote && (official !== null || more.length === 0);
  if (!isPair) throw new Failure("invalid_pair", { pair: given, ...hintFor(from, to) });
  return { text, base, quote, official };
}
