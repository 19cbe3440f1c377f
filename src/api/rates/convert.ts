/** GET /v1/convert/{from_ccy}/{to_ccy}[/{amount}]: one amount in another currency. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { amountParameter, day, dp, pair, path, query, queryAmount } from "#api/parameters.ts";
import type { House } from "#api/plugins/house.ts";
import type { Body } from "#api/print.ts";
import type { Charge } from "#api/request/metering.ts";
import { earliestOf } from "#api/request/query.ts";
import type { MembersFor } from "#api/response/amounts.ts";
import { pathOf } from "#api/response/failures.ts";
import { NO_LATEST_RATE, operation } from "#api/words.ts";
import { type CurrencyIndex, currencyCode } from "#domain/currency/currency.ts";
import { noticeText } from "#domain/dataset/dataset.ts";
import { Failure } from "#domain/faults/errors.ts";
import { printedNumber, SERVED_AT } from "#domain/net/message.ts";
import { parseAmount } from "#domain/number/amount.ts";
import { formatShortest } from "#domain/number/decimal.ts";
import { formatDay, formatInstant } from "#domain/time/day.ts";
import { type Conversion, type ConvertQuery, convert as convertAmount, times } from "#rates/convert.ts";
import type { RatesDeps } from "#rates/query.ts";
import { LATEST } from "./latest.ts";

export const converted = form.digits(
  "`rate` × `amount`, exactly, in units of `to`, with at most 15 significant digits; never rounded to minor units.",
  39423.5707,
);

export const ConvertResponse = field.answer("ConvertResponse", "One amount in another currency.", {
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
  amount: field.amount,
  rate: field.rate,
  converted,
  derived: field.derived,
  derivation_bps_max: field.derivationBpsMax,
  source: field.source,
  sources: field.pairSources,
  simulated: field.simulated,
  stale: field.stale,
  market_session: field.marketSession,
  timestamp: field.timestamp,
  data_updated_at: field.dataUpdatedAt,
  effective_at: field.pairEffectiveAt,
  notice: field.notice,
});

/** The product is that of `rates/convert.ts`: of the rate as printed, and exact. */
const membersFor: MembersFor = (body) => {
  const rate = JSON.stringify((body as { readonly rate: unknown }).rate);
  return (text) => {
    const amount = parseAmount(text);
    return { amount: formatShortest(amount.units, amount.scale), converted: times(rate, amount) };
  };
};

function convertBody({ pair, amount, converted, day }: Conversion) {
  const { derived, boundBps, source, sources, stale, session } = pair;
  return {
    result: "success",
    from: currencyCode(pair.base),
    to: currencyCode(pair.quote),
    ...(day === null ? {} : { date: formatDay(day.date), is_forward_filled: day.forwardFilled }),
    amount: field.amountDigits(amount),
    rate: printedNumber(pair.rate),
    converted: printedNumber(converted),
    derived,
    derivation_bps_max: boundBps,
    source,
    sources,
    ...field.simulatedMember(pair.simulated),
    stale,
    market_session: session,
    timestamp: SERVED_AT,
    data_updated_at: formatInstant(pair.dataUpdatedAt),
    effective_at: pair.effectiveAt,
    notice: noticeText(pair.simulated, pair.isReference),
  } satisfies Body<typeof ConvertResponse>;
}

const both = pair("USD", "JPY");
const date = day({
  description: "Converts at the rates of this day; the answer then has `date` and `is_forward_filled`.",
  example: "2026-04-10",
  inSampleCall: false,
});

/** URL parsers remove dot segments: the amount "." arrives as a slash, and a lost amount must not become 1. */
const refuseLostAmount = ({ request }: { readonly request: Request }): void => {
  if (!pathOf(request.url).endsWith("/")) return;
  throw new Failure("invalid_request", {
    reason: "the path ends in a slash, with no amount behind it: add the amount, or leave the slash out",
  });
};

const SHARED = {
  metered: true,
  reply: { ...LATEST, membersFor },
  transform: refuseLostAmount,
  tag: "Conversion",
  ok: ConvertResponse,
  errors: ["plan_gated", ...NO_LATEST_RATE, "not_found"],
} as const;

export const convert = ({ house, ...deps }: RatesDeps & { readonly house: House }) => {
  type Query = Pick<ConvertQuery, "amount" | "dp"> & { readonly date: ConvertQuery["day"] };
  const answer = (
    [from, to]: readonly [CurrencyIndex, CurrencyIndex],
    { amount, date: day, dp }: Query,
    caller: Charge,
  ) => {
    caller.reach(earliestOf(day));
    const { delayMinutes } = caller;
    return convertBody(convertAmount(deps, { from, to, amount, day, dp, delayMinutes }));
  };
  return new Elysia({ name: "convert" })
    .use(house)
    .get(
      "/v1/convert/:from_ccy/:to_ccy",
      async ({ params, query, caller }) => answer(params.from_ccy, query, caller),
      operation({
        ...SHARED,
        params: path(both),
        query: query({ amount: queryAmount, date, dp }),
        id: "convertPair",
        summary: "Convert an amount",
        description: "Converts `amount` (1 when omitted) at the latest rate, or at that of `date`.",
      }),
    )
    .get(
      "/v1/convert/:from_ccy/:to_ccy/:amount",
      async ({ params, query, caller }) =>
        answer(params.from_ccy, { ...query, amount: params.amount }, caller),
      operation({
        ...SHARED,
        params: path({ ...both, amount: amountParameter }),
        query: query({ date, dp }),
        id: "convertAmount",
        summary: "Convert the amount in the path",
        description: "The same as `/v1/convert/{from_ccy}/{to_ccy}`, with the amount in the path.",
      }),
    );
};
