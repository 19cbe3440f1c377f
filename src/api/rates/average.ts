/** GET /v1/average: means of daily rates over a period, as JSON or CSV. */

import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Body } from "#api/forms.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { base, choice, day, type Parameter, query, symbols } from "#api/parameters.ts";
import type { House } from "#api/plugins/house.ts";
import { AS_OF_HEADER, asOf, asOfBasis, asOfFields, asOfHeader, asOfMembers } from "#api/point-in-time.ts";
import { earliestOf } from "#api/request/query.ts";
import { modeOf } from "#api/response/headers.ts";
import { NO_PAST_RATE, words } from "#api/words.ts";
import { currencyCode } from "#domain/currency/currency.ts";
import { noticeText } from "#domain/dataset/dataset.ts";
import { Failure } from "#domain/faults/errors.ts";
import { MEAN_METHODS } from "#domain/history/periods.ts";
import { exactNumber } from "#domain/net/message.ts";
import { type Day, dayAt, formatDay } from "#domain/time/day.ts";
import { PERIOD_GRAMMAR, type Period, parsePeriod, TAX_COUNTRIES } from "#domain/time/period.ts";
import type { Clock } from "#ports.ts";
import { type Average, type Averages, average as averageOf } from "#rates/average.ts";
import { DISPOSITION, format, inForm, prefersJson, type TableDeps, WORKBOOK } from "./tables.ts";

const AverageModel = form.named("Average", "The mean of one rate over a period.", {
  average: form.meaning(
    field.rate,
    "Arithmetic mean of the printed rates, exact, half-even to 10 significant digits.",
    1.082380469,
  ),
  days: form.count("Days that are in the mean.", 256, 1),
  first: form.meaning(field.rate, "Rate of the first of them.", 1.0956),
  first_date: form.day("Its day.", "2024-01-02"),
  last: form.meaning(field.rate, "Rate of the last of them.", 1.0389),
  last_date: form.day("Its day.", "2024-12-31"),
  low: form.meaning(field.rate, "Smallest rate.", 1.0389),
  low_date: form.day("Its first day.", "2024-12-31"),
  high: form.meaning(field.rate, "Largest rate.", 1.1196),
  high_date: form.day("Its first day.", "2024-08-27"),
});

const METHOD =
  "`published`: the mean of the days with figures of their own. `calendar`: of all days; a day without figures has the rate in force, at most 14 days old.";

export const AverageResponse = form.named(
  "AverageResponse",
  "Means of the rates of one base over a period.",
  {
    result: field.result,
    base: field.base,
    start_date: form.day("First day of the period, UTC.", "2024-01-01"),
    end_date: form.day("Last day of the period, UTC; today while the period lasts.", "2024-12-31"),
    method: form.oneOf(MEAN_METHODS, METHOD, "published"),
    is_complete: form.flag(
      "False when a `period` was requested that has not ended: the mean will change.",
      true,
    ),
    ...asOfFields,
    ...field.originFields,
    rates: field.byCurrency(AverageModel, "By currency.", {
      USD: form.exampleOf(AverageModel, "answer") as Static<typeof AverageModel>,
    }),
    missing_symbols: field.missingSymbols,
    derived_symbols: field.derivedSymbols,
    notice: field.notice,
  },
);

function averageBody(
  { base, start, end, method, rates, missing, origin, session, asOf }: Averages,
  isComplete: boolean,
) {
  return {
    result: "success",
    base: currencyCode(base),
    start_date: formatDay(start),
    end_date: formatDay(end),
    method,
    is_complete: isComplete,
    ...asOfMembers(asOf),
    ...field.originMembers(origin, session),
    rates: Object.fromEntries(rates.map((rate) => [currencyCode(rate.to), membersOf(rate)])),
    ...field.missingMember(missing),
    derived_symbols: origin.derivedSymbols,
    notice: noticeText(origin.simulated),
  } satisfies Body<typeof AverageResponse>;
}

function membersOf({ mean, days, first, last, low, high }: Average) {
  return {
    average: exactNumber(mean),
    days,
    first: exactNumber(first.text),
    first_date: formatDay(first.day),
    last: exactNumber(last.text),
    last_date: formatDay(last.day),
    low: exactNumber(low.text),
    low_date: formatDay(low.day),
    high: exactNumber(high.text),
    high_date: formatDay(high.day),
  };
}

const COLUMNS = Object.keys(AverageModel.properties);

