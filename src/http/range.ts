/** GET /v1/range: pages of JSON, or the whole window as one CSV or Parquet file. */

import { SERVED_AT } from "#domain/body.ts";
import { currencyCode } from "#domain/currency.ts";
import { formatDay, formatInstant } from "#domain/day.ts";
import { Failure } from "#domain/errors.ts";
import { EXPORT_FORMATS, LAYOUTS } from "#domain/export-plan.ts";
import { parseSymbols } from "#domain/pair.ts";
import { AGGREGATES, INTERVALS } from "#domain/periods.ts";
import { parseAsOf, parseInstant } from "#rates/as-of.ts";
import type { BarsDeps } from "#rates/bars.ts";
import { everyOther, parseDp } from "#rates/query.ts";
import { LONGEST_PAGE, type RangeDeps, type RangePage, type RangeQuery, range } from "#rates/range.ts";
import { preferredType } from "./accept.ts";
import type { ExportDeps } from "./export.ts";
import { estimatePages } from "./export-estimate.ts";
import { baseOf, choiceOf, dateOf, integerOf, type Query, queryOf, required } from "./query.ts";
import { ARCHIVE_INTERVALS, type ArchiveInterval, answerArchive, type WindowQuery } from "./range-bars.ts";
import { exportRates } from "./range-export.ts";
import { rowsJson } from "./range-rows.ts";
import type { Reply } from "./reply.ts";
import type { Route } from "./route.ts";

const FORMATS = ["json", ...EXPORT_FORMATS] as const;
type Format = (typeof FORMATS)[number];

export function rangeRoutes(deps: RangeDeps & BarsDeps & ExportDeps, reply: Reply): Route[] {
  return [
    {
      method: "GET",
      path: "/v1/range",
      handle: (request) => {
        const query = queryOf(request);
        const format = formatOf(request, query);
        const estimate = choiceOf(query, "estimate", ["0", "1"]) === "1";
        const interval = intervalOf(query);
        if (interval !== null && !isPeriod(interval)) {
          return answerArchive(deps, request, query, windowQuery(query), interval, { format, estimate });
        }
        const layout = choiceOf(query, "layout", LAYOUTS);
        if (format !== "json") {
          return exportRates(deps, request, { ...rangeQuery(query, interval), format, layout, estimate });
        }
        if (estimate) return estimatePages(deps, request, rangeQuery(query, interval));
        return reply(request, { maxAgeSeconds: 60, turnsWith: "session" }, () => {
          const asked = rangeQuery(query, interval);
          return pageBody(range(deps, asked), asked, asked.dp);
        });
      },
    },
  ];
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

const PERIODS = INTERVALS.filter((interval) => interval !== "1d");
type Period = (typeof PERIODS)[number];

/** Null without one: daily rates. A week or month is of daily rates, everything else of intraday quotes. */
function intervalOf(query: Query): Period | ArchiveInterval | null {
  if (query("interval") === undefined) return null;
  return choiceOf(query, "interval", [...ARCHIVE_INTERVALS, ...PERIODS] as [
    ArchiveInterval | Period,
    ...(ArchiveInterval | Period)[],
  ]);
}

function isPeriod(interval: Period | ArchiveInterval): interval is Period {
  return (PERIODS as readonly string[]).includes(interval);
}

function windowQuery(query: Query): WindowQuery {
  const base = baseOf(query, undefined);
  const symbols = parseSymbols(required(query, "symbols")) ?? everyOther(base);
  const start = required(query, "start_date");
  const end = required(query, "end_date");
  return {
    base,
    symbols,
    start: dateOf(start),
    end: dateOf(end),
    order: choiceOf(query, "order", ["asc", "desc"]),
    limit: integerOf(query, "limit", 1, LONGEST_PAGE, LONGEST_PAGE),
    cursor: query("cursor") ?? null,
  };
}

function rangeQuery(
  query: Query,
  period: Period | null,
): RangeQuery & Required<Pick<RangeQuery, "interval" | "aggregate">> & { readonly dp: number | null } {
  const since = query("updated_after");
  const window = windowQuery(query);
  if (period === null && query("aggregate") !== undefined) {
    throw new Failure("invalid_request", {
      reason: "aggregate is of a week or month: send interval=1w or 1mo",
    });
  }
  return {
    ...window,
    fill: choiceOf(query, "fill", ["none", "previous"]),
    interval: period ?? "1d",
    aggregate: choiceOf(query, "aggregate", AGGREGATES),
    asOf: parseAsOf(query("as_of"), query("as_of_basis")),
    updatedAfter: since === undefined ? null : parseInstant("updated_after", since),
    dp: parseDp(query("dp")),
  };
}

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
