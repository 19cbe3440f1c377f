/** Options and arguments of several commands: currencies, days, instants, choices. */

import { Argument, Option } from "commander";
import { UsageFault } from "#cli/command.ts";
import {
  CURRENCIES,
  CURRENCY_CODES,
  type CurrencyCode,
  currencyCode,
  currencyIndex,
  mixedCaseHint,
} from "#domain/currency/currency.ts";
import { AS_OF_BASES } from "#domain/history/observation.ts";
import { AGGREGATES, BAR_SECONDS, PERIODS, QUOTE_SIDES } from "#domain/history/periods.ts";
import { EXPORT_FORMATS, LAYOUTS } from "#domain/history/rate-columns.ts";
import { parseDay, readInstant } from "#domain/time/day.ts";

export function flag(name: string, meaning: string): Option {
  return new Option(name, meaning);
}

/** `flags` is like `-o, --out <FILE>`. `allowed` describes a value, and comes before " is needed" in a refusal. */
export function valued(
  flags: string,
  meaning: string,
  allowed: string,
  accepts: (text: string) => boolean = () => true,
): Option {
  const option = new Option(flags, meaning);
  return option.argParser((text: string, previous: string | undefined) => {
    if (previous !== undefined) throw new UsageFault(`${option.long} is given twice`);
    if (text.trim() === "" || text.startsWith("--"))
      throw new UsageFault(`${option.long} has no value: ${allowed} is needed`);
    if (!accepts(text)) throw new UsageFault(`${option.long} ${text}: ${allowed} is needed`);
    return text.trim();
  });
}

export function counted(
  flags: string,
  meaning: string,
  least: number,
  most: number,
  what = "number",
): Option {
  const allowed = `a whole ${what} from ${least} to ${most}`;
  return valued(
    flags,
    meaning,
    allowed,
    (text) => /^(0|[1-9]\d*)$/.test(text) && Number(text) >= least && Number(text) <= most,
  );
}

export function choice(name: string, values: readonly string[], meaning: string): Option {
  const option = valued(`${name} <${values.join("|")}>`, meaning, `one of ${values.join(", ")}`, (text) =>
    values.includes(text.trim().toLowerCase()),
  );
  option.argChoices = [...values];
  return option;
}

export const urlOption = (
  meaning = "the server (CROSSRATE_URL, else the one of the last login, else this machine's)",
) => valued("--url <URL>", meaning, "an address such as https://rates.example.org", isServerAddress);

export interface Outputs {
  readonly json?: true;
  readonly csv?: true;
  readonly url?: string;
}

/** Options that are no parameters: they choose the server, or the form of the output. */
const OTHER_OPTIONS = ["url", "json", "csv", "out"];

