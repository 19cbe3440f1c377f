/** GET /v1/range: pages of daily rates, weeks or months as JSON; files and bars go their own ways. */

import type { Ask } from "#accounts/admit.ts";
import { SERVED_AT } from "#domain/body.ts";
import { currencyCode } from "#domain/currency.ts";
import { type Day, formatDay, formatInstant } from "#domain/day.ts";
import { EXPORT_FORMATS, type ExportFormat, LAYOUTS } from "#domain/export-plan.ts";
import type { BarsDeps } from "#rates/bars.ts";
import { shownUntil } from "#rates/late-archive.ts";
import { type RangeDeps, type RangePage, type RangeQuery, range, recallFor } from "#rates/range.ts";
import { preferredType } from "./accept.ts";
import { type ExportDeps, sendExport } from "./export.ts";
import { estimatePages } from "./export-estimate.ts";
import type { Admission, Meter } from "./metering.ts";
import { choiceOf, type Query, queryOf } from "./query.ts";
import { answerBars, barsQuestion } from "./range-bars.ts";
import { planFile } from "./range-export.ts";
import { archiveQuery, intervalOf, isPeriod, rangeQuery } from "./range-query.ts";
import { rowsJson } from "./range-rows.ts";
import type { Reply } from "./reply.ts";
import type { Route } from "./route.ts";

const FORMATS = ["json", ...EXPORT_FORMATS] as const;
type Format = (typeof FORMATS)[number];

export interface RangeRouteDeps extends RangeDeps, BarsDeps, ExportDeps {
  readonly meter: Meter;
}

export function rangeRoutes(deps: RangeRouteDeps, reply: Reply): Route[] {
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
            answerBars(shownTo(deps, admission), request, question),
          );
        }
        const asked = rangeQuery(query, interval);
        const ask = askOf(asked, interval ?? "1d");
        if (format !== "json")
          return deps.meter.run(request, ask, () => exportFile(deps, request, query, { format, estimate }));
        if (estimate) return deps.meter.run(request, ask, () => estimatePages(deps, request, asked));
        return reply(request, { maxAgeSeconds: 60, turnsWith: "session", negotiated: true }, () => ({
          earliest: asked.start,
          interval: asked.interval ?? "1d",
          prepare: () => recallFor(deps, asked),
          answer: () => pageBody(range(deps, asked), asked, asked.dp),
        }));
      },
    },
  ];
}

/** A page, and a file however long, is one call. */
function askOf({ start }: { readonly start: Day }, interval: string): Ask {
  return { cost: 1, earliest: start, interval };
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
  page: RangePage,
  query: Pick<RangeQuery, "interval" | "aggregate">,
  dp: number | null,
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
    data: rowsJson(page, dp),
    has_more: page.nextCursor !== null,
    next_cursor: page.nextCursor,
  };
}
