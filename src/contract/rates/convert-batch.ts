/** POST /v1/convert: the contract's ConvertBatchResponse, and its request as documented. */

import { Type } from "@sinclair/typebox";
import type { Body } from "#contract/body.ts";
import * as field from "#contract/fields.ts";
import * as form from "#contract/forms.ts";
import type { Operation } from "#contract/operation.ts";
import { amountText, code } from "#contract/parameters.ts";
import { currencyCode } from "#domain/currency/currency.ts";
import { noticeText } from "#domain/dataset/provenance.ts";
import { Digits } from "#domain/net/message.ts";
import type { ConversionBatch } from "#domain/rates/rates.ts";
import { amount, amountDigits, batchRequest, converted } from "./convert.ts";

/** The body with the grammar of codes and amounts, as documented; what is checked first is only its shape. */
const DocumentedBatchRequest = {
  ...batchRequest(
    { ...code, description: "Currency of the amounts, in upper or in lower case.", examples: ["USD"] },
    Type.Number({ minimum: -1e15, maximum: 1e15, description: "The amount as a number." }),
    { ...amountText, description: "The amount as a decimal string." },
  ),
  $id: "ConvertBatchRequest",
};

export const ConvertItem = form.named("ConvertItem", "One converted pair of a batch.", {
  to: form.meaning(field.CurrencyCodeModel, "Currency of `converted`.", "EUR"),
  amount,
  rate: field.rate,
  converted,
  derived: field.derived,
  derivation_bps_max: field.derivationBpsMax,
});

const TO_EURO = {
  to: "EUR",
  amount: 100,
  rate: 0.85585,
  converted: 85.585,
  derived: false,
  derivation_bps_max: null,
};

export const ConvertBatchResponse = form.named(
  "ConvertBatchResponse",
  "The converted amounts, all from the same data.",
  {
    result: field.result,
    from: form.meaning(field.CurrencyCodeModel, "Currency of every `amount`.", "USD"),
    conversions: form.list(
      ConvertItem,
      "One item a pair, in the order of the request, without those whose target is in `missing_symbols`.",
      [TO_EURO],
    ),
    ...field.originFields,
    missing_symbols: field.missingSymbols,
    stale: field.staleByCurrency,
    notice: field.notice,
  },
);

/** The body of an answer. */
export function batchBody({ from, missing, conversions, origin, session, simulated }: ConversionBatch) {
  return {
    result: "success",
    from: currencyCode(from),
    conversions: conversions.map(({ rate, amount, converted, boundBps }) => ({
      to: currencyCode(rate.to),
      amount: amountDigits(amount),
      rate: new Digits(rate.text),
      converted: new Digits(converted),
      derived: rate.derived,
      derivation_bps_max: boundBps,
    })),
    ...field.originMembers(origin, session),
    ...field.missingMember(missing),
    stale: origin.stale,
    notice: noticeText(simulated, origin.isReference),
  } satisfies Body<typeof ConvertBatchResponse>;
}

const EXAMPLE = {
  result: "success",
  from: "USD",
  conversions: [
    TO_EURO,
    {
      to: "GBP",
      amount: 49.9,
      rate: 0.7457206436,
      converted: 37.21146011564,
      derived: true,
      derivation_bps_max: 1.01,
    },
  ],
  source: "ecb_daily",
  sources: { USD: "ecb_daily", EUR: "live", GBP: "ecb_daily" },
  market_session: "open",
  timestamp: "2026-04-13T16:30:00Z",
  data_updated_at: "2026-04-13T12:15:00Z",
  effective_at: { USD: "2026-04-13T12:15:00Z", EUR: "2026-04-13T16:29:58Z", GBP: "2026-04-13T12:15:00Z" },
  stale: { EUR: false, GBP: false },
  notice: noticeText(false),
};

export const CONVERT_BATCH: readonly Operation[] = [
  {
    id: "convertPairs",
    method: "post",
    path: "/v1/convert",
    tag: "Conversion",
    summary: "Convert a batch of amounts",
    description:
      "Converts amounts of one currency into several others at the latest rates. The batch succeeds or fails as a whole and counts as one call a pair.",
    body: {
      schema: DocumentedBatchRequest,
      example: {
        from: "USD",
        pairs: [
          ["EUR", 100],
          ["GBP", "49.90"],
        ],
      },
      description: "The currency to convert from, and the pairs.",
    },
    ok: {
      description: "The converted amounts, in the order given.",
      schema: ConvertBatchResponse,
      example: EXAMPLE,
    },
    errors: [
      "invalid_request",
      "invalid_pair",
      "payload_too_large",
      "unsupported_media_type",
      "invalid_amount",
      "validation_error",
      "no_data_for_date",
      "data_unavailable",
      "live_unavailable",
    ],
  },
];
