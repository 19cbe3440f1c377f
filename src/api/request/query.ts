/** The query of a request. src/api/parameters.ts reads the parameters. */

import type { Query } from "#api/parameters.ts";
import { COVERAGE_START, type Day } from "#domain/time/day.ts";

/** The parameters of a request by name: values of a repeated one are joined by commas, a blank value is "". */
export function textsOf({ url }: Request): Readonly<Record<string, string>> {
  const start = url.indexOf("?");
  return start < 0 ? NONE : parametersOf(url.slice(start));
}

const NONE: Readonly<Record<string, string>> = Object.create(null);

/** The same as the use cases read it. */
export function queryOf(request: Request): Query {
  const texts = textsOf(request);
  return (name) => texts[name];
}

/** The query of a page: forms send the fields that were left empty, too, and the page shows what it took for them. */
export function formOf(request: Request): Query {
  const query = queryOf(request);
  return (name) => query(name) || undefined;
}

/** Characters that are decoded, and those that only a decoder knows what to do with. */
const CODED = /[%+]|[^!-~]/;

/** Values by name, of a query with its question mark. Most queries have nothing to decode: those are split, which costs a quarter of what URLSearchParams does. */
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
 * The day that the plan has to reach for a day, or for a window up to `end`: its first day within coverage. Null where nothing of it is: no
 * plan shows more, so that it is for the data to say so.
 */
export function earliestOf(day: Day | null, end: Day | null = day): Day | null {
  if (day === null || end === null || end < COVERAGE_START) return null;
  return Math.max(day, COVERAGE_START);
}
