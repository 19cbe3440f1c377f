/** GET /compat/oxr/time-series.json: every calendar day of a window, with forward fill. */

import { answerLarge, joined, runSteps } from "#api/compat/answer.ts";
import { type OxrDeps, PAST_SECONDS } from "#api/compat/compat-deps.ts";
import { oxrRefusal } from "#api/compat/dialects.ts";
import { DAY_MEMBERS, printSeries, type SeriesFormat } from "#api/compat/series/print.ts";
import { surveySeries } from "#api/compat/series/survey.ts";
import { queryOf } from "#api/request/query.ts";
import { currencyCode } from "#domain/currency/currency.ts";
import { COVERAGE_START, dayAt, formatDay } from "#domain/time/day.ts";
import { dayOf, frame, indented, isOn, wanted } from "./query.ts";

/** Refusals `invalid_date_range` for what is no window, `not_available` for one that leaves coverage. */
export async function oxrTimeSeries(deps: OxrDeps, request: Request): Promise<Response> {
  const query = queryOf(request);
  const [start, end] = [dayOf(query("start")), dayOf(query("end"))];
  if (start === null || end === null || start > end) {
    throw oxrRefusal(
      400,
      "invalid_date_range",
      "Invalid date range: `start` and `end` dates must be valid days, in the format 'YYYY-MM-DD', `start` not after `end`.",
    );
  }
  const { base, symbols, unavailable } = wanted(query);
  if (start < COVERAGE_START || end > dayAt(deps.clock.now())) throw outside();
  const question = { base, symbols, start, end, fill: "previous" } as const;
  const survey = await runSteps(deps, request, surveySeries(deps, question));
  if (survey.first === null) throw outside();
  const head = JSON.stringify({
    ...frame(deps.simulated),
    start_date: formatDay(start),
    end_date: formatDay(end),
    base: currencyCode(base),
  });
  const isPretty = isOn(request, "prettyprint");
  const format = isPretty ? INDENTED : DAY_MEMBERS;
  const frameOfRows = isPretty
    ? { before: `${indented(request, head).slice(0, -2)},\n  "rates": {\n`, after: "\n  }\n}" }
    : { before: `${head.slice(0, -1)},"rates":{`, after: "}}" };
  return answerLarge(deps, request, {
    identity: `oxr ${survey.version} ${isPretty} ${symbols.join(",")} ${head}`,
    pieces: joined({ ...frameOfRows, between: format.between }, printSeries(deps, question, survey, format)),
    origin: survey.origin,
    maxAgeSeconds: PAST_SECONDS,
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
    400,
    "not_available",
    "Historical rates for one or more of your requested dates are not available here: coverage runs from 1999-01-04 to today, UTC.",
  );
}
