/** Reading paths and queries by the contract's grammar. Unknown parameters are ignored: real clients send extra ones. */

import { type CurrencyIndex, USD } from "#domain/currency/currency.ts";
import { parseBase } from "#domain/currency/pair.ts";
import { Failure } from "#domain/faults/errors.ts";
import { COVERAGE_START, type Day, parseDay } from "#domain/time/day.ts";

export type Query = (name: string) => string | undefined;

/** The query of a request: values of a repeated parameter are joined by commas, a blank value counts as absent. */
export function queryOf(request: Request): Query {
  const start = request.url.indexOf("?");
  if (start < 0) return () => undefined;
  const parameters = new URLSearchParams(request.url.slice(start));
  return (name) => {
    const values = parameters.getAll(name);
    const text = values.join(",").trim();
    return text === "" ? undefined : text;
  };
}

/** A parameter that must be there; Failure `missing_parameter`. */
export function required(query: Query, name: string): string {
  const value = query(name);
  if (value === undefined) throw new Failure("missing_parameter", { name });
  return value;
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

/**
 * What a plan is asked about a day, or a window up to `end`: its first day within coverage. Null where nothing of it is: no
 * plan shows more, so that it is for the data to say so.
 */
export function earliestOf(day: Day | null, end: Day | null = day): Day | null {
  if (day === null || end === null || end < COVERAGE_START) return null;
  return Math.max(day, COVERAGE_START);
}

/** One of some words; the first is the default. Failure `invalid_request`. */
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
  if (/^\d{1,6}$/.test(value) && Number(value) >= least && Number(value) <= most) return Number(value);
  throw new Failure("invalid_request", { reason: `${name} must be a whole number from ${least} to ${most}` });
}
