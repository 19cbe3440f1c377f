/** Reads queries of Open Exchange Rates' clients. An App ID is accepted anywhere and has no meaning here. */

import { oxrRefusal } from "#api/compat/dialects.ts";
import { encodePieces } from "#api/response/encode.ts";
import {
  CURRENCY_CODES,
  type CurrencyIndex,
  currencyIndex,
  mixedCaseHint,
  USD,
} from "#domain/currency/currency.ts";
import { parseBase } from "#domain/currency/pair.ts";
import { noticeText } from "#domain/dataset/provenance.ts";
import { type Day, parseDay } from "#domain/time/day.ts";
import type { Query } from "#rates/parameters.ts";

export interface Wanted {
  readonly base: CurrencyIndex;
  /** In alphabetical order; without `symbols` all of the catalog, the base included, as there. */
  readonly symbols: readonly CurrencyIndex[];
  /** Requested codes that are not in the catalog: left out there too, and named in a header. */
  readonly unavailable: readonly string[];
}

/** Failure `unsupported_base`; refusal `not_available` when not one of the symbols is in the catalog. */
export function wanted(query: Query): Wanted {
  const baseText = query("base");
  const base = baseText === undefined ? USD : parseBase(baseText);
  const codes = ((query("symbols") || undefined)?.slice(0, 2048).split(",") ?? CURRENCY_CODES)
    .map((code) => code.trim())
    .filter((code) => code !== "");
  const hint = codes.map(mixedCaseHint).find((text) => text !== null);
  if (hint !== undefined) throw oxrRefusal(400, "not_available", `${hint}; see currencies.json`);
  const symbols = [...new Set(codes.map(currencyIndex))].filter((index) => index >= 0).sort((a, b) => a - b);
  const unavailable = [...new Set(codes.filter((code) => currencyIndex(code) < 0))].map(printable);
  if (symbols.length > 0) return { base, symbols, unavailable };
  throw oxrRefusal(
    400,
    "not_available",
    `None of the requested symbols is available here: ${unavailable.join(",").slice(0, 80)}; see currencies.json`,
  );
}

/** Codes of other services are alphanumeric; anything else must not reach a header. */
function printable(code: string): string {
  return code
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, "?")
    .slice(0, 8);
}

/** A calendar day, or null. */
export function dayOf(text: string | undefined): Day | null {
  return text === undefined ? null : parseDay(text);
}

/** `1`, `true` and a bare name switch a parameter on. */
export function isOn(request: Request, name: string): boolean {
  const start = request.url.indexOf("?");
  const value = start < 0 ? null : new URLSearchParams(request.url.slice(start)).get(name);
  return value !== null && !["0", "false", "no", "off"].includes(value.toLowerCase());
}

/** The body as text, indented where `prettyprint` requests it. */
export function print(request: Request, body: object): string {
  return indented(request, encodePieces(body).join(""));
}

export function indented(request: Request, text: string): string {
  return isOn(request, "prettyprint") ? indentedJson(text) : text;
}

const TOKENS = /"(?:[^"\\]|\\.)*"|\{\}|\[\]|[{}[\],:]/g;

/** JSON without white space, indented by two as JSON.stringify does; numbers have the digits that they had, which a parser would not keep. */
function indentedJson(text: string): string {
  let margin = "\n";
  return text.replace(TOKENS, (token) => {
    switch (token) {
      case "{":
      case "[":
        margin += "  ";
        return token + margin;
      case "}":
      case "]":
        margin = margin.slice(0, -2);
        return margin + token;
      case ",":
        return token + margin;
      case ":":
        return ": ";
      default:
        return token;
    }
  });
}

/** What frames every Open-Exchange-Rates-compatible body: disclaimer and license in our own words. */
export function frame(simulated: boolean): { readonly disclaimer: string; readonly license: string } {
  return {
    disclaimer: noticeText(simulated),
    license:
      "Figures of the European Central Bank, the Federal Reserve Board (H.10) and the configured live feed, each under its own terms. Not provided by Open Exchange Rates.",
  };
}

/**
 * Unix seconds, as `timestamp` has them: of the newest observation that contributes. Clients of that service fetch again when it is
 * old, and a figure that comes once a week would make them do so at every call.
 */
export function newestSeconds(effectiveAt: Readonly<Record<string, string>>): number {
  return Math.floor(Math.max(...Object.values(effectiveAt).map((text) => Date.parse(text))) / 1000);
}
