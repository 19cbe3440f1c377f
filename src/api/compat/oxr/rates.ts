/** GET /compat/oxr/latest.json, historical/YYYY-MM-DD.json, and time-series.json: every calendar day of a window, with forward fill. */

import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Body } from "#api/body.ts";
import { answer, answerLarge, runSteps } from "#api/compat/answer.ts";
import * as compat from "#api/compat/compat.ts";
import { dayMember, type PrintDay, printSeries, surveySeries } from "#api/compat/series.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { path, type Query } from "#api/parameters.ts";
import { oxrRefusal } from "#api/response/dialect.ts";
import { type CurrencyIndex, currencyCode } from "#domain/currency/currency.ts";
import { Failure } from "#domain/faults/errors.ts";
import { exactNumber } from "#domain/net/message.ts";
import type { HistoricalRates } from "#domain/rates/rates.ts";
import { COVERAGE_START, dayAt, formatDay, formatInstant, parseDay } from "#domain/time/day.ts";
import { historical } from "#rates/historical.ts";
import { latest } from "#rates/latest.ts";
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
    examples: [{ EUR: 0.855871277, GBP: 0.7457206436 }],
  }),
});

const OK = compat.foreignOk("The rates.", OxrRates, { leavesOut: true });

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
        // The router takes a segment whole: the parameter's name and value include the ending.
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

interface Listed {
  readonly rates: readonly { readonly to: CurrencyIndex; readonly text: string }[];
  readonly origin: Pick<HistoricalRates["origin"], "source" | "dataUpdatedAt" | "effectiveAt" | "simulated">;
}

function send(
  deps: oxr.OxrDeps,
  request: Request,
  sent: Query,
  { base, unavailable }: oxr.Wanted,
  { rates, origin: { source, dataUpdatedAt, effectiveAt, simulated } }: Listed,
  maxAgeSeconds: number,
): Response {
  // Without bid and ask only the mid is listed, as in that service.
  const asMid = oxr.isOn(sent, "show_bid_ask");
  const printed = rates.map(({ to, text }) => [
    currencyCode(to),
    asMid ? { mid: exactNumber(text) } : exactNumber(text),
  ]);
  const text = oxr.print(sent, {
    ...oxr.frame(simulated),
    timestamp: oxr.newestSeconds(effectiveAt),
    base: currencyCode(base),
    rates: Object.fromEntries(printed),
  } satisfies Body<typeof OxrRates>);
  const origin = { source, dataUpdatedAt: formatInstant(dataUpdatedAt), simulated };
  return answer(deps, request, { text, origin, maxAgeSeconds, unavailable });
}

// ── Time series ──────────────────────────────────────────────────────────────────────────────────

const plainRates = field.byCurrency(Type.Number({ minimum: 0 }), "Units of each currency per 1 base.", {
  EUR: 0.855871277,
});

const OxrTimeSeries = form.named("OxrTimeSeries", "The rates of every day of a window.", {
  ...oxr.frameFields,
  start_date: form.day("First day requested.", "2026-04-10"),
  end_date: form.day("Last day requested.", "2026-04-11"),
  base: oxr.baseField,
  rates: Type.Unsafe<Record<string, Record<string, number>>>({
    type: "object",
    propertyNames: { pattern: form.DAY_PATTERN },
    additionalProperties: plainRates,
    description: "The rates by day, ascending.",
    examples: [
      {
        "2026-04-10": { EUR: 0.856824608, GBP: 0.7462085511 },
        "2026-04-11": { EUR: 0.856824608, GBP: 0.7462085511 },
      },
    ],
  }),
});

const { app_id, base, symbols, show_alternative, prettyprint } = oxr.PARAMETERS;

export const timeSeries = (deps: oxr.OxrDeps) =>
  new Elysia()
    .use(compat.compatible(deps))
    .get("/time-series.json", async ({ request, query: { sent } }) => await sendSeries(deps, request, sent), {
      ...oxr.ADMITTED,
      query: compat.asSent({
        app_id,
        start: compat.required("First day, UTC.", "2026-04-10", compat.dayText),
        end: compat.required("Last day, UTC, not after today.", "2026-04-11", compat.dayText),
        base,
        symbols,
        show_alternative,
        prettyprint,
      }),
      detail: deps.says({
        id: "oxrTimeSeries",
        summary: "Open Exchange Rates: time series",
        description: "The rates of every calendar day of a window, of any length.",
        ok: compat.foreignOk("The rates by day.", OxrTimeSeries, { leavesOut: true }),
      }),
    });

/** Refuses with `invalid_date_range` for an invalid window, `not_available` for one that leaves coverage. */
async function sendSeries(deps: oxr.OxrDeps, request: Request, sent: Query): Promise<Response> {
  const [start, end] = [parseDay(sent("start") ?? ""), parseDay(sent("end") ?? "")];
  if (start === null || end === null || start > end) {
    throw oxrRefusal(
      "invalid_date_range",
      "Invalid date range: `start` and `end` dates must be valid days, in the format 'YYYY-MM-DD', `start` not after `end`.",
    );
  }
  const { base, symbols, unavailable } = oxr.wanted(sent);
  if (start < COVERAGE_START || end > dayAt(deps.clock.now())) throw outside();
  const question = { base, symbols, start, end, fill: "previous" } as const;
  const survey = await runSteps(deps, request, surveySeries(deps, question));
  if (survey.first === null) throw outside();
  const head = JSON.stringify({
    ...oxr.frame(survey.origin.simulated),
    start_date: formatDay(start),
    end_date: formatDay(end),
    base: currencyCode(base),
  });
  const isPretty = oxr.isOn(sent, "prettyprint");
  const frame = isPretty
    ? { before: `${oxr.indentedJson(head).slice(0, -2)},\n  "rates": {\n`, between: ",\n", after: "\n  }\n}" }
    : { before: `${head.slice(0, -1)},"rates":{`, between: ",", after: "}}" };
  return answerLarge(deps, request, {
    identity: `oxr ${survey.version} ${isPretty} ${symbols.join(",")} ${head}`,
    frame,
    rows: printSeries(deps, question, survey, isPretty ? indentedDay : dayMember()),
    origin: survey.origin,
    maxAgeSeconds: compat.PAST_SECONDS,
    unavailable,
  });
}

/** Formats as JSON.stringify does with an indent of two. */
const indentedDay: PrintDay = (date, values) => {
  const members = values.map(({ code, digits }) => `      "${code}": ${digits}`);
  return [`    "${date}": {\n${members.join(",\n")}\n    }`];
};

function outside() {
  return oxrRefusal(
    "not_available",
    "Historical rates for one or more of your requested dates are not available here: coverage runs from 1999-01-04 to today, UTC.",
  );
}
