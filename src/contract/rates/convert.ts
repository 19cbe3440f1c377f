/** GET /v1/convert/…: the contract's ConvertResponse. */

import { type TNumber, type TString, Type } from "@sinclair/typebox";
import type { Body } from "#contract/body.ts";
import * as field from "#contract/fields.ts";
import * as form from "#contract/forms.ts";
import type { Operation, Parameter } from "#contract/operation.ts";
import { amountText, codeParameter, dayParameter, dp, inPath, inQuery } from "#contract/parameters.ts";
import { currencyCode } from "#domain/currency/currency.ts";
import { noticeText } from "#domain/dataset/provenance.ts";
import { Digits, SERVED_AT } from "#domain/net/message.ts";
import { type Decimal, formatShortest } from "#domain/number/decimal.ts";
import type { Conversion } from "#domain/rates/rates.ts";
import { formatDay, formatInstant } from "#domain/time/day.ts";

export const amount = Type.Number({
  minimum: -1e15,
  maximum: 1e15,
  description: "Amount that was converted, in units of `from`.",
  examples: [250],
});

export const converted = Type.Number({
  description:
    "`rate` × `amount`, exactly, in units of `to`, with at most 15 significant digits; never rounded to minor units.",
  examples: [39423.5707],
});

export const ConvertResponse = form.named("ConvertResponse", "One amount in another currency.", {
  result: field.result,
  from: form.meaning(field.CurrencyCodeModel, "Currency of `amount`.", "USD"),
  to: form.meaning(field.CurrencyCodeModel, "Currency of `converted`.", "JPY"),
  date: Type.Optional(form.day("The day requested; only when one was.", "2026-04-13")),
  is_forward_filled: Type.Optional(
    form.meaning(
      field.isForwardFilled,
      "True when a contributing figure is of an earlier day than `date`; only when a day was requested.",
      false,
    ),
  ),
  amount,
  rate: field.rate,
  converted,
  derived: field.derived,
  derivation_bps_max: field.derivationBpsMax,
  source: field.source,
  sources: field.sources,
  stale: field.stale,
  market_session: field.marketSession,
  timestamp: field.timestamp,
  data_updated_at: field.dataUpdatedAt,
  effective_at: field.effectiveAt,
  notice: field.notice,
});

/** The body of an answer. */
export function convertBody(conversion: Conversion) {
  const { day, derived, boundBps, source, sources, stale, session } = conversion;
  return {
    result: "success",
    from: currencyCode(conversion.base),
    to: currencyCode(conversion.quote),
    ...(day === null ? {} : { date: formatDay(day.date), is_forward_filled: day.forwardFilled }),
    amount: amountDigits(conversion.amount),
    rate: new Digits(conversion.rate),
    converted: new Digits(conversion.converted),
    derived,
    derivation_bps_max: boundBps,
    source,
    sources,
    stale,
    market_session: session,
    timestamp: SERVED_AT,
    data_updated_at: formatInstant(conversion.dataUpdatedAt),
    effective_at: conversion.effectiveAt,
    notice: noticeText(conversion.simulated, conversion.isReference),
  } satisfies Body<typeof ConvertResponse>;
}

/** An amount in its shortest exact digits. */
export function amountDigits({ units, scale }: Decimal): Digits {
  return new Digits(formatShortest(units, scale));
}

/** ConvertBatchRequest: `from` and pairs of target currency and amount. */
export function batchRequest(from: TString, amountNumber: TNumber, amountString: TString) {
  const to = { ...from, description: "Target currency, in upper or in lower case.", examples: ["EUR"] };
  return form.closed("Amounts of one currency to convert into others.", {
    from,
    pairs: Type.Array(Type.Tuple([to, Type.Union([amountNumber, amountString])]), {
      minItems: 1,
      description:
        "1 to 100 pairs (the operator can set another limit) of target currency and amount in units of `from`.",
      examples: [
        [
          ["EUR", 100],
          ["GBP", "49.90"],
        ],
      ],
    }),
  });
}

/**
 * The shape that a batch must have before its codes and amounts are read. Unknown codes and amounts that break the grammar have
 * their own errors (`invalid_pair`, `invalid_amount`), so any string and any number pass here.
 */
export const ConvertBatchRequest = batchRequest(Type.String(), Type.Number(), Type.String());

const EXAMPLE = {
  result: "success",
  from: "USD",
  to: "JPY",
  amount: 250,
  rate: 157.698,
  converted: 39424.5,
  derived: false,
  derivation_bps_max: null,
  source: "live",
  sources: { JPY: "live" },
  stale: false,
  market_session: "open",
  timestamp: "2026-04-13T16:30:00Z",
  data_updated_at: "2026-04-13T16:29:58Z",
  effective_at: { JPY: "2026-04-13T16:29:58Z" },
  notice: noticeText(false, false),
};

const from = codeParameter("from_ccy", "Currency of the amount, in upper or in lower case.", "USD");
const to = codeParameter("to_ccy", "Currency wanted, in upper or in lower case.", "JPY");
const date: Parameter = {
  ...dayParameter(
    "date",
    "query",
    false,
    "Converts at the rates of this day instead of the latest; the answer then has `date` and `is_forward_filled`.",
    "2026-04-10",
  ),
  inSampleCall: false,
};
const AMOUNT =
  "A decimal number with optional sign and fraction, from -1e15 to 1e15, of at most 256 characters.";

const SHARED = {
  method: "get",
  tag: "Conversion",
  ok: { description: "The converted amount.", schema: ConvertResponse, example: EXAMPLE, conditional: true },
  errors: [
    "plan_gated",
    "invalid_request",
    "invalid_pair",
    "bad_date",
    "no_data_for_date",
    "not_found",
    "invalid_amount",
    "data_unavailable",
    "live_unavailable",
  ],
} as const;

export const CONVERT: readonly Operation[] = [
  {
    ...SHARED,
    id: "convertPair",
    path: "/v1/convert/{from_ccy}/{to_ccy}",
    summary: "Convert an amount",
    description: "Converts `amount` (1 when omitted) at the latest rate, or at that of `date`.",
    parameters: [
      from,
      to,
      inQuery("amount", {
        schema: { ...amountText, default: "1" },
        description: `${AMOUNT} 1 when omitted.`,
        example: "250",
      }),
      date,
      dp,
    ],
  },
  {
    ...SHARED,
    id: "convertAmount",
    path: "/v1/convert/{from_ccy}/{to_ccy}/{amount}",
    summary: "Convert the amount in the path",
    description: "The same as `/v1/convert/{from_ccy}/{to_ccy}`, with the amount in the path.",
    parameters: [
      from,
      to,
      inPath("amount", {
        schema: amountText,
        description: AMOUNT,
        example: "250",
      }),
      date,
      dp,
    ],
  },
];
