/** GET /compat/oxr/time-series.json: every calendar day of a window, with forward fill. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { answerLarge, joined, runSteps } from "#api/compat/answer.ts";
import * as compat from "#api/compat/compat.ts";
import { DAY_MEMBERS, printSeries, type SeriesFormat } from "#api/compat/series/print.ts";
import { surveySeries } from "#api/compat/series/survey.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { oxrRefusal } from "#api/response/dialect.ts";
import { currencyCode } from "#domain/currency/currency.ts";
import { COVERAGE_START, dayAt, formatDay, parseDay } from "#domain/time/day.ts";
import type { Query } from "#rates/parameters.ts";
import * as oxr from "./model.ts";

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
    examples: [{ "2026-04-10": { EUR: 0.856824608 } }],
  }),
});

const EXAMPLE = {
  ...oxr.FRAME_EXAMPLE,
  start_date: "2026-04-10",
  end_date: "2026-04-11",
  base: "USD",
  rates: {
    "2026-04-10": { EUR: 0.856824608, GBP: 0.7462085511 },
    "2026-04-11": { EUR: 0.856824608, GBP: 0.7462085511 },
  },
};

const { app_id, base, symbols, show_alternative, prettyprint } = oxr.PARAMETERS;

export const timeSeries = (deps: oxr.OxrDeps) =>
  new Elysia()
    .use(compat.compatible(deps))
    .get("/time-series.json", async ({ request, query: { sent } }) => await send(deps, request, sent), {
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
        ok: compat.foreignOk("The rates by day.", OxrTimeSeries, EXAMPLE, { leavesOut: true }),
      }),
    });

/** Refusals `invalid_date_range` for what is no window, `not_available` for one that leaves coverage. */
async function send(deps: oxr.OxrDeps, request: Request, sent: Query): Promise<Response> {
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
    ...oxr.frame(deps.simulated),
    start_date: formatDay(start),
    end_date: formatDay(end),
    base: currencyCode(base),
  });
  const isPretty = oxr.isOn(sent, "prettyprint");
  const format = isPretty ? INDENTED : DAY_MEMBERS;
  const frameOfRows = isPretty
    ? { before: `${oxr.indentedJson(head).slice(0, -2)},\n  "rates": {\n`, after: "\n  }\n}" }
    : { before: `${head.slice(0, -1)},"rates":{`, after: "}}" };
  return answerLarge(deps, request, {
    identity: `oxr ${survey.version} ${isPretty} ${symbols.join(",")} ${head}`,
    pieces: joined({ ...frameOfRows, between: format.between }, printSeries(deps, question, survey, format)),
    origin: survey.origin,
    maxAgeSeconds: compat.PAST_SECONDS,
    unavailable,
  });
}

/** As JSON.stringify would indent it by two. */
const INDENTED: SeriesFormat = {
  between: ",\n",
  day: (date) => ({ open: `    "${date}": {\n`, value: '      "', close: "\n    }" }),
  afterCode: '": ',
  afterDigits: "",
};

function outside() {
  return oxrRefusal(
    "not_available",
    "Historical rates for one or more of your requested dates are not available here: coverage runs from 1999-01-04 to today, UTC.",
  );
}
