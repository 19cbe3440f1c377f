/** GET /v1/range: pages of daily rates, weeks or months as JSON; files and bars are answered by their own functions. */

import type { Ask } from "#accounts/limits/admit.ts";
import type { Admission, Meter } from "#api/request/metering.ts";
import { earliestOf, queryOf } from "#api/request/query.ts";
import type { Route } from "#api/request/route.ts";
import type { ComputeTurns } from "#api/response/compute-turns.ts";
import { respondTagged } from "#api/response/json.ts";
import { newTypePreference } from "#api/response/negotiation.ts";
import type { Reply } from "#api/response/reply.ts";
import type { AnswersUnderWay } from "#api/response/under-way.ts";
import { estimateBody } from "#contract/range/estimate.ts";
import { barsBody, rangeBody } from "#contract/range/page.ts";
import { newPrintedRows } from "#contract/range/rows.ts";
import { Failure } from "#domain/faults/errors.ts";
import { EXPORT_FORMATS } from "#domain/history/export-plan.ts";
import type { RangePage } from "#domain/rates/series.ts";
import { publishedUntil } from "#rates/archive.ts";
import { estimatePages } from "#rates/export/estimate.ts";
import { choiceOf, type Query } from "#rates/parameters.ts";
import { type BarsDeps, type BarsQuery, barsPage } from "#rates/range/bars.ts";
import { type QuotesQuery, readSeries } from "#rates/range/parameters.ts";
import type { RangeQuery } from "#rates/range/query.ts";
import { type RangeDeps, range, rangeSteps, recallFor } from "#rates/range/range.ts";
import { type ExportDeps, sendExport } from "./export.ts";

const FORMATS = ["json", ...EXPORT_FORMATS] as const;
type Format = (typeof FORMATS)[number];

export interface RangeRouteDeps extends RangeDeps, BarsDeps, ExportDeps {
  readonly meter: Meter;
  readonly turns: ComputeTurns;
  readonly underWay: AnswersUnderWay;
}

export function rangeRoutes(deps: RangeRouteDeps, reply: Reply): Route[] {
  const printed = newPrintedRows(deps.caches);
  return [
    {
      method: "GET",
      isMetered: true,
      path: "/v1/range",
      handle: (request) => {
        const query = queryOf(request);
        const format = formatOf(request, query);
        const estimate = choiceOf(query, "estimate", ["0", "1"]) === "1";
        const series = readSeries(query);
        const { start, end, interval } = series.kind === "daily" ? series.daily : series.archive;
        // A page, and a file however long, is one call.
        const ask: Ask = { cost: 1, earliest: earliestOf(start, end), interval };
        if (series.kind === "archive") {
          if (format !== "json")
            return deps.meter.run(request, ask, (admission) =>
              sendExport(publishedTo(deps, admission), request, series, { format, estimate }),
            );
          const bars = barsQuery(series.archive, estimate);
          return deps.meter.run(request, ask, (admission) =>
            deps.turns.slot(deps.callerOf(request), async () => {
              const page = await barsPage(publishedTo(deps, admission), bars);
              // Reading the bars and printing them take tens of milliseconds each.
              await deps.turns.take(deps.callerOf(request), "continues");
              return respondTagged(request, deps, "public, max-age=5", barsBody(page));
            }),
          );
        }
        const { daily } = series;
        if (format !== "json")
          return deps.meter.run(request, ask, () => sendExport(deps, request, series, { format, estimate }));
        if (estimate)
          return deps.meter.run(request, ask, async () => {
            const steps = estimatePages(deps, daily);
            const estimated = await deps.turns.run(deps.callerOf(request), request.signal, steps);
            return respondTagged(request, deps, "no-store", estimateBody(estimated));
          });
        deps.underWay.admit(request);
        return reply(request, { maxAgeSeconds: 60, turnsWith: "session", isJson }, () => {
          let page: RangePage | null = null;
          return {
            earliest: ask.earliest,
            interval,
            prepare: () => {
              const recalled = recallFor(deps, daily);
              if (!isLong(daily)) return recalled;
              return (recalled ?? Promise.resolve()).then(async () => {
                page = await deps.turns.run(deps.callerOf(request), request.signal, longPage(deps, daily));
              });
            },
            answer: () => rangeBody(page ?? range(deps, daily), daily.dp, printed),
          };
        });
      },
    },
  ];
}

/** Days of so many symbols are cut from blocks that are made fast enough where they are not there yet. */
const FEW_SYMBOLS = 8;

/** Whether making the rows can take long. */
function isLong({ interval = "1d", updatedAfter = null, asOf = null, symbols }: RangeQuery): boolean {
  return interval !== "1d" || updatedAfter !== null || asOf !== null || symbols.length > FEW_SYMBOLS;
}

/** Rows whose values are printed in one step. */
const STEP_ROWS = 48;

/** The page, its values printed, in steps of a few milliseconds. */
function* longPage(deps: RangeDeps, query: RangeQuery): Generator<undefined, RangePage> {
  const page = yield* rangeSteps(deps, query);
  for (const [index, { rates }] of (page.listed ?? []).entries()) {
    for (const rate of rates) rate.text;
    if (index % STEP_ROWS === STEP_ROWS - 1) yield undefined;
  }
  return page;
}

/** With the quotes that a caller's plan publishes by now. */
function publishedTo(deps: RangeRouteDeps, { delayMinutes }: Admission): RangeRouteDeps {
  return { ...deps, publishedUntil: publishedUntil(deps.clock.now(), delayMinutes) };
}

/** Failure `invalid_request` for what only files have, or only daily rates. */
function barsQuery({ interval, ...window }: QuotesQuery, estimate: boolean): BarsQuery {
  const refuse = (reason: string): never => {
    throw new Failure("invalid_request", { reason });
  };
  if (interval === "tick") return refuse("quotes come as files: send format=csv, parquet, ndjson or arrow");
  if (estimate) return refuse("estimate is of files and of daily rates: send a file format");
  return { ...window, interval };
}

/** `format` wins; without it the type that Accept likes best, JSON where it has no preference. */
function formatOf(request: Request, query: Query): Format {
  if (query("format") !== undefined) return choiceOf(query, "format", FORMATS);
  return preference(request.headers.get("accept")) ?? "json";
}

const isJson = (accept: string | null): boolean => (preference(accept) ?? "json") === "json";

const preference = newTypePreference<Format>([
  ["application/json", "json"],
  ["text/csv", "csv"],
  ["application/vnd.apache.parquet", "parquet"],
  ["application/x-ndjson", "ndjson"],
  ["application/vnd.apache.arrow.stream", "arrow"],
]);
