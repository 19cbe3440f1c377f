/**
 * Shared by the routes of Open Exchange Rates: queries, parameters and refusals. An App ID is accepted anywhere; where
 * calls are metered it is read as an API key.
 */

import { Type } from "@sinclair/typebox";
import type { AccountDeps } from "#accounts/keys/keys.ts";
import * as compat from "#api/compat/compat.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import type { Query } from "#api/parameters.ts";
import { textsOf } from "#api/request/query.ts";
import { openExchangeRates as dialect, oxrRefusal } from "#api/response/failures.ts";
import { parseBase, USD } from "#domain/currency/currency.ts";
import { noticeText, type Simulated } from "#domain/dataset/dataset.ts";
import type { QuoteArchive } from "#ports.ts";

export interface OxrDeps extends compat.CompatDeps {
  /** Null where nothing is limited. */
  readonly account: Pick<AccountDeps, "monthUsed"> | null;
  /** Null without an intraday archive. */
  readonly archive: QuoteArchive | null;
}

export type OxrQuery = ReturnType<typeof readOxrQuery>;

/**
 * Returns the symbols in alphabetical order, without `symbols` all of the catalog, the base included, as in that service;
 * `unavailable` are requested codes outside it, left out and named in a header. Fails with `unsupported_base`; refuses
 * with `not_available` when the catalog has no requested symbol.
 */
export function readOxrQuery(query: Query) {
  const baseText = query("base");
  const base = baseText === undefined ? USD : parseBase(baseText);
  const { symbols, unknown, hint } = compat.readCodes((query("symbols") || undefined)?.slice(0, 2048));
  if (hint !== null) throw oxrRefusal("not_available", `${hint}; see currencies.json`);
  const unavailable = [...new Set(unknown.filter((code) => code !== ""))].map(printable);
  if (symbols.length > 0) return { base, symbols, unavailable };
  throw oxrRefusal(
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

const LICENSE =
  "Figures of the European Central Bank, the Federal Reserve Board (H.10) and the configured live feed, each under its own terms. Not provided by Open Exchange Rates.";

/** Every body begins with disclaimer and license in our own texts. */
export function frame(simulated: Simulated | false) {
  return { disclaimer: noticeText(simulated), license: LICENSE };
}

export const frameFields = {
  disclaimer: form.text(
    "What the rates are for; it starts with SIMULATED where a rate is simulated, and says which.",
    noticeText(false),
  ),
  license: form.text("Who published the figures.", LICENSE),
};

export const baseField = form.meaning(field.CurrencyCodeModel, "Base currency.", "USD");

const flag = (description: string) => compat.aside(description, "1");

export const PARAMETERS = {
  app_id: compat.aside(
    "An API key of this server, here or as `Authorization: Token`. Without one the limits of callers without a key apply.",
    "any",
  ),
  base: compat.described("Base currency, by default USD.", "USD"),
  symbols: compat.described(
    "Currencies wanted, separated by commas; by default all, the base included. Unknown ones are left out and named in `X-Unavailable-Symbols`.",
    "EUR,GBP",
  ),
  show_bid_ask: flag("Each rate becomes `{mid}`: reference rates have no bid and no ask."),
  show_alternative: flag("Accepted; there are no alternative currencies here."),
  prettyprint: flag("Accepted; bodies are never indented."),
};

/**
 * Returns the Unix seconds of the newest contributing observation, for `timestamp`. Clients of that service fetch again
 * when it is old; a weekly figure would make them do so at every call.
 */
export function newestSeconds(effectiveAt: Readonly<Record<string, string>>): number {
  return Math.floor(Math.max(...Object.values(effectiveAt).map((text) => Date.parse(text))) / 1000);
}

const OxrRefusal = form.named("OxrRefusal", "A refusal in the form of Open Exchange Rates.", {
  error: Type.Unsafe<true>({ type: "boolean", const: true, description: "Always true." }),
  status: Type.Integer({ description: "HTTP status.", examples: [400] }),
  message: form.text("Code of the fault.", "invalid_base"),
  description: form.text("What is wrong and what to do.", "unsupported base: XYZ; see currencies.json"),
});

/** Clients of that service send their key as `app_id` or as `Authorization: Token`: our keys are read from both. */
function authorization(request: Request): string | null {
  const header = request.headers.get("authorization");
  if (header !== null) return header.replace(/^Token +/i, "Bearer ");
  // Clients of an installation without keys send an empty App ID.
  const id = textsOf(request)["app_id"] || null;
  return id === null ? null : `Bearer ${id}`;
}

/** `idOf` names the operations of the routes. */
export const routesOf = (idOf?: (id: string) => string) =>
  compat.routesOf(OxrRefusal, { dialect, authorization }, [400], idOf);