/** One row a currency: base, symbol, and the members of the JSON in their order. */
function averageCsv({ base, rates }: Averages): string {
  const rows = rates.map((rate) => [
    ...[currencyCode(base), currencyCode(rate.to)],
    ...Object.values(membersOf(rate)).map((value) => (typeof value === "object" ? value.rawJSON : value)),
  ]);
  return [["base", "symbol", ...COLUMNS], ...rows].map((row) => `${row.join(",")}\r\n`).join("");
}

const PERIOD = `A named period, without \`start_date\` and \`end_date\`: a year \`2025\`, a quarter \`2025-Q3\`, a month \`2025-07\`, or a tax year by its country: ${TAX_COUNTRIES.map((country) => `\`${country}-2025-26\``).join(", ")}.`;

/** Null when absent. */
const period: Parameter<Period | null> = {
  schema: Type.String({ pattern: PERIOD_GRAMMAR }),
  description: PERIOD,
  example: "2025",
  inSampleCall: false,
  refusals: ["invalid_request"],
  parse: (text) => {
    const named = text === undefined ? null : parsePeriod(text.toUpperCase());
    if (text === undefined || named !== null) return named;
    throw new Failure("invalid_request", {
      reason: `period must be one such as 2025, 2025-Q3, 2025-07 or GBR-2025-26 (tax years of ${TAX_COUNTRIES.join(", ")})`,
    });
  },
};

interface Window {
  readonly period: Period | null;
  readonly start_date: Day | null;
  readonly end_date: Day | null;
}

/** A running period ends today, which with `as_of` is its day. */
function windowOf({ period, start_date: start, end_date: end }: Window, today: Day) {
  if (period !== null) {
    if (start !== null || end !== null)
      throw new Failure("invalid_request", {
        reason: "period goes without start_date and end_date: send one or the other",
      });
    const isComplete = period.end < today;
    return { start: period.start, end: isComplete ? period.end : Math.max(period.start, today), isComplete };
  }
  if (start !== null && end !== null) return { start, end, isComplete: true };
  throw new Failure("missing_parameter", { name: start === null ? "start_date" : "end_date" });
}

export const average = ({
  house,
  clock,
  ...deps
}: Parameters<typeof averageOf>[0] & TableDeps & { readonly house: House; readonly clock: Clock }) =>
  new Elysia({ name: "average" }).use(house).get(
    "/v1/average",
    async ({ request, query: { base, symbols, method, format, as_of: asOf, ...window }, caller }) => {
      const { start, end, isComplete } = windowOf(window, dayAt(asOf?.instant ?? clock.now()));
      caller.reach(earliestOf(start, end));
      const means = averageOf({ ...deps, clock }, { base, symbols, start, end, method, asOf });
      return await inForm(deps, request, format, {
        name: `${currencyCode(base)}_average_${formatDay(start)}_${formatDay(end)}`,
        body: averageBody(means, isComplete),
        csv: () => averageCsv(means),
        headers: { ...asOfHeader(asOf), ...modeOf(means.origin.simulated) },
      });
    },
    {
      metered: true,
      reply: { maxAgeSeconds: 300, turnsWith: "session", isJson: prefersJson },
      query: query({
        base: { ...base, example: "EUR" },
        symbols: { ...symbols, example: "USD,GBP" },
        start_date: day({ description: "First day, `YYYY-MM-DD`, UTC.", example: "2026-04-01" }),
        end_date: day({ description: "Last day, `YYYY-MM-DD`, UTC.", example: "2026-04-13" }),
        period,
        method: choice("method", MEAN_METHODS, METHOD),
        as_of: asOf,
        as_of_basis: asOfBasis,
        format,
      }),
      detail: words({
        id: "getAverage",
        tag: "Series",
        summary: "Means of rates over a period",
        description:
          "For tax returns and accounts: the mean of the rates of a period, with its days, its first and last rate, and the smallest and the largest. A currency without a rate in the period is absent, and named in `missing_symbols`.",
        ok: {
          description: "The means by currency.",
          schema: AverageResponse,
          otherTypes: [
            {
              mime: "text/csv",
              description: `With \`format=csv\`: columns base, symbol, ${COLUMNS.join(", ")}. Lines end in CR LF.`,
            },
            WORKBOOK,
          ],
          headers: [DISPOSITION, AS_OF_HEADER],
          conditional: true,
          ranged: "beside JSON",
        },
        errors: ["missing_parameter", ...NO_PAST_RATE],
      }),
    },
  );
