/** GET /v1/range: pages of daily rates, weeks or months as JSON; files and bars go their own ways. */

import type { Ask } from "#accounts/limits/admit.ts";
import { currencyCode } from "#domain/currency/currency.ts";
import { EXPORT_FORMATS, type ExportFormat, LAYOUTS } from "#domain/history/export-plan.ts";
import { SERVED_AT } from "#domain/net/body.ts";
import { formatDay, formatInstant } from "#domain/time/day.ts";
import { preferredType } from "#http/request/accept.ts";
import type { Admission, Meter } from "#http/request/metering.ts";
import { choiceOf, earliestOf, type Query, queryOf } from "#http/request/query.ts";
import type { Route } from "#http/request/route.ts";
import type { ComputeTurns } from "#http/response/compute-turns.ts";
import type { Reply } from "#http/response/reply.ts";
import type { AnswersUnderWay } from "#http/response/under-way.ts";
import type { BarsDeps } from "#rates/bars.ts";
import { shownUntil } from "#rates/late-archive.ts";
import { type RangeDeps, type RangePage, range, rangeSteps, recallFor } from "#rates/range.ts";
import type { RangeQuery } from "#rates/range-query.ts";
import { answerBars, barsQuestion } from "./bars.ts";
import { estimatePages } from "./estimate.ts";
import { type ExportDeps, sendExport } from "./export.ts";
import { archiveQuery, intervalOf, isPeriod, rangeQuery } from "./query.ts";
import { planFile } from "./range-export.ts";
import { newPrintedRows, type PrintedRows, rowsJson } from "./rows.ts";

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
        const interval = intervalOf(query);
        choiceOf(query, "layout", LAYOUTS);
        if (interval !== null && !isPeriod(interval)) {
          const window = archiveQuery(query, interval);
          const ask = askOf(window, interval);
          if (format !== "json")
            return deps.meter.run(request, ask, (admission) =>
              exportFile(shownTo(deps, admission), request, query, { format, estimate }),
            );
          const question = barsQuestion(window, interval, estimate);
          return deps.meter.run(request, ask, (admission) =>
            deps.turns.slot(deps.callerOf(request), () =>
              answerBars(shownTo(deps, admission), request, question),
            ),
          );
        }
        const asked = rangeQuery(query, interval);
        const ask = askOf(asked, interval ?? "1d");
        if (format !== "json")
          return deps.meter.run(request, ask, () => exportFile(deps, request, query, { format, estimate }));
        if (estimate) return deps.meter.run(request, ask, () => estimatePages(deps, request, asked));
        deps.underWay.admit(request);
        return reply(request, { maxAgeSeconds: 60, turnsWith: "session", negotiated: true }, () => {
          let page: RangePage | null = null;
          return {
            earliest: earliestOf(asked.start, asked.end),
            interval: asked.interval ?? "1d",
            prepare: () => {
              const recalled = recallFor(deps, asked);
              if (!isLong(asked)) return recalled;
              return (recalled ?? Promise.resolve()).then(async () => {
                page = await deps.turns.run(deps.callerOf(request), request.signal, longPage(deps, asked));
              });
            },
            answer: () => pageBody(printed, page ?? range(deps, asked), asked),
          };
        });
      },
    },
  ];
}

/** Whether the rows are made for this page alone, which takes long: days of the present are cut from blocks instead. */
function isLong({ interval = "1d", updatedAfter = null, asOf = null }: RangeQuery): boolean {
  return interval !== "1d" || updatedAfter !== null || asOf !== null;
}

/** Rows whose values are printed in one step. */
const STEP_ROWS = 48;

/** The page, its values printed, in steps of a few milliseconds. */
function* longPage(deps: RangeDeps, asked: RangeQuery): Generator<undefined, RangePage> {
  const page = yield* rangeSteps(deps, asked);
  for (const [index, { rates }] of (page.listed ?? []).entries()) {
    for (const rate of rates) rate.text;
    if (index % STEP_ROWS === STEP_ROWS - 1) yield undefined;
  }
  return page;
}

/** A page, and a file however long, is one call. */
function askOf({ start, end }: Pick<RangeQuery, "start" | "end">, interval: string): Ask {
  return { cost: 1, earliest: earliestOf(start, end), interval };
}

/** With the quotes that a caller's plan shows by now. */
function shownTo(deps: RangeRouteDeps, { delayMinutes }: Admission): RangeRouteDeps {
  return { ...deps, shownUntil: shownUntil(deps.clock.now(), delayMinutes) };
}

async function exportFile(
  deps: RangeDeps & BarsDeps & ExportDeps,
  request: Request,
  query: Query,
  form: { readonly format: ExportFormat; readonly estimate: boolean },
): Promise<Response> {
  return await sendExport(deps, request, { ...(await planFile(deps, query)), ...form });
}

/** `format` wins; without it the type that Accept likes best, JSON where it has no preference. */
function formatOf(request: Request, query: Query): Format {
  if (query("format") !== undefined) return choiceOf(query, "format", FORMATS);
  return preferredType(request.headers.get("accept"), TYPES) ?? "json";
}

const TYPES: readonly (readonly [mime: string, format: Format])[] = [
  ["application/json", "json"],
  ["text/csv", "csv"],
  ["application/vnd.apache.parquet", "parquet"],
  ["application/x-ndjson", "ndjson"],
  ["application/vnd.apache.arrow.stream", "arrow"],
];

/** RangeResponse of a page. */
function pageBody(
  printed: PrintedRows,
  page: RangePage,
  query: Pick<RangeQuery, "interval" | "aggregate"> & { readonly dp: number | null },
): object {
  const { origin, asOf, sync } = page;
  return {
    result: "success",
    base: currencyCode(page.base),
    symbols: page.symbols.map(currencyCode),
    start_date: formatDay(page.start),
    end_date: formatDay(page.end),
    ...(query.interval === "1d" ? {} : { interval: query.interval, aggregate: query.aggregate }),
    source: origin.source,
    sources: origin.symbolSources,
    market_session: page.session,
    timestamp: SERVED_AT,
    data_updated_at: origin.dataUpdatedAt === null ? null : formatInstant(origin.dataUpdatedAt),
    derived_symbols: origin.derivedSymbols,
    notice: page.notice,
    ...(asOf === null
      ? {}
      : {
          as_of: formatInstant(asOf.instant),
          as_of_basis: asOf.basis,
          as_of_reconstructed: asOf.reconstructed,
        }),
    ...(sync === null
      ? {}
      : { updated_after: formatInstant(sync.updatedAfter), sync_from: formatInstant(sync.from) }),
    data: rowsJson(printed, page, query.dp),
    has_more: page.nextCursor !== null,
    next_cursor: page.nextCursor,
  };
}
