/** GET /v1/average: means of daily rates over a period, as JSON or CSV. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { choice, day, type Parameter, query } from "#api/parameters.ts";
import { namedPeriod, periodOf, windowOf } from "#api/period.ts";
import type { House } from "#api/plugins/house.ts";
import { asOfParameters } from "#api/point-in-time.ts";
import { earliestOf } from "#api/request/query.ts";
import { NO_PAST_RATE, operation } from "#api/words.ts";
import { MEAN_METHODS } from "#domain/history/periods.ts";
import { dayAt } from "#domain/time/day.ts";
import { PERIOD_GRAMMAR, type Period } from "#domain/time/period.ts";
import type { Clock } from "#ports.ts";
import { type Average, average as averageOf } from "#rates/average.ts";
import { format, type TableDeps } from "./tables.ts";
import { dated, windowReply, windowSubject, windowTable } from "./window.ts";

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
  high_date: form.day("Its first day.", "2024-09-30"),
});

const facts = ({ mean: average, ...made }: Average) => ({
  ...made,
  average,
  ...dated("first", made.first),
  ...dated("last", made.last),
  ...dated("low", made.low),
  ...dated("high", made.high),
});

const METHOD =
  "`published`: the mean of the days with figures of their own. `calendar`: of all days; a day without figures has the rate in force, at most 14 days old.";

const table = windowTable("average", AverageModel, facts, {
  method: form.oneOf(MEAN_METHODS, METHOD, "published"),
  is_complete: form.flag(
    "False while a mean will change: for a `period` that has not ended, and until the last days of every currency are published (those of H.10 come on the Monday after; one may be held). True does not say that a currency has figures in the whole window: `days`, `first_date` and `last_date` do, and `notice` names a time without.",
    true,
  ),
});

export const AverageResponse = field.answer("AverageResponse", "Means of rates of one base over a period.", {
  base: { ...field.base, examples: ["EUR"] },
  start_date: form.day("First day of the period, UTC.", "2024-01-01"),
  end_date: form.day("Last day of the period, UTC; today while the period lasts.", "2024-12-31"),
  ...table.fields,
});

/** Null when absent. */
export const period: Parameter<Period | null> = {
  ...namedPeriod,
  schema: Type.String({ pattern: PERIOD_GRAMMAR }),
  parse: (text) => (text === undefined ? null : periodOf(text.toUpperCase())),
};

export const method = choice(MEAN_METHODS, METHOD);

export const average = ({
  house,
  clock,
  ...deps
}: Parameters<typeof averageOf>[0] & TableDeps & { readonly house: House; readonly clock: Clock }) =>
  new Elysia({ name: "average" }).use(house).get(
    "/v1/average",
    async ({ request, query: { base, symbols, method, format, as_of: asOf, ...stated }, caller }) => {
      const today = dayAt(asOf?.instant ?? clock.now());
      const { start, end } = windowOf(stated, (named) => named);
      const hasEnded = stated.period === null || end < today;
      // A running period ends today; with `as_of`, on the day of that instant.
      const last = hasEnded ? end : Math.max(start, today);
      caller.reach(earliestOf(start, last));
      const window = averageOf({ ...deps, clock }, { base, symbols, start, end: last, method, asOf });
      const own = { method, is_complete: hasEnded && window.isPublished };
      return await table.answer(deps, request, format, { window, own });
    },
    operation({
      metered: true,
      reply: windowReply,
      query: query({
        ...windowSubject,
        start_date: day({ description: "First day, `YYYY-MM-DD`, UTC.", example: "2026-04-01" }),
        end_date: day({ description: "Last day, `YYYY-MM-DD`, UTC.", example: "2026-04-13" }),
        period,
        method,
        ...asOfParameters,
        format,
      }),
      id: "getAverage",
      tag: "Series",
      summary: "Means of rates over a period",
      description:
        "For tax returns and accounts: the mean of the rates of a period, with its days, its first and last rate, and the smallest and the largest. A currency without a rate in the period is absent, and named in `missing_symbols`.",
      ok: { description: "The means by currency.", schema: AverageResponse, ...table.words },
      errors: ["missing_parameter", ...NO_PAST_RATE],
    }),
  );
