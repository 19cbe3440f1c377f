/** Windows of days as a caller states them: `start_date` and `end_date`, or a named period. */

import { Failure } from "#domain/faults/errors.ts";
import type { Day } from "#domain/time/day.ts";
import { type Period, parsePeriod, TAX_COUNTRIES } from "#domain/time/period.ts";
import type { Parameter } from "./parameters.ts";

const tax = TAX_COUNTRIES.map((country) => `\`${country}-2025-26\``).join(", ");

export const namedPeriod = {
  description: `A named period, without \`start_date\` and \`end_date\`: a year \`2025\`, a quarter \`2025-Q3\`, a month \`2025-07\`, or a tax year by its country: ${tax}.`,
  example: "2025",
  inSampleCall: false,
  refusals: ["invalid_request"],
} satisfies Omit<Parameter, "schema" | "parse">;

/** Reads a period; its letters must be upper case. Fails with `invalid_request`. */
export function periodOf(text: string, country?: string): Period {
  const period = parsePeriod(text, country);
  if (period !== null) return period;
  throw new Failure("invalid_request", {
    reason: `period must be one such as 2025, 2025-Q3, 2025-07 or GBR-2025-26 (tax years of ${TAX_COUNTRIES.join(", ")})`,
  });
}

/** Returns the period, or the two days. Fails with `invalid_request` for both, `missing_parameter` when a day is missing. */
export function windowOf<Named>(
  {
    period,
    start_date: start,
    end_date: end,
  }: { readonly period: Named | null; readonly start_date: Day | null; readonly end_date: Day | null },
  read: (named: Named) => Period,
): Period {
  if (period === null && start !== null && end !== null) return { start, end };
  if (period === null)
    throw new Failure("missing_parameter", { name: start === null ? "start_date" : "end_date" });
  if (start === null && end === null) return read(period);
  throw new Failure("invalid_request", {
    reason: "period goes without start_date and end_date: send one or the other",
  });
}
