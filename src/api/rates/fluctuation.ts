/** GET /v1/fluctuation: how rates changed between two days, as JSON or CSV. */

import { Elysia } from "elysia";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { query, requiredDay } from "#api/parameters.ts";
import type { House } from "#api/plugins/house.ts";
import { asOfParameters } from "#api/point-in-time.ts";
import { earliestOf } from "#api/request/query.ts";
import { NO_PAST_RATE, operation } from "#api/words.ts";
import { type Fluctuation, fluctuation as fluctuationOf } from "#rates/fluctuation.ts";
import { format, type TableDeps } from "./tables.ts";
import { dated, windowReply, windowSubject, windowTable } from "./window.ts";

const FluctuationModel = form.named("Fluctuation", "How one rate changed between two days.", {
  start_rate: form.meaning(field.rate, "Rate in force on `start_date`.", 1.1708),
  start_date: form.day("Day of the figures behind it, at most 14 days earlier.", "2015-01-15"),
  end_rate: form.meaning(field.rate, "Rate in force on `end_date`.", 1.1305),
  end_date: form.day("Day of the figures behind it, at most 14 days earlier.", "2015-01-30"),
  change: form.digits("`end_rate` minus `start_rate`, exact.", -0.0403),
  change_pct: form.digits(
    "`change` in percent of `start_rate`, half-even to six significant digits.",
    -3.44209,
  ),
  low: form.meaning(
    field.rate,
    "Smallest rate of the start, of all days published since, and of the end.",
    1.1198,
  ),
  low_date: form.day("Its day.", "2015-01-23"),
  high: form.meaning(
    field.rate,
    "Largest rate of the start, of all days published since, and of the end.",
    1.1708,
  ),
  high_date: form.day("Its day.", "2015-01-15"),
});

const facts = ({ start, end, ...made }: Fluctuation) => ({
  ...{ ...made, startRate: start.text, startDate: start.day, endRate: end.text, endDate: end.day },
  ...dated("low", made.low),
  ...dated("high", made.high),
});

const table = windowTable("fluctuation", FluctuationModel, facts, {});

export const FluctuationResponse = field.answer("FluctuationResponse", "Changes of rates between two days.", {
  base: { ...field.base, examples: ["EUR"] },
  start_date: form.day("First day requested, UTC.", "2015-01-15"),
  end_date: form.day("Last day requested, UTC.", "2015-01-31"),
  ...table.fields,
});

export const fluctuation = ({
  house,
  ...deps
}: Parameters<typeof fluctuationOf>[0] & TableDeps & { readonly house: House }) =>
  new Elysia({ name: "fluctuation" }).use(house).get(
    "/v1/fluctuation",
    async ({
      request,
      query: { base, symbols, start_date: start, end_date: end, format, as_of: asOf },
      caller,
    }) => {
      caller.reach(earliestOf(start, end));
      const window = fluctuationOf(deps, { base, symbols, start, end, asOf });
      return await table.answer(deps, request, format, { window, own: {} });
    },
    operation({
      metered: true,
      reply: windowReply,
      query: query({
        ...windowSubject,
        start_date: requiredDay({
          description: "First day, `YYYY-MM-DD`, UTC.",
          example: "2026-04-10",
        }),
        end_date: requiredDay({
          description: "Last day, `YYYY-MM-DD`, UTC.",
          example: "2026-04-13",
        }),
        format,
        ...asOfParameters,
      }),
      id: "getFluctuation",
      tag: "Series",
      summary: "Change of rates between two days",
      description:
        "Both ends as `/v1/{date}` has them, each with the day of its figures; the change, exact and in percent; the smallest and the largest rate between them. A currency without a rate on one of the days is absent, and named in `missing_symbols`.",
      ok: { description: "The changes by currency.", schema: FluctuationResponse, ...table.words },
      errors: NO_PAST_RATE,
    }),
  );
