/** GET /compat/oxr/currencies.json, and usage.json: this server's equivalent of a plan. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Body } from "#api/body.ts";
import { answer, NO_ORIGIN } from "#api/compat/answer.ts";
import * as compat from "#api/compat/compat.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import type { Query } from "#api/parameters.ts";
import { openExchangeRates as dialect } from "#api/response/dialect.ts";
import { CURRENCIES } from "#domain/currency/currency.ts";
import { periodEnd } from "#domain/history/periods.ts";
import { type Day, dayAt, formatDay } from "#domain/time/day.ts";
import { currencies as listed } from "#rates/currencies.ts";
import * as oxr from "./model.ts";

const { app_id, show_alternative, prettyprint } = oxr.PARAMETERS;

const OxrCurrencies = Type.Unsafe<Record<string, string>>({
  $id: "OxrCurrencies",
  type: "object",
  propertyNames: field.CurrencyCodeModel,
  additionalProperties: { type: "string" },
  description: "English names from ISO 4217 by currency code.",
  examples: [{ EUR: "Euro", USD: "US Dollar" }],
});

/** That service needs no App ID for it either. */
export const currencies = (deps: oxr.OxrDeps) =>
  new Elysia().use(compat.compatible(deps)).get(
    "/currencies.json",
    async ({ request, query: { sent } }) => {
      // Refused as /v1/currencies is.
      listed(deps);
      const text = oxr.print(sent, Object.fromEntries(CURRENCIES.map(({ code, name }) => [code, name])));
      return answer(deps, request, { text, origin: NO_ORIGIN, maxAgeSeconds: compat.CATALOG_SECONDS });
    },
    {
      compatible: true,
      wire: { dialect },
      query: compat.asSent({
        show_alternative,
        show_inactive: compat.aside("Accepted; there are none.", "1"),
        prettyprint,
      }),
      detail: deps.says({
        security: [],
        foreign: oxr.refusals(),
        id: "oxrCurrencies",
        summary: "Open Exchange Rates: currencies",
        description: "Names of all currencies by code.",
        ok: compat.foreignOk("The names.", OxrCurrencies),
      }),
    },
  );

// ── Usage ────────────────────────────────────────────────────────────────────────────────────────

/** That service's value for "without a limit"; also used for figures that are not counted. */
const NONE = -1;

const count = (description: string) => form.count(description, NONE, NONE);
const yes = (description: string) => form.flag(description, true);

const OxrUsage = form.named("OxrUsage", "Plan and usage.", {
  status: Type.Integer({ description: "HTTP status.", examples: [200] }),
  data: form.closed("Plan and usage.", {
    app_id: form.text("As sent; empty without one.", "any"),
    status: form.text("Always `active`.", "active"),
    plan: form.closed("The plan.", {
      name: form.text("Name of the plan.", "Self-hosted"),
      quota: form.text("Its quota, as text.", "unlimited"),
      update_frequency: form.text("How often rates change.", "daily"),
      features: form.closed("What can be requested.", {
        base: yes("Any base."),
        symbols: yes("Some currencies only."),
        experimental: form.flag("Experimental features: none.", false),
        "time-series": yes("time-series.json"),
        convert: yes("convert"),
        "bid-ask": form.flag("Bid and ask prices: none.", false),
        ohlc: yes("ohlc.json: where there are intraday quotes."),
      }),
    }),
    usage: form.closed("The month so far.", {
      requests: count("Requests of the month: not counted, -1."),
      requests_quota: count("Requests allowed: no limit, -1."),
      requests_remaining: count("Requests left: no limit, -1."),
      days_elapsed: form.count("Days since the month began.", 12),
      days_remaining: form.count("Days until the next.", 18),
      daily_average: count("Requests a day: not counted, -1."),
    }),
  }),
});

/** `update_frequency` depends on live rates, `ohlc` on stored quotes. */
function usageBody(appId: string, today: Day, isLive: boolean, hasQuotes: boolean) {
  const date = Number(formatDay(today).slice(8));
  return {
    status: 200,
    data: {
      app_id: appId,
      status: "active",
      plan: {
        name: "Self-hosted",
        quota: "unlimited",
        update_frequency: isLive ? "1-minute" : "daily",
        features: {
          base: true,
          symbols: true,
          experimental: false,
          "time-series": true,
          convert: true,
          "bid-ask": false,
          ohlc: hasQuotes,
        },
      },
      usage: {
        requests: NONE,
        requests_quota: NONE,
        requests_remaining: NONE,
        days_elapsed: date - 1,
        days_remaining: periodEnd("1mo", today) - today + 1,
        daily_average: NONE,
      },
    },
  } satisfies Body<typeof OxrUsage>;
}

export const usage = (deps: oxr.OxrDeps) =>
  new Elysia().use(compat.compatible(deps)).get(
    "/usage.json",
    async ({ request, query: { sent }, caller: { admission } }) => {
      const spot = () => deps.spot(admission.delayMinutes);
      const isLive = listed({ ...deps, spot }).some(({ live }) => live);
      const today = dayAt(deps.clock.now());
      const text = oxr.print(sent, usageBody(appIdOf(request, sent), today, isLive, deps.archive !== null));
      return answer(deps, request, { text, origin: NO_ORIGIN, maxAgeSeconds: 0 });
    },
    {
      ...oxr.ADMITTED,
      query: compat.asSent({ app_id, prettyprint }),
      detail: deps.says({
        foreign: oxr.refusals(...compat.CALLER),
        id: "oxrUsage",
        summary: "Open Exchange Rates: usage",
        description:
          "What plan this server amounts to. It has no quota and counts no requests: both are -1, that service's own value for no limit.",
        ok: compat.foreignOk("Plan and usage.", OxrUsage),
      }),
    },
  );

/** Returns the App ID as sent, in the query or as `Authorization: Token`. */
function appIdOf(request: Request, sent: Query): string {
  const header = /^Token\s+(\S{1,64})$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  return ((sent("app_id") || header) ?? "").slice(0, 64).replace(/[^\w.-]/g, "?");
}