/** The other options as parameters of the API: `--as-of` is `as_of`. */
export function parametersOf(options: object): Readonly<Record<string, string>> {
  const parameters = Object.entries(options).filter(([name]) => !OTHER_OPTIONS.includes(name));
  return Object.fromEntries(
    parameters.map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}

export const jsonOption = () => flag("--json", "print the server's body, every digit as sent");
export const csvOption = () => flag("--csv", "print comma-separated values");

export const dpOption = () =>
  counted("--dp <N>", "round to so many decimals, 0 to 10", 0, 10, "number of decimals");

export const dayOption = (name: string, meaning: string) =>
  valued(`${name} <YYYY-MM-DD>`, meaning, "a calendar day, YYYY-MM-DD,", isDay);

const AN_INSTANT = "a UTC instant such as 2026-04-13T16:30:00Z";
const isInstant = (text: string) => readInstant(text.trim()) !== null;

export const instantOption = (name: string, meaning: string) =>
  valued(`${name} <INSTANT>`, meaning, AN_INSTANT, isInstant);

export const asOfOptions = () => [
  instantOption("--as-of", "what was known then"),
  choice("--as-of-basis", AS_OF_BASES, "known to the world, or to that server (published)"),
];

/** Parameters of GET /v1/range, with the command's own form of `fill`. */
export const seriesOptions = (fill: Option) => [
  choice("--format", EXPORT_FORMATS, "form of a file or of standard output (by the extension, else csv)"),
  fill,
  choice(
    "--interval",
    [...PERIODS, ...Object.keys(BAR_SECONDS), "tick"],
    "a row a week, month, quarter or year; bars of quotes; quotes (daily rates)",
  ),
  choice("--aggregate", AGGREGATES, "how such a period becomes one value (last)"),
  choice("--side", QUOTE_SIDES, "of bars and quotes, the price that counts (mid)"),
  choice("--order", ["asc", "desc"], "by date (asc)"),
  choice("--layout", LAYOUTS, "files: a row a date and currency, or a column a currency (long)"),
  ...asOfOptions(),
  // A token of an earlier answer, which the server checks, or an instant.
  valued(
    "--updated-after <TOKEN|INSTANT>",
    "only what was accepted or revised since",
    `sync_from of an earlier answer, or ${AN_INSTANT}`,
    (text) => /^v\d/.test(text) || isInstant(text),
  ),
  dpOption(),
];

export function isServerAddress(text: string): boolean {
  return /^https?:\/\/[^/\s]/.test(text) && URL.canParse(text);
}

export function isDay(text: string): boolean {
  return parseDay(text) !== null;
}

/** Names currency arguments for help and completion; `baseAndSymbols` reads them. */
export const currencyWords = (...names: readonly string[]) =>
  names.map((name) => {
    const argument = new Argument(name);
    argument.argChoices = [...CURRENCY_CODES];
    return argument;
  });

const OTHER_NAMES: Readonly<Record<string, CurrencyCode>> = {
  ...{ $: "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₩": "KRW", "₹": "INR", "₺": "TRY" },
  ...{ RMB: "CNY", CNH: "CNY", NTD: "TWD", STG: "GBP", SHEKEL: "ILS", KRONER: "NOK", KRONOR: "SEK" },
};

function currencyWord(text: string): string {
  const code = text.trim();
  const index = currencyIndex(code);
  if (index >= 0) return currencyCode(index);
  if (pairIn(code) !== null) throw new UsageFault(`${code}: name one pair, and no currency before it`);
  throw new UsageFault(mixedCaseHint(code) ?? `Unknown currency ${code}${adviceFor(code.toUpperCase())}`);
}

function adviceFor(text: string): string {
  const letters = (code: string) => [...code].sort().join("");
  const isNear = (code: string) =>
    code.length === text.length &&
    (letters(code) === letters(text) || [...code].filter((letter, at) => letter !== text[at]).length === 1);
  const alike = CURRENCIES.filter(
    ({ code, name }) =>
      OTHER_NAMES[text] === code || isNear(code) || (text.length > 2 && name.toUpperCase().includes(text)),
  ).map(({ code }) => code);
  if (alike.length === 0) return `; crossrate currencies lists the ${CURRENCY_CODES.length} codes`;
  return `. Did you mean ${alike.join(", ").replace(/, (\w+)$/, " or $1")}?`;
}

/** Reads `USD/EUR`, `usd-eur` or `USDEUR`; null for anything else. */
function pairIn(word: string): readonly [base: string, quote: string] | null {
  const [, base = "", separator, quote = ""] = /^([a-z]{3})([/-]?)([a-z]{3})$/i.exec(word.trim()) ?? [];
  const isCode = (code: string) => currencyIndex(code) >= 0;
  return separator || isCode(base) || isCode(quote) ? [base, quote] : null;
}

/**
 * Reads the arguments of a command: `USD EUR,JPY`, `USD EUR JPY`, `USD to EUR`, `USD/EUR`, `usd-eur`, `USDEUR`. The first
 * code is the base, the others are symbols, `*` means all. Undefined means the server's default.
 */
export function baseAndSymbols(words: readonly string[]): {
  readonly base: string | undefined;
  readonly symbols: string | undefined;
} {
  const [first, ...rest] = words.filter((word) => !["to", "in"].includes(word.toLowerCase()));
  const [head = "", ...tail] = first?.split(",") ?? [];
  const pair = pairIn(head);
  if (pair === null && tail.length > 0)
    throw new UsageFault(`${first}: name the base first, as in USD EUR,JPY`);
  const symbols = pair === null ? rest : [pair[1], ...tail, ...rest];
  return {
    base: first === undefined ? undefined : currencyWord(pair?.[0] ?? head),
    symbols: symbolsIn(symbols.flatMap((word) => word.split(","))),
  };
}

/** The same as a query: all symbols are what the server shows without a list. */
export const subjectOf = (words: readonly string[]) => everySymbol(baseAndSymbols(words));

export function everySymbol<Query extends { readonly symbols: string | undefined }>(query: Query) {
  return { ...query, symbols: query.symbols === "*" ? undefined : query.symbols };
}

function symbolsIn(codes: readonly string[]): string | undefined {
  const symbols = codes.map((code) => (code.trim() === "*" ? "*" : currencyWord(code))).join(",");
  if (symbols.includes("*") && symbols !== "*") throw new UsageFault("name currencies, or * for all of them");
  return symbols === "" ? undefined : symbols;
}

export const windowWords = () => [
  ...currencyWords("[BASE]", "[SYMBOLS]"),
  new Argument("[DAYS...]", "the first and the last day"),
];

/** Reads base, symbols and days, as in `USD EUR 2024-01-01 2024-12-31`. */
export function windowOf(words: readonly string[]) {
  const days = words.filter(isDay);
  const [start, end, ...tooMany] = days;
  if (start === undefined || end === undefined || tooMany.length > 0)
    throw new UsageFault("name a first and a last day, YYYY-MM-DD, as in USD EUR 2024-01-01 2024-12-31");
  if (start > end) throw new UsageFault(`${start} is after ${end}: name the first day first`);
  return { ...basketOf(words.filter((word) => !days.includes(word))), start_date: start, end_date: end };
}

export function basketOf(words: readonly string[]) {
  const { base, symbols } = baseAndSymbols(words);
  if (symbols === undefined)
    throw new UsageFault("name a base and the currencies to show, as in USD EUR,JPY; * for all of them");
  return { base, symbols };
}
