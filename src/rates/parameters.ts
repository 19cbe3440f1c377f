/** Reads parameters by the contract's grammar, for HTTP and the command line. Unknown parameters are ignored. */

import { type CurrencyIndex, USD } from "#domain/currency/currency.ts";
import { parseBase } from "#domain/currency/pair.ts";
import { Failure } from "#domain/faults/errors.ts";
import { AS_OF_BASES, type AsOf, type AsOfBasis } from "#domain/history/known.ts";
import { openToken, type Since } from "#domain/point-in-time/since.ts";
import { type Day, formatInstant, type Instant, parseDay } from "#domain/time/day.ts";
import { readInstant } from "#domain/time/instant.ts";

/**
 * The text of a parameter; undefined where it is absent, "" where it is blank. A blank one is refused as any other value
 * that means nothing: whoever sends `as_of=` has lost an instant, and must not be answered as if there were no limit.
 */
export type Query = (name: string) => string | undefined;

/** A parameter that must be there; Failure `missing_parameter`. */
export function required(query: Query, name: string): string {
  const value = query(name);
  if (value === undefined || value === "") throw new Failure("missing_parameter", { name });
  return value;
}

/** Any text, null where the parameter is absent; Failure `invalid_request` for a blank one. */
export function textOf(query: Query, name: string): string | null {
  const value = query(name);
  if (value !== "") return value ?? null;
  throw new Failure("invalid_request", { reason: `${name} is empty: give it a value, or leave it out` });
}

/**
 * The base of a request: the path's (or the query parameter `path_base`), the query's, or USD.
 * Failure `unsupported_base`, or `base_conflict` when two are given and differ.
 */
export function baseOf(query: Query, pathBase: string | undefined): CurrencyIndex {
  const given = [pathBase, query("path_base"), query("base")].filter((base) => base !== undefined);
  const bases = given.map(parseBase);
  const differing = bases.findIndex((base) => base !== bases[0]);
  if (differing > 0) throw new Failure("base_conflict", { path: given[0], query: given[differing] });
  return bases[0] ?? USD;
}

/** A calendar day; Failure `bad_date`. */
export function dateOf(text: string): Day {
  const day = parseDay(text);
  if (day === null) throw new Failure("bad_date", { date: text });
  return day;
}

/** One of some values; the first is the default. Failure `invalid_request`. */
export function choiceOf<T extends string>(query: Query, name: string, allowed: readonly [T, ...T[]]): T {
  const value = query(name)?.toLowerCase();
  if (value === undefined) return allowed[0];
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) {
    throw new Failure("invalid_request", { reason: `${name} must be one of ${allowed.join(", ")}` });
  }
  return found;
}

/** A whole number within bounds; Failure `invalid_request`. */
export function integerOf(query: Query, name: string, least: number, most: number, fallback: number): number {
  const value = query(name);
  if (value === undefined) return fallback;
  if (/^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most) return Number(value);
  throw new Failure("invalid_request", { reason: `${name} must be a whole number from ${least} to ${most}` });
}

/** `dp`: decimals from 0 to 10, or absent. Failure `invalid_request`. */
export function parseDp(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^(\d|10)$/.test(text)) return Number(text);
  throw new Failure("invalid_request", { reason: "dp must be a whole number from 0 to 10" });
}

/** An instant out of a query; Failure `invalid_request` naming the parameter. */
export function parseInstant(name: string, text: string): Instant {
  const instant = readInstant(text);
  if (instant !== null) return instant;
  const reason =
    parseDay(text) === null
      ? `${name} must be a UTC instant such as 2026-04-13T16:30:00Z`
      : `${name} must be an instant, not a day: write ${text}T23:59:59Z for the end of that day, UTC`;
  throw new Failure("invalid_request", { reason });
}

/** `updated_after`: `sync_from` of an earlier answer, or a UTC instant; Failure `invalid_request` for anything else. */
export function parseSince(text: string): Since {
  const token = openToken(text);
  if (token !== null) return token;
  if (readInstant(text) !== null || parseDay(text) !== null) {
    const instant = parseInstant("updated_after", text);
    return { text: formatInstant(instant), instant, day: null };
  }
  throw new Failure("invalid_request", {
    reason:
      "updated_after must be sync_from of an earlier answer, or a UTC instant such as 2026-04-13T16:30:00Z",
  });
}

/**
 * `as_of` and `as_of_basis` (absent: undefined) → the limit of knowledge, null without one. Failure `invalid_request`
 * for a malformed instant, an unknown basis, or a basis without an instant.
 */
export function parseAsOf(asOf: string | undefined, basis: string | undefined): AsOf | null {
  if (asOf === undefined) {
    if (basis === undefined) return null;
    throw new Failure("invalid_request", { reason: "as_of_basis needs as_of: send both" });
  }
  const found: AsOfBasis | undefined =
    basis === undefined ? AS_OF_BASES[0] : AS_OF_BASES.find((candidate) => candidate === basis.toLowerCase());
  if (found === undefined) {
    throw new Failure("invalid_request", { reason: `as_of_basis must be one of ${AS_OF_BASES.join(", ")}` });
  }
  return { instant: parseInstant("as_of", asOf), basis: found };
}
