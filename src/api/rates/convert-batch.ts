/** POST /v1/convert: amounts of one currency in several others. */

import { type SchemaOptions, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { amountText, code, query } from "#api/parameters.ts";
import type { House } from "#api/plugins/house.ts";
import { print } from "#api/print.ts";
import { type ExactJson, readBody, readExactJson, shaped, shapeOf } from "#api/request/body.ts";
import { NO_LATEST_RATE, operation } from "#api/words.ts";
import { type CurrencyIndex, parsePair } from "#domain/currency/currency.ts";
import { noticeText } from "#domain/dataset/dataset.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { ExactNumber } from "#domain/net/message.ts";
import { parseBodyAmount } from "#domain/number/amount.ts";
import { type BatchQuery, type ConversionBatch, convertBatch as convertPairs } from "#rates/convert.ts";
import type { RatesDeps } from "#rates/query.ts";
import { converted } from "./convert.ts";

export const numberOrText = (options: SchemaOptions = {}) =>
  Type.Union(
    [
      Type.Number({ minimum: -1e15, maximum: 1e15, description: "The amount as a number." }),
      { ...amountText, description: "The amount as a decimal string." },
    ],
    options,
  );

const target = form.meaning(code, "Target currency, in upper or in lower case.", "EUR");

const ConvertBatchRequest = form.named(
  "ConvertBatchRequest",
  "Amounts of one currency to convert into others.",
  {
    from: form.meaning(code, "Currency of the amounts, in upper or in lower case.", "USD"),
    pairs: Type.Array(Type.Tuple([target, numberOrText()]), {
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
  },
);

/** Unknown codes and invalid amounts have their own errors (`invalid_pair`, `invalid_amount`). */
const RequestShape = shapeOf(ConvertBatchRequest);

export const ConvertItem = form.named("ConvertItem", "One converted pair of a batch.", {
  to: form.meaning(field.CurrencyCodeModel, "Currency of `converted`.", "JPY"),
  amount: field.amount,
  rate: field.rate,
  converted,
  derived: field.derived,
  derivation_bps_max: field.derivationBpsMax,
});

export const ConvertBatchResponse = field.answer("ConvertBatchResponse", "Amounts, all from the same data.", {
  from: form.meaning(field.CurrencyCodeModel, "Currency of every `amount`.", "USD"),
  conversions: form.list(
    ConvertItem,
    "One item a pair, in the order of the request, without those with a target in `missing_symbols`.",
  ),
  ...field.originFields,
  sources: field.pairSources,
  effective_at: field.pairEffectiveAt,
  missing_symbols: field.missingSymbols,
  stale: form.meaning(field.staleByCurrency, field.staleByCurrency.description ?? "", { JPY: false }),
  notice: field.notice,
});

const batchBody = ({ missing, conversions, origin, session, simulated, ...batch }: ConversionBatch) =>
  print(ConvertBatchResponse, {
    ...{ ...batch, ...origin, missingSymbols: missing, marketSession: session },
    conversions: conversions.map(({ rate, boundBps, ...one }) => ({
      ...{ ...one, ...rate, rate: rate.text, derivationBpsMax: boundBps },
    })),
    notice: noticeText(simulated, origin.isReference),
  });

type Batch = Omit<BatchQuery, "delayMinutes">;

function batchOf({ rough, exact }: ExactJson, limit: number): Batch {
  shaped(RequestShape, rough);
  const { from, pairs } = exact as { from: string; pairs: [string, string | ExactNumber][] };
  if (pairs.length > limit) {
    throw new Failure("invalid_request", {
      reason: `a batch holds at most ${limit} pairs; this one has ${pairs.length}`,
    });
  }
  const parsed = pairs.map(([to, amount]) => [...parsePair(from, to), parseBodyAmount(amount)] as const);
  return {
    from: parsed[0]?.[0] as CurrencyIndex,
    pairs: parsed.map(([, to, amount]) => [to, amount] as const),
  };
}

type RouteDeps = RatesDeps & { readonly house: House; readonly batchLimit: number };

export const convertBatch = ({ house, ...deps }: RouteDeps) =>
  new Elysia({ name: "convert-batch" }).use(house).post(
    "/v1/convert",
    async ({ body, caller: { delayMinutes } }) => batchBody(convertPairs(deps, { ...body, delayMinutes })),
    operation({
      // A batch counts as one call per pair.
      metered: { cost: ({ body }: { readonly body: Batch }) => body.pairs.length },
      reply: "no-store",
      query: query({}),
      ...readBody(ConvertBatchRequest, async (request) =>
        batchOf(await readExactJson(request), deps.batchLimit),
      ),
      id: "convertPairs",
      tag: "Conversion",
      summary: "Convert a batch of amounts",
      description:
        "Converts amounts of one currency into several others at the latest rates, all from the same data. A target without a rate is in `missing_symbols`; a pair with a fault refuses the whole batch. It counts as one call a pair.",
      ok: ConvertBatchResponse,
      errors: ["invalid_request", "invalid_pair", "invalid_amount", "validation_error", ...NO_LATEST_RATE],
    }),
  );
