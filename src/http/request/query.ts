/** The query of a request. src/rates/parameters.ts reads the parameters. */

import { COVERAGE_START, type Day } from "#domain/time/day.ts";
import type { Query } from "#rates/parameters.ts";

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

/**
 * The day that the plan has to reach for a day, or for a window up to `end`: its first day within coverage. Null where nothing of it is: no
 * plan shows more, so that it is for the data to say so.
 */
export function earliestOf(day: Day | null, end: Day | null = day): Day | null {
  if (day === null || end === null || end < COVERAGE_START) return null;
  return Math.max(day, COVERAGE_START);
}
