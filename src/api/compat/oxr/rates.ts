/** GET /compat/oxr/latest.json and historical/YYYY-MM-DD.json. */

import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Body } from "#api/body.ts";
import { answer } from "#api/compat/answer.ts";
import * as compat from "#api/compat/compat.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { path } from "#api/parameters.ts";
import { type CurrencyIndex, currencyCode } from "#domain/currency/currency.ts";
import { Failure } from "#domain/faults/errors.ts";
import { Digits } from "#domain/net/message.ts";
import type { HistoricalRates } from "#domain/rates/rates.ts";
import { formatInstant, parseDay } from "#domain/time/day.ts";
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
        const { rates, origin } = latest(deps, { ...query, dp: null, delayMinutes });
        return send(deps, request, sent, query, { rates, origin }, compat.LATEST_SECONDS);
      },
      {
        ...oxr.ADMITTED,
        query: compat.asSent(oxr.PARAMETERS),
        detail: deps.says({
          id: "oxrLatest",
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
        const { rates, origin } = historical(deps, { ...query, day, dp: null });
        const listed = rates.map(([to, { text }]) => ({ to, text }));
        return send(deps, request, sent, query, { rates: listed, origin }, compat.PAST_SECONDS);
      },
      {
        ...oxr.ADMITTED,
        // The router takes a segment whole: the parameter is named with its ending, and holds it.
        params: path({ "date.json": date }),
        query: compat.asSent(oxr.PARAMETERS),
        detail: deps.says({
          id: "oxrHistorical",
          summary: "Open Exchange Rates: a past day",
          description: "The rates in force on a day; on a weekend or holiday those published before it.",
          ok: OK,
        }),
      },
    );

/** Of the latest rates, or of a day's. */
interface Listed {
  readonly rates: readonly { readonly to: CurrencyIndex; readonly text: string }[];
  readonly origin: Pick<HistoricalRates["origin"], "source" | "dataUpdatedAt" | "effectiveAt">;
}

function send(
  deps: oxr.OxrDeps,
  request: Request,
  sent: Query,
  { base, unavailable }: oxr.Wanted,
  { rates, origin: { source, dataUpdatedAt, effectiveAt } }: Listed,
  maxAgeSeconds: number,
): Response {
  // Without bid and ask only the mid is given, as in that service.
  const asMid = oxr.isOn(sent, "show_bid_ask");
  const printed = rates.map(({ to, text }) => [
    currencyCode(to),
    asMid ? { mid: new Digits(text) } : new Digits(text),
  ]);
  const text = oxr.print(sent, {
    ...oxr.frame(deps.simulated),
    timestamp: oxr.newestSeconds(effectiveAt),
    base: currencyCode(base),
    rates: Object.fromEntries(printed),
  } satisfies Body<typeof OxrRates>);
  const origin = { source, dataUpdatedAt: formatInstant(dataUpdatedAt) };
  return answer(deps, request, { text, origin, maxAgeSeconds, unavailable });
}
