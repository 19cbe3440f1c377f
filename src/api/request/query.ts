/** The query of a request. src/api/parameters.ts reads the parameters. */

import { Elysia } from "elysia";
import type { Query } from "#api/parameters.ts";
import { COVERAGE_START, type Day } from "#domain/time/day.ts";

/** Returns the parameters of a request by name: values of a repeated one are joined by commas, a blank value is "". */
export function textsOf({ url }: Request): Readonly<Record<string, string>> {
  const start = url.indexOf("?");
  return start < 0 ? NONE : parametersOf(url.slice(start));
}

const NONE: Readonly<Record<string, string>> = Object.create(null);

export function queryOf(request: Request): Query {
  const texts = textsOf(request);
  return (name) => texts[name];
}

/** Reads the query of a page: forms send empty fields, too, and the page shows how it read them. */
export function formOf(request: Request): Query {
  const query = queryOf(request);
  return (name) => query(name) || undefined;
}

/** Characters that a query must be decoded for. */
const CODED = /[%+]|[^!-~]/;

/** Splits a query with its question mark into values by name. Most need no decoding: a split costs a quarter of URLSearchParams. */
function parametersOf(query: string): Readonly<Record<string, string>> {
  const parameters: Record<string, string> = Object.create(null);
  const add = (value: string, name: string) => {
    const before = parameters[name];
    parameters[name] = before === undefined ? value : `${before},${value}`;
  };
  if (CODED.test(query)) new URLSearchParams(query).forEach(add);
  else {
    for (const part of query.slice(1).split("&")) {
      const equals = part.indexOf("=");
      if (equals < 0) add("", part);
      else add(part.slice(equals + 1), part.slice(0, equals));
    }
  }
  for (const name in parameters) parameters[name] = (parameters[name] as string).trim();
  return parameters;
}

/**
 * Returns the first day of the window within coverage, which the plan must cover; `day` alone is a window of one day.
 * Null without a day, and for a window before coverage, which the data refuses.
 */
export function earliestOf(day: Day | null, end: Day | null = day): Day | null {
  if (day === null || end === null || end < COVERAGE_START) return null;
  return Math.max(day, COVERAGE_START);
}

/** Elysia gives a segment with broken % escapes as null; no parameter accepts this text. */
const UNREADABLE = "\uFFFD";

/**
 * Runs before every route: Elysia's own reading of a query splits at commas and parses JSON. It is a `derive`, because a
 * hook that takes the whole context has Elysia read headers and cookies, too.
 */
export const query = new Elysia({ name: "query" }).derive({ as: "global" }, ({ request, params }) => {
  const segments: Record<string, string | null | undefined> = params;
  for (const name in segments) segments[name] ??= UNREADABLE;
  return { query: textsOf(request) };
});
