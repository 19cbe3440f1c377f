/** GET /v1/range: pages of JSON, or the whole window as one CSV or Parquet file. */

import { SERVED_AT } from "#domain/body.ts";
import { currencyCode } from "#domain/currency.ts";
import { formatDay, formatInstant } from "#domain/day.ts";
import { Failure } from "#domain/errors.ts";
import { parseSymbols } from "#domain/pair.ts";
import { parseDp } from "#rates/query.ts";
import { LONGEST_PAGE, type RangeDeps, type RangePage, type RangeQuery, range } from "#rates/range.ts";
import { type ExportDeps, exportRange } from "./export.ts";
import { baseOf, choiceOf, dateOf, integerOf, queryOf, required } from "./query.ts";
import { rowsJson } from "./range-rows.ts";
import type { Reply } from "./reply.ts";
import type { Route } from "./route.ts";

const FORMATS = ["json", "csv", "parquet"] as const;
type Format = (typeof FORMATS)[number];

export function rangeRoutes(deps: RangeDeps & ExportDeps, reply: Reply): Route[] {
  return [
    {
      method: "GET",
      path: "/v1/range",
      handle: (request) => {
        const query = queryOf(request);
        const format = formatOf(request, choiceOf(query, "format", FORMATS), query("format") !== undefined);
        if (format !== "json") {
          return exportRange(deps, request, {
            ...rangeQuery(request),
            format,
            layout: choiceOf(query, "layout", ["long", "wide"]),
          });
        }
        return reply(request, { maxAgeSeconds: 60, turnsWith: "session" }, () =>
          pageBody(range(deps, rangeQuery(request)), parseDp(query("dp"))),
        );
      },
    },
  ];
}

/** `format` wins; without it an Accept header that names a file type is honoured. */
function formatOf(request: Request, asked: Format, explicit: boolean): Format {
  if (explicit) return asked;
  const accept = request.headers.get("accept") ?? "";
  if (accept.includes("application/json") || !accept.includes("/")) return "json";
  if (accept.includes("application/vnd.apache.parquet")) return "parquet";
  return accept.includes("text/csv") ? "csv" : "json";
}

function rangeQuery(request: Request): RangeQuery & { readonly dp: number | null } {
  const query = queryOf(request);
  const symbols = parseSymbols(required(query, "symbols"));
  if (symbols === null) throw new Failure("missing_parameter", { name: "symbols" });
  const start = required(query, "start_date");
  const end = required(query, "end_date");
  return {
    base: baseOf(query, undefined),
    symbols,
    start: dateOf(start),
    end: dateOf(end),
    fill: choiceOf(query, "fill", ["none", "previous"]),
    limit: integerOf(query, "limit", 1, LONGEST_PAGE, LONGEST_PAGE),
    cursor: query("cursor") ?? null,
    dp: parseDp(query("dp")),
  };
}

/** RangeResponse of a page. */
function pageBody(page: RangePage, dp: number | null): object {
  return {
    result: "success",
    base: currencyCode(page.base),
    symbols: page.symbols.map(currencyCode),
    start_date: formatDay(page.start),
    end_date: formatDay(page.end),
    source: page.source,
    sources: page.symbolSources,
    market_session: page.session,
    timestamp: SERVED_AT,
    data_updated_at: page.dataUpdatedAt === null ? null : formatInstant(page.dataUpdatedAt),
    derived_symbols: page.derivedSymbols,
    notice: page.notice,
    data: rowsJson(page, dp),
    has_more: page.nextCursor !== null,
    next_cursor: page.nextCursor,
  };
}
