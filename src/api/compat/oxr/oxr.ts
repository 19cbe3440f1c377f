/**
 * The Open-Exchange-Rates-compatible routes, below `/compat/oxr`, and below `/compat/oxr/api` for clients that are
 * configured with only a host.
 */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import * as compat from "#api/compat/compat.ts";
import * as form from "#api/forms.ts";
import { AMOUNT_PATTERN, dayText, path, type Query, required, segment } from "#api/parameters.ts";
import type { Charge } from "#api/request/metering.ts";
import { CURRENCIES } from "#domain/currency/currency.ts";
import { Failure } from "#domain/faults/errors.ts";
import { periodEnd } from "#domain/history/periods.ts";
import type { Allowance, Caller } from "#domain/limits/counts.ts";
import { LONGEST_AMOUNT } from "#domain/number/amount.ts";
import { type Day, dayAt, formatDay } from "#domain/time/day.ts";
import { currencies } from "#rates/currencies.ts";
import * as oxr from "./model.ts";
import { bars, OxrOhlc, withoutQuotes } from "./ohlc.ts";
import * as rates from "./rates.ts";

const OxrCurrencies = compat.namesOfCurrencies("OxrCurrencies", { EUR: "Euro", USD: "US Dollar" });

function names(deps: oxr.OxrDeps): compat.Answer {
  currencies(deps);
  const text = JSON.stringify(Object.fromEntries(CURRENCIES.map(({ code, name }) => [code, name])));
  return { text, maxAgeSeconds: compat.CATALOG_SECONDS };
}

/** That service's value for "without a limit". */
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
      quota: form.text("Its quota, as text; `unlimited` where nothing is limited.", "unlimited"),
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
      requests: count("Calls of the month before this one; -1 where a month has no limit."),
      requests_quota: count("Calls allowed; -1: no limit."),
      requests_remaining: count("Calls left; -1: no limit."),
      days_elapsed: form.count("Days since the month began.", 12),
      days_remaining: form.count("Days until the next.", 18),
      daily_average: count("Calls of a day that has begun; -1 where a month has no limit."),
    }),
  }),
});

/** Equal to the document's example, except for the App ID, the days, what is limited, `update_frequency` and `ohlc`. */
async function usage(
  deps: oxr.OxrDeps,
  request: Request,
  sent: Query,
  { delayMinutes, caller }: Charge,
): Promise<compat.Answer> {
  const isLive = currencies({ ...deps, spot: () => deps.spot(delayMinutes) }).some(({ live }) => live);
  const today = dayAt(deps.clock.now());
  const elapsed = Number(formatDay(today).slice(8)) - 1;
  const { status, data } = form.exampleOf(OxrUsage, "answer");
  const { plan, usage: month } = data;
  const features = { ...plan.features, ohlc: deps.archive !== null };
  const ours = {
    app_id: appIdOf(request, sent),
    plan: {
      ...plan,
      quota: caller === null ? plan.quota : quotaText(caller.allowance),
      update_frequency: isLive ? "1-minute" : "daily",
      features,
    },
    usage: {
      ...month,
      ...(caller !== null && (await requestsOf(deps, caller, today - elapsed, elapsed + 1))),
      days_elapsed: elapsed,
      days_remaining: periodEnd("1mo", today) - today + 1,
    },
  };
  return { text: JSON.stringify({ status, data: { ...data, ...ours } }), maxAgeSeconds: 0 };
}

function quotaText({ month, hour, minute }: Allowance): string {
  const [limit, of] = month !== null ? [month, "month"] : hour !== null ? [hour, "hour"] : [minute, "minute"];
  return `${limit.toLocaleString("en")} requests / ${of}`;
}

/** The calls that count against the month's quota, as the account has them; {} where a month has none. */
async function requestsOf({ account }: oxr.OxrDeps, caller: Caller, first: Day, days: number) {
  const { month } = caller.allowance;
  if (month === null || account === null) return {};
  const used = await account.monthUsed(caller.id, first).catch((fault: unknown) => {
    throw new Failure("quota_unavailable", { retryAfterSeconds: 5 }, fault);
  });
  return {
    requests: used,
    requests_quota: month,
    requests_remaining: Math.max(0, month - used),
    daily_average: Math.round(used / days),
  };
}

function appIdOf(request: Request, sent: Query): string {
  const header = /^Token\s+(\S{1,64})$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  return ((sent("app_id") || header) ?? "").slice(0, 64).replace(/[^\w.-]/g, "?");
}

const { app_id, base, symbols, show_alternative, prettyprint } = oxr.PARAMETERS;
const date = segment({
  description: "The day, UTC, from 1999-01-04 on.",
  example: "2026-04-11",
  schema: Type.String({ pattern: form.DAY_PATTERN }),
});
const amountText = Type.String({ pattern: AMOUNT_PATTERN, maxLength: LONGEST_AMOUNT });

export const oxrRoutes = (deps: oxr.OxrDeps) =>
  new Elysia({ name: "oxr" })
    .use(below("/compat/oxr", deps))
    .use(below("/compat/oxr/api", deps, (id) => `${id}UnderApi`));

