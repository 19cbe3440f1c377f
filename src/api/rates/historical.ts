/** GET /v1/{date}[/{path_base}]: the rates of one past day, as JSON or CSV. */

import { Elysia } from "elysia";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import * as parameter from "#api/parameters.ts";
import type { House } from "#api/plugins/house.ts";
import { asOfFields, asOfHeader, asOfMembers, asOfParameters } from "#api/point-in-time.ts";
import type { Body } from "#api/print.ts";
import type { Charge } from "#api/request/metering.ts";
import { earliestOf } from "#api/request/query.ts";
import { modeOf } from "#api/response/headers.ts";
import { NO_PAST_RATE, operation } from "#api/words.ts";
import { currencyCode } from "#domain/currency/currency.ts";
import { noticeText } from "#domain/dataset/dataset.ts";
import { Failure } from "#domain/faults/errors.ts";
import { printedNumber } from "#domain/net/message.ts";
import { withDecimals } from "#domain/number/decimal.ts";
import { type Day, formatDay } from "#domain/time/day.ts";
import { type HistoricalRates, historical as historicalRates } from "#rates/historical.ts";
import type { DailyDeps } from "#rates/query.ts";
import { ratesCsv, ratesCsvType } from "./csv.ts";
import { format, inForm, prefersJson, type TableDeps, type TableForm, tableWords } from "./tables.ts";

export const HistoricalResponse = field.answer(
  "HistoricalResponse",
  "The rates of one past day on one base.",
  {
    base: field.base,
    date: form.day("The day requested, UTC.", "2026-04-13"),
    ...field.originFields,
    is_forward_filled: field.isForwardFilled,
    ...asOfFields,
    rates: field.rates,
    missing_symbols: field.missingSymbols,
    derived_symbols: field.derivedSymbols,
    notice: field.notice,
  },
);

function historicalBody({ base, day, rates, missing, origin, dp, asOf, ...served }: HistoricalRates) {
  return {
    result: "success",
    base: currencyCode(base),
    date: formatDay(day),
    ...field.originMembers(origin, served.session),
    is_forward_filled: origin.forwardFilled,
    ...asOfMembers(asOf),
    rates: Object.fromEntries(
      rates.map(([currency, { text }]) => [currencyCode(currency), printedNumber(withDecimals(text, dp))]),
    ),
    ...field.missingMember(missing),
    derived_symbols: origin.derivedSymbols,
    notice: noticeText(served.simulated),
  } satisfies Body<typeof HistoricalResponse>;
}

const SHARED = {
  metered: true,
  // Past days change only by corrections, which are collected daily.
  reply: { maxAgeSeconds: 300, turnsWith: "session", isJson: prefersJson },
  tag: "Rates",
  ok: {
    description:
      "The rates; on a weekend or holiday those published before it, with `is_forward_filled` true. A currency without a value within 14 days is absent, and named in `missing_symbols`.",
    schema: HistoricalResponse,
    ...tableWords(
      ratesCsvType(
        "dated",
        "`date` is the day requested; `source` and `effective_at` are those of the least fresh figure in the rate; `is_forward_filled` is of each rate.",
        [
          "2026-04-11,USD,EUR,0.856824608,ecb_daily,2026-04-10T12:15:00Z,true,false",
          "2026-04-11,USD,GBP,0.7462085511,ecb_daily,2026-04-10T12:15:00Z,true,true",
        ],
      ),
    ),
  },
  errors: [...NO_PAST_RATE, "not_found"],
} as const;

const { base, baseBesidePath, dp, queryPathBase } = parameter;
const symbols = { ...parameter.symbols, example: "EUR,GBP" };

/** `isTaken` returns whether other routes begin with this path segment below /v1. */
export const historical = ({
  house,
  isTaken,
  ...deps
}: DailyDeps & TableDeps & { readonly house: House; readonly isTaken: (segment: string) => boolean }) => {
  const date: parameter.Parameter<Day> = {
    ...parameter.day({
      description: "Day wanted, `YYYY-MM-DD`, UTC. Coverage starts on 1999-01-04.",
      example: "2026-04-11",
    }),
    parse: (text = "") => {
      // An unknown path below another route ("/v1/keys/mine") is `not_found`, not a bad date.
      if (isTaken(text)) throw new Failure("not_found");
      return parameter.dateOf(text);
    },
  };
  type Query = Omit<Parameters<typeof historicalRates>[1], "day"> & { format: TableForm | null };
  const answer = (request: Request, day: Day, { format, ...wanted }: Query, caller: Charge) => {
    caller.reach(earliestOf(day));
    const rates = historicalRates(deps, { ...wanted, day });
    const body = historicalBody(rates);
    return inForm(deps, request, format, {
      name: `${body.base}_${body.date}`,
      body,
      csv: () =>
        ratesCsv(body, (code, nth) => ({
          ...rates.leastFresh(nth),
          ...{ date: body.date, isFilled: rates.origin.filled[code] === true },
        })),
      headers: { ...asOfHeader(rates.asOf), ...modeOf(rates.simulated) },
    });
  };
  return new Elysia({ name: "historical" })
    .use(house)
    .get(
      "/v1/:date",
      async ({ request, params, query, caller }) =>
        answer(request, params.date, { ...query, asOf: query.as_of }, caller),
      operation({
        ...SHARED,
        params: parameter.path({ date }),
        query: parameter.query({ base, path_base: queryPathBase, symbols, dp, format, ...asOfParameters }),
        id: "getHistorical",
        summary: "Rates of a past day",
        description:
          "The rates of one day as published. A day without a publication answers with the preceding ones, at most 14 days back. `as_of` puts the answer back to what was known at an instant.",
      }),
    )
    .get(
      "/v1/:date/:path_base",
      async ({ request, params, query, caller }) => {
        const base = parameter.onlyBase(params.path_base, query.base);
        return answer(request, params.date, { ...query, base, asOf: query.as_of }, caller);
      },
      operation({
        ...SHARED,
        params: parameter.path({ date, path_base: parameter.pathBase }),
        query: parameter.query({ base: baseBesidePath, symbols, dp, format, ...asOfParameters }),
        id: "getHistoricalOnBase",
        summary: "Rates of a past day on the base in the path",
        description: "The same as `/v1/{date}`, with the base in the path.",
      }),
    );
};
