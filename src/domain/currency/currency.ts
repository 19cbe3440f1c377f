/** The catalog: 31 currencies, 465 pairs, with names and numbers from ISO 4217; and how callers write currencies and pairs. */

import { Failure } from "#domain/faults/errors.ts";

export interface Currency {
  readonly code: CurrencyCode;
  /** ISO 4217 numeric code, three digits. */
  readonly numeric: string;
  readonly name: string;
  /** ISO 4217 minor units; never taken from Intl, which differs for HUF, IDR and TWD. */
  readonly minorUnits: number;
}

/** In alphabetical order: this order is the index used by every array over currencies. */
const TABLE = {
  AUD: ["036", "Australian Dollar", 2],
  BRL: ["986", "Brazilian Real", 2],
  CAD: ["124", "Canadian Dollar", 2],
  CHF: ["756", "Swiss Franc", 2],
  CNY: ["156", "Yuan Renminbi", 2],
  CZK: ["203", "Czech Koruna", 2],
  DKK: ["208", "Danish Krone", 2],
  EUR: ["978", "Euro", 2],
  GBP: ["826", "Pound Sterling", 2],
  HKD: ["344", "Hong Kong Dollar", 2],
  HUF: ["348", "Forint", 2],
  IDR: ["360", "Rupiah", 2],
  ILS: ["376", "New Israeli Sheqel", 2],
  INR: ["356", "Indian Rupee", 2],
  ISK: ["352", "Iceland Krona", 0],
  JPY: ["392", "Yen", 0],
  KRW: ["410", "Won", 0],
  MXN: ["484", "Mexican Peso", 2],
  MYR: ["458", "Malaysian Ringgit", 2],
  NOK: ["578", "Norwegian Krone", 2],
  NZD: ["554", "New Zealand Dollar", 2],
  PHP: ["608", "Philippine Peso", 2],
  PLN: ["985", "Zloty", 2],
  RON: ["946", "Romanian Leu", 2],
  SEK: ["752", "Swedish Krona", 2],
  SGD: ["702", "Singapore Dollar", 2],
  THB: ["764", "Baht", 2],
  TRY: ["949", "Turkish Lira", 2],
  TWD: ["901", "New Taiwan Dollar", 2],
  USD: ["840", "US Dollar", 2],
  ZAR: ["710", "Rand", 2],
} satisfies Record<string, readonly [numeric: string, name: string, minorUnits: number]>;

export type CurrencyCode = keyof typeof TABLE;
export const CURRENCY_CODES = Object.keys(TABLE) as readonly CurrencyCode[];
/** Position of a currency in `CURRENCY_CODES`. */
export type CurrencyIndex = number;

export const CURRENCY_COUNT = CURRENCY_CODES.length;
export const PAIR_COUNT = (CURRENCY_COUNT * (CURRENCY_COUNT - 1)) / 2;

export const CURRENCIES: readonly Currency[] = CURRENCY_CODES.map((code) => {
  const [numeric, name, minorUnits] = TABLE[code];
  return { code, numeric, name, minorUnits };
});

const INDEX = new Map<string, CurrencyIndex>(
  CURRENCY_CODES.flatMap((code, index) => [
    [code, index],
    [code.toLowerCase(), index],
  ]),
);

/** Index of a code in upper or in lower case, or -1. A code in mixed case may be a smaller unit: GBp are pence. */
export function currencyIndex(code: string): CurrencyIndex {
  return INDEX.get(code) ?? -1;
}

/** Units of market data, each a hundredth of a currency. */
const SMALLER_UNITS = new Map<string, readonly [CurrencyCode, unit: string, currency: string]>([
  ["GBp", ["GBP", "pence", "pounds"]],
  ["ZAc", ["ZAR", "cents", "rand"]],
  ["ILa", ["ILS", "agorot", "shekels"]],
]);

/** A sentence with the right spelling for a code in mixed case; null for any other code, and for one unlike any in the catalog. */
export function mixedCaseHint(code: string): string | null {
  const upper = code.toUpperCase();
  const [full, unit, currency] = SMALLER_UNITS.get(code) ?? [upper];
  if (code === upper || code === code.toLowerCase() || currencyIndex(full) < 0) return null;
  const start = `${code} is not a currency code here: `;
  if (unit === undefined) return `${start}write ${full} or ${full.toLowerCase()}`;
  return `${start}${unit} are not served; write ${full} or ${full.toLowerCase()} for ${currency}`;
}

export function currencyCode(index: CurrencyIndex): CurrencyCode {
  return CURRENCY_CODES[index] as CurrencyCode;
}

export const EUR: CurrencyIndex = currencyIndex("EUR");
export const USD: CurrencyIndex = currencyIndex("USD");

/** A base currency; Failure `unsupported_base`. */
export function parseBase(code: string): CurrencyIndex {
  const index = currencyIndex(code);
  if (index < 0) throw new Failure("unsupported_base", { base: code.toUpperCase(), ...hintFor(code) });
  return index;
}

/** The hint for the first of the codes in mixed case; it replaces the message of a refusal. */
function hintFor(...codes: readonly string[]): { readonly wording?: string } {
  const hint = codes.map(mixedCaseHint).find((text) => text !== null);
  return hint === undefined ? {} : { wording: hint };
}

const LONGEST_SYMBOLS = 512;

/**
 * A list separated by commas, blanks ignored, repeats collapsed, in order. Empty, absent or `*` means all (null). Failure
 * `invalid_request` names the first unknown code.
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
  readonly text: string;
  readonly base: CurrencyIndex;
  readonly quote: CurrencyIndex;
  readonly official: OfficialSlug | null;
}

export function isOfficial(slug: Slug): slug is Slug & { readonly official: OfficialSlug } {
  return slug.official !== null;
}

/**
 * `<base>-<quote>`, or one of the official names, in any case; but GBp, as in market data, is no currency. Failure `invalid_pair`; a currency
 * against itself is no pair.
 */
export function parseSlug(slug: string): Slug {
  const text = slug.toLowerCase();
  const official = text === "usd-mxn-banxico" || text === "usd-mxn-dof" ? text : null;
  const [from = "", to = "", ...more] = slug.split("-");
  const [base = -1, quote = -1] = [from, to].map((code) =>
    // The pattern excludes other letters than ASCII's: toUpperCase would turn ſ into S.
    SMALLER_UNITS.has(code) || !/^[A-Za-z]{3}$/.test(code) ? -1 : currencyIndex(code.toUpperCase()),
  );
  const isPair = base >= 0 && quote >= 0 && base !== quote && (official !== null || more.length === 0);
  if (!isPair)
    throw new Failure("invalid_pair", {
      pair: slug,
      ...hintFor(...[from, to].filter((code) => SMALLER_UNITS.has(code))),
    });
  return { text, base, quote, official };
}
