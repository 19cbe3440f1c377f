/** Words that several commands take: currencies, days, instants, and the flags that every command about rates has. */

import { type Flag, UsageFault } from "#cli/command.ts";
import { CURRENCY_CODES, currencyCode, currencyIndex, mixedCaseHint } from "#domain/currency/currency.ts";
import { parseDay } from "#domain/time/day.ts";
import { readInstant } from "#domain/time/instant.ts";

export const URL_FLAG = {
  name: "--url",
  shown: "URL",
  allowed: "an address such as https://rates.example.org",
  accepts: isServerAddress,
  meaning: "the server (CROSSRATE_URL, else the one of the last login, else this machine's)",
} as const satisfies Flag;

export const JSON_FLAG = {
  name: "--json",
  meaning: "print the server's body, every digit as sent",
} as const satisfies Flag;

export const CSV_FLAG = { name: "--csv", meaning: "print comma-separated values" } as const satisfies Flag;

export const DP_FLAG = {
  name: "--dp",
  shown: "N",
  allowed: "a whole number of decimals from 0 to 10",
  accepts: (text: string) => /^(\d|10)$/.test(text),
  meaning: "round to so many decimals, 0 to 10",
} as const satisfies Flag;

export function dayFlag<Name extends string>(name: Name, meaning: string): Flag<Name> {
  return { name, meaning, shown: "YYYY-MM-DD", allowed: "a calendar day, YYYY-MM-DD,", accepts: isDay };
}

export function instantFlag<Name extends string>(name: Name, meaning: string): Flag<Name> {
  return {
    name,
    meaning,
    shown: "INSTANT",
    allowed: "a UTC instant such as 2026-04-13T16:30:00Z",
    accepts: (text) => readInstant(text.trim()) !== null,
  };
}

/** A token as an answer gave it, which the server checks, or an instant. */
export function sinceFlag<Name extends string>(name: Name, meaning: string): Flag<Name> {
  const instant = instantFlag(name, meaning);
  return {
    ...instant,
    shown: "TOKEN|INSTANT",
    allowed: `sync_from of an earlier answer, or ${instant.allowed}`,
    accepts: (text) => /^v\d/.test(text) || instant.accepts?.(text) === true,
  };
}

/** An http or https address of a server. */
export function isServerAddress(text: string): boolean {
  return /^https?:\/\/[^/\s]/.test(text) && URL.canParse(text);
}

export function isDay(text: string): boolean {
  return parseDay(text) !== null;
}

/** A code of the catalog, upper case. Throws UsageFault. */
function currencyWord(text: string): string {
  const code = text.trim();
  const index = currencyIndex(code);
  if (index >= 0) return currencyCode(index);
  throw new UsageFault(
    mixedCaseHint(code) ??
      `${text} is no currency here; crossrate currencies lists the ${CURRENCY_CODES.length} codes`,
  );
}

/** Codes with commas between them, or `*` for all. */
function symbolsWord(text: string): string {
  if (text.trim() === "*") return "*";
  return text.split(",").map(currencyWord).join(",");
}

/**
 * What follows the command's name, as people type it: `USD EUR,JPY`, `USD EUR JPY`, `USD to EUR`. The first code is the base,
 * the others are symbols; without a word the server's defaults hold.
 */
export function baseAndSymbols(operands: readonly string[]): {
  readonly base: string | undefined;
  readonly symbols: string | undefined;
} {
  const [base, ...rest] = operands.filter((word) => !["to", "in"].includes(word.toLowerCase()));
  const symbols = rest.map(symbolsWord).join(",");
  if (symbols.includes("*") && symbols !== "*") throw new UsageFault("name currencies, or * for all of them");
  return {
    base: base === undefined ? undefined : currencyWord(base),
    symbols: symbols === "" ? undefined : symbols,
  };
}
