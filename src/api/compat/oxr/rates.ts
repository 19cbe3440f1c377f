/** GET /compat/oxr/latest.json and historical/YYYY-MM-DD.json. */

import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { answer } from "#api/compat/answer.ts";
import * as compat from "#api/compat/compat.ts";
import { words } from "#api/openapi/words.ts";
import { path } from "#api/parameters.ts";
import type { Body } from "#contract/body.ts";
import * as field from "#contract/fields.ts";
import * as form from "#contract/forms.ts";
import { type CurrencyCode, type CurrencyIndex, currencyCode } from "#domain/currency/currency.ts";
import type { Source } from "#domain/currency/source.ts";
import { Failure } from "#domain/faults/errors.ts";
import { Digits } from "#domain/net/message.ts";
import { formatInstant, type Instant, parseDay } from "#domain/time/day.ts";
import { historical } from "#rates/historical.ts";
import { latest } from "#rates/latest.ts";
import type { Query } from "#rates/parameters.ts";
import * as oxr from "./model.ts";

const timestamp = Type.Integer({
  description: "Time of the newest observation that contributes to one of the rates, Unix seconds.",
  examples: [1776082500],
});
const mid = form.named("OxrMid", "A rate with `show_bid_ask`.", {
  mid: Type.Number({ minimum: 0, description: "The rate.", examples: [0.855871277] }),
});
const rateOrMid = form.eitherOf(
  "OxrRate",
  [Type.Number({ minimum: 0 }), mid],
  "A rate; with `show_bid_ask` as an object.",
);

const OxrRates = form.named("OxrRates", "The rates of an instant or a day.", {
  ...oxr.frameFields,
  timestamp,
  base: oxr.baseField,
  rates: Type.Unsafe<Record<string, Static<typeof rateOrMid>>>({
    type: "object",
    propertyNames: field.CurrencyCodeModel,
    additionalProperties: rateOrMid,
    description: "Units of each currency per 1 base; `{mid}` each with `show_bid_ask`.",
    examples: [{ EUR: 0.855871277 }],
  }),
});

const EXAMPLE = {
  ...oxr.FRAME_EXAMPLE,
  timestamp: 1776082500,
  base: "USD",
  rates: { EUR: 0.855871277, GBP: 0.7457206436 },
};

const OK = compat.foreignOk("The rates.", OxrRates, EXAMPLE, { leavesOut: true });

const date = compat.segment(
  "The day, UTC, from 1999-01-04 on.",
  "2026-04-11",
  Type.String({ pattern: form.DAY_PATTERN }),
);

export const rates = (deps: oxr.OxrDeps) =>
  new Elysia()
    .use(compat.compatible(deps))
    .get(
      "/latest.json",
      async ({ request, query: { sent }, caller: { admission } }) => {
        const query = oxr.wanted(sent);
        const { delayMinutes } = admission;
        const { base, rates, origin } = latest(deps, { ...query, dp: null, delayMinutes });
        const printed = rates.map(({ to, text }) => [currencyCode(to), new Digits(text)] as const);
        return sendRates(
          deps,
          request,
          sent,
          query,
          { ...origin, base, rates: printed },
          compat.LATEST_SECONDS,
        );
      },
      {
        ...oxr.ADMITTED,
        query: compat.asSent(oxr.PARAMETERS),
        detail: words({
          ...oxr.SHARED,
          id: deps.named("oxrLatest"),
          summary: "Open Exchange Rates: latest",
          description:
            "The newest rate of every currency. `timestamp` is the newest observation that contributes to one of them.",
          ok: OK,
        }),
      },
    )
    .get(
      "/historical/:date.json",
      async ({ request, params: { "date.json": file }, query: { sent } }) => {
        const query = oxr.wanted(sent);
        const text = file.replace(/\.json$/, "");
        const day = text === file ? null : parseDay(text);
        if (day === null) throw new Failure("bad_date", { date: text });
        const { base, rates, origin } = historical(deps, { ...query, day, dp: null });
        const printed = rates.map(
          ([currency, cross]) => [currencyCode(currency), new Digits(cross.text)] as const,
        );
        return sendRates(
          deps,
          request,
          sent,
          query,
          { ...origin, base, rates: printed },
          compat.PAST_SECONDS,
        );
      },
      {
        ...oxr.ADMITTED,
        // The router takes a segment whole: the parameter is named with its ending, and holds it.
        params: path({ "date.json": date }),
        query: compat.asSent(oxr.PARAMETERS),
        detail: words({
          ...oxr.SHARED,
          id: deps.named("oxrHistorical"),
          summary: "Open Exchange Rates: a past day",
          description: "The rates in force on a day; on a weekend or holiday those published before it.",
          ok: OK,
        }),
      },
    );

interface FoundRates {
  readonly base: CurrencyIndex;
  readonly rates: readonly (readonly [CurrencyCode, Digits])[];
  readonly source: Source;
  readonly dataUpdatedAt: Instant;
  readonly effectiveAt: Readonly<Record<string, string>>;
}

function sendRates(
  deps: oxr.OxrDeps,
  request: Request,
  sent: Query,
  { unavailable }: oxr.Wanted,
  { base, rates, source, dataUpdatedAt, effectiveAt }: FoundRates,
  maxAgeSeconds: number,
): Response {
  const text = oxr.print(sent, {
    ...oxr.frame(deps.simulated),
    timestamp: oxr.newestSeconds(effectiveAt),
    base: currencyCode(base),
    rates: oxr.isOn(sent, "show_bid_ask") ? midsOnly(rates) : Object.fromEntries(rates),
  } satisfies Body<typeof OxrRates>);
  const origin = { source, dataUpdatedAt: formatInstant(dataUpdatedAt) };
  return answer(deps, request, { text, origin, maxAgeSeconds, unavailable });
}

/** Without bid and ask only the mid is given, as in that service. */
function midsOnly(rates: FoundRates["rates"]): Readonly<Record<string, { readonly mid: Digits }>> {
  return Object.fromEntries(rates.map(([code, mid]) => [code, { mid }]));
}
