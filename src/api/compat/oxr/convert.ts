/** GET /compat/oxr/convert/{value}/{from}/{to} and convert.json. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Body } from "#api/body.ts";
import { answer } from "#api/compat/answer.ts";
import * as compat from "#api/compat/compat.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { AMOUNT_PATTERN, codeOf, path, type Query, required } from "#api/parameters.ts";
import { amountDigits } from "#api/rates/convert.ts";
import { oxrRefusal } from "#api/response/dialect.ts";
import { type CurrencyIndex, currencyCode, currencyIndex, mixedCaseHint } from "#domain/currency/currency.ts";
import { Failure } from "#domain/faults/errors.ts";
import { exactNumber } from "#domain/net/message.ts";
import { LONGEST_AMOUNT, parseAmount } from "#domain/number/amount.ts";
import { formatInstant } from "#domain/time/day.ts";
import { convert as convertAmount } from "#rates/convert.ts";
import * as oxr from "./model.ts";

const OxrConversion = form.named("OxrConversion", "An amount in another currency.", {
  ...oxr.frameFields,
  request: form.closed("The request.", {
    query: form.text("The path.", "/convert/100/USD/EUR"),
    amount: Type.Number({ description: "The amount.", examples: [100] }),
    from: form.meaning(field.CurrencyCodeModel, "Currency of the amount.", "USD"),
    to: form.meaning(field.CurrencyCodeModel, "Currency wanted.", "EUR"),
  }),
  meta: form.closed("The rate used.", {
    timestamp: Type.Integer({
      description: "Time of the newest observation in the rate, Unix seconds.",
      examples: [1776082500],
    }),
    rate: { ...field.rate, examples: [0.855871277] },
  }),
  response: Type.Number({ description: "The amount times the rate.", examples: [85.5871277] }),
});

const { app_id, prettyprint } = oxr.PARAMETERS;

const OK = compat.foreignOk("The conversion.", OxrConversion);

const amountText = Type.String({ pattern: AMOUNT_PATTERN, maxLength: LONGEST_AMOUNT });

export const convert = (deps: oxr.OxrDeps) =>
  new Elysia()
    .use(compat.compatible(deps))
    .get(
      "/convert/:value/:from/:to",
      async ({ request, params, query: { sent }, caller: { admission } }) =>
        sendConversion(deps, request, sent, params, admission.delayMinutes),
      {
        ...oxr.ADMITTED,
        params: path({
          value: compat.segment("The amount.", "100", amountText),
          from: codeOf({ description: "Currency of the amount.", example: "USD" }),
          to: codeOf({ description: "Currency wanted.", example: "EUR" }),
        }),
        query: compat.asSent({ app_id, prettyprint }),
        detail: deps.says({
          id: "oxrConvert",
          summary: "Open Exchange Rates: convert",
          description: "An amount at the newest rate.",
          ok: OK,
        }),
      },
    )
    .get(
      "/convert.json",
      async ({ request, query: { sent }, caller: { admission } }) => {
        const value = sent("value") ?? sent("amount") ?? "1";
        const asked = { value, from: required(sent, "from"), to: required(sent, "to") };
        return sendConversion(deps, request, sent, asked, admission.delayMinutes);
      },
      {
        ...oxr.ADMITTED,
        query: compat.asSent({
          value: compat.described(
            "The amount, by default 1; `amount` is another name of it.",
            "100",
            amountText,
          ),
          from: compat.required("Currency of the amount.", "USD"),
          to: compat.required("Currency wanted.", "EUR"),
          app_id,
          prettyprint,
        }),
        detail: deps.says({
          id: "oxrConvertQuery",
          summary: "Open Exchange Rates: convert, by query",
          description: "The same as `convert/{value}/{from}/{to}`.",
          ok: OK,
        }),
      },
    );

/** Refuses with `invalid_amount`, or `invalid_currency` naming the side. */
function sendConversion(
  deps: oxr.OxrDeps,
  request: Request,
  sent: Query,
  asked: { readonly value: string; readonly from: string; readonly to: string },
  delayMinutes: number | undefined,
): Response {
  const [from, to] = [sideOf("from", asked.from), sideOf("to", asked.to)];
  const conversion = { from, to, amount: amountOf(asked.value), day: null, dp: null, delayMinutes };
  const { rate, converted, amount, source, dataUpdatedAt, effectiveAt, simulated } = convertAmount(
    deps,
    conversion,
  );
  const pair = { from: currencyCode(from), to: currencyCode(to) };
  const query = `/convert/${asked.value}/${pair.from}/${pair.to}`;
  const text = oxr.print(sent, {
    ...oxr.frame(simulated),
    request: { query, amount: amountDigits(amount), ...pair },
    meta: { timestamp: oxr.newestSeconds(effectiveAt), rate: exactNumber(rate) },
    response: exactNumber(converted),
  } satisfies Body<typeof OxrConversion>);
  const origin = { source, dataUpdatedAt: formatInstant(dataUpdatedAt), simulated };
  return answer(deps, request, { text, origin, maxAgeSeconds: compat.LATEST_SECONDS });
}

function sideOf(side: "from" | "to", code: string): CurrencyIndex {
  const index = currencyIndex(code);
  if (index >= 0) return index;
  throw oxrRefusal(
    "invalid_currency",
    `Invalid \`${side}\` currency symbol: ${mixedCaseHint(code) ?? code.slice(0, 20)}; see currencies.json`,
  );
}

function amountOf(value: string) {
  try {
    return parseAmount(value);
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    throw oxrRefusal("invalid_amount", thrown.message);
  }
}