const below = (prefix: string, deps: oxr.OxrDeps, idOf?: (id: string) => string) => {
  const { free, metered } = oxr.routesOf(idOf);
  return new Elysia({ prefix })
    .use(compat.compatible(deps))
    .get(
      "/latest.json",
      async ({ query: { sent }, caller: { delayMinutes } }) => rates.newest(deps, sent, delayMinutes),
      metered({
        query: oxr.PARAMETERS,
        leavesOut: true,
        id: "oxrLatest",
        summary: "Open Exchange Rates: latest",
        description:
          "The newest rate of every currency. `timestamp` is the newest observation that contributes to one of them.",
        ok: rates.OxrRates,
      }),
    )
    .get(
      "/historical/:date.json",
      async ({ params: { "date.json": file }, query: { sent }, caller }) =>
        rates.day(deps, sent, file, caller),
      metered({
        // The router takes a segment whole: the parameter's name and value include the ending.
        params: path({ "date.json": date }),
        query: oxr.PARAMETERS,
        leavesOut: true,
        id: "oxrHistorical",
        summary: "Open Exchange Rates: a past day",
        description: "The rates in force on a day; on a weekend or holiday those published before it.",
        ok: rates.OxrRates,
      }),
    )
    .get(
      "/time-series.json",
      async ({ request, query: { sent }, caller }) => await rates.series(deps, request, sent, caller),
      metered({
        query: {
          app_id,
          start: compat.required("First day, UTC.", "2026-04-10", dayText),
          end: compat.required("Last day, UTC, not after today.", "2026-04-11", dayText),
          base,
          symbols,
          show_alternative,
          prettyprint,
        },
        leavesOut: true,
        id: "oxrTimeSeries",
        summary: "Open Exchange Rates: time series",
        description: "The rates of every calendar day of a window, of any length.",
        ok: rates.OxrTimeSeries,
      }),
    )
    .get(
      "/convert/:value/:from/:to",
      async ({ params, caller: { delayMinutes } }) => rates.conversion(deps, params, delayMinutes),
      metered({
        params: path({
          value: segment({ description: "The amount.", example: "100", schema: amountText }),
          from: compat.code("Currency of the amount.", "USD"),
          to: compat.code("Currency wanted.", "EUR"),
        }),
        query: { app_id, prettyprint },
        id: "oxrConvert",
        summary: "Open Exchange Rates: convert",
        description: "An amount at the newest rate.",
        ok: rates.OxrConversion,
      }),
    )
    .get(
      "/convert.json",
      async ({ query: { sent }, caller: { delayMinutes } }) => {
        const value = sent("value") ?? sent("amount") ?? "1";
        const asked = { value, from: required(sent, "from"), to: required(sent, "to") };
        return rates.conversion(deps, asked, delayMinutes);
      },
      metered({
        query: {
          value: compat.described(
            "The amount, by default 1; `amount` is another name of it.",
            "100",
            amountText,
          ),
          from: compat.required("Currency of the amount.", "USD"),
          to: compat.required("Currency wanted.", "EUR"),
          app_id,
          prettyprint,
        },
        id: "oxrConvertQuery",
        summary: "Open Exchange Rates: convert, by query",
        description: "The same as `convert/{value}/{from}/{to}`.",
        ok: rates.OxrConversion,
      }),
    )
    .get(
      "/currencies.json",
      async () => names(deps),
      // That service needs no App ID for this route either.
      free({
        query: {
          show_alternative,
          show_inactive: compat.aside("Accepted; there are none.", "1"),
          prettyprint,
        },
        id: "oxrCurrencies",
        summary: "Open Exchange Rates: currencies",
        description: "Names of all currencies by code.",
        ok: OxrCurrencies,
      }),
    )
    .get(
      "/usage.json",
      async ({ request, query: { sent }, caller }) => await usage(deps, request, sent, caller),
      metered({
        query: { app_id, prettyprint },
        statuses: [],
        id: "oxrUsage",
        summary: "Open Exchange Rates: usage",
        description:
          "What plan the caller has, and the month so far, as the account says; -1, that service's own value for no limit, without a key and where nothing is limited.",
        ok: OxrUsage,
      }),
    )
    .get(
      "/ohlc.json",
      async ({ query: { sent }, caller }) => await bars(deps, sent, caller),
      metered({
        query: {
          app_id,
          start_time: compat.required("Where the period begins, zero seconds.", "2026-04-13T12:00:00Z"),
          period: compat.required("`1m`, `5m`, `15m`, `30m`, `1h`, `12h`, `1d`, `1w` or `1mo`.", "30m"),
          base,
          symbols,
          show_alternative,
          prettyprint,
        },
        refused: { 403: withoutQuotes().body },
        leavesOut: true,
        id: "oxrOhlc",
        summary: "Open Exchange Rates: open, high, low, close",
        description:
          "Bars of intraday quotes, where the server has them. Symbols without a quote in the period are absent.",
        ok: OxrOhlc,
      }),
    );
};
