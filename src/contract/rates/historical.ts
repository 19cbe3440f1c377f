/** GET /v1/{date}: the contract's HistoricalResponse. */

import type { Body } from "#contract/body.ts";
import * as field from "#contract/fields.ts";
import * as form from "#contract/forms.ts";
import type { Operation } from "#contract/operation.ts";
import {
  base,
  dayParameter,
  dp,
  pathBase,
  queryPathBase,
  symbols as someSymbols,
} from "#contract/parameters.ts";
import { asOfFields, asOfMembers, asOfParameters } from "#contract/point-in-time.ts";
import { currencyCode } from "#domain/currency/currency.ts";
import { noticeText } from "#domain/dataset/provenance.ts";
import { Digits } from "#domain/net/message.ts";
import { withDecimals } from "#domain/number/decimal.ts";
import type { HistoricalRates } from "#domain/rates/rates.ts";
import { formatDay } from "#domain/time/day.ts";
import { csvType, formatParameter } from "./csv.ts";

export const HistoricalResponse = form.named("HistoricalResponse", "The rates of one past day on one base.", {
  result: field.result,
  base: field.base,
  date: form.day("The day requested, UTC.", "2026-04-11"),
  ...field.originFields,
  is_forward_filled: field.isForwardFilled,
  ...asOfFields,
  rates: field.rates,
  missing_symbols: field.missingSymbols,
  derived_symbols: field.derivedSymbols,
  notice: field.notice,
});

/** The body of an answer. */
export function historicalBody({
  base,
  day,
  rates,
  missing,
  origin,
  dp,
  asOf,
  session,
  simulated,
}: HistoricalRates) {
  return {
    result: "success",
    base: currencyCode(base),
    date: formatDay(day),
    ...field.originMembers(origin, session),
    is_forward_filled: origin.forwardFilled,
    ...asOfMembers(asOf),
    rates: Object.fromEntries(
      rates.map(([currency, { text }]) => [currencyCode(currency), new Digits(withDecimals(text, dp))]),
    ),
    ...field.missingMember(missing),
    derived_symbols: origin.derivedSymbols,
    notice: noticeText(simulated),
  } satisfies Body<typeof HistoricalResponse>;
}

const EXAMPLE = {
  result: "success",
  base: "USD",
  date: "2026-04-11",
  source: "ecb_daily",
  sources: { USD: "ecb_daily", EUR: "ecb_daily", GBP: "ecb_daily" },
  market_session: "open",
  timestamp: "2026-04-13T16:30:00Z",
  data_updated_at: "2026-04-10T12:15:00Z",
  effective_at: { USD: "2026-04-10T12:15:00Z", EUR: "2026-04-10T12:15:00Z", GBP: "2026-04-10T12:15:00Z" },
  is_forward_filled: true,
  rates: { EUR: 0.856824608, GBP: 0.7462085511 },
  derived_symbols: ["GBP"],
  notice: noticeText(false),
};

const SHARED = {
  method: "get",
  tag: "Rates",
  ok: {
    description:
      "The rates; on a weekend or holiday those published before it, with `is_forward_filled` true. A currency without a value within 14 days is absent, and named in `missing_symbols`.",
    schema: HistoricalResponse,
    example: EXAMPLE,
    otherTypes: [
      csvType("`date` is the day requested; `is_forward_filled` is of each rate.", [
        ["2026-04-11", "USD", "EUR", "0.856824608", "ecb_daily", "2026-04-10T12:15:00Z", true, false],
        ["2026-04-11", "USD", "GBP", "0.7462085511", "ecb_daily", "2026-04-10T12:15:00Z", true, true],
      ]),
    ],
    headers: [
      {
        name: "X-As-Of",
        description: "CSV with `as_of` only: the instant and the basis.",
        example: "2026-04-10T18:00:00Z; basis=published",
      },
    ],
    conditional: true,
    ranged: "beside JSON",
  },
} as const;

const date = dayParameter(
  "date",
  "path",
  true,
  "Day wanted, `YYYY-MM-DD`, UTC. Coverage starts on 1999-01-04.",
  "2026-04-11",
);

const symbols = { ...someSymbols, example: "EUR,GBP" };

const ERRORS = [
  "plan_gated",
  "invalid_request",
  "unsupported_base",
  "base_conflict",
  "bad_date",
  "no_data_for_date",
  "not_found",
  "precondition_failed",
  "range_not_satisfiable",
  "data_unavailable",
] as const;

export const HISTORICAL: readonly Operation[] = [
  {
    ...SHARED,
    id: "getHistorical",
    path: "/v1/{date}",
    summary: "Rates of a past day",
    description:
      "The rates of one day as published. A day without a publication answers with the preceding ones, at most 14 days back. `as_of` puts the answer back to what was known at an instant.",
    parameters: [date, base, queryPathBase, symbols, dp, formatParameter, ...asOfParameters],
    errors: ERRORS,
  },
  {
    ...SHARED,
    id: "getHistoricalOnBase",
    path: "/v1/{date}/{path_base}",
    summary: "Rates of a past day on the base in the path",
    description: "The same as `/v1/{date}`, with the base in the path.",
    parameters: [
      date,
      pathBase,
      { ...base, inSampleCall: false },
      symbols,
      dp,
      formatParameter,
      ...asOfParameters,
    ],
    errors: ERRORS,
  },
];
