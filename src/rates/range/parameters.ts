/** Reads the parameters of /v1/range: the same names over HTTP and on the command line. */

import { parseSymbols } from "#domain/currency/pair.ts";
import { Failure } from "#domain/faults/errors.ts";
import { BAR_SECONDS, type BarInterval } from "#domain/history/bars.ts";
import { LAYOUTS, type Order } from "#domain/history/export-plan.ts";
import { AGGREGATES, type Aggregate, type DailyInterval, INTERVALS } from "#domain/history/periods.ts";
import type { ArchiveWindow } from "#rates/archive.ts";
import {
  baseOf,
  choiceOf,
  dateOf,
  integerOf,
  parseAsOf,
  parseDp,
  parseSince,
  type Query,
  required,
  textOf,
} from "#rates/parameters.ts";
import { everyOther } from "#rates/query.ts";
import type { DailyExport } from "./query.ts";
import { LONGEST_PAGE } from "./range.ts";

const ARCHIVE_INTERVALS = [...(Object.keys(BAR_SECONDS) as BarInterval[]), "tick"] as const;
export type ArchiveInterval = (typeof ARCHIVE_INTERVALS)[number];

const PERIODS = INTERVALS.filter((interval) => interval !== "1d");
type Period = (typeof PERIODS)[number];

/** A page or file of daily rates: all of its members are set. */
export interface DailyQuery extends DailyExport {
  readonly order: Order;
  readonly interval: DailyInterval;
  readonly aggregate: Aggregate;
}

export interface QuotesQuery extends WindowQuery {
  readonly interval: ArchiveInterval;
  /** True for `symbols=*`: of quotes, every pair there is. */
  readonly all: boolean;
}

/** A query for daily rates, weeks or months, or one for the intraday archive. */
export type SeriesParameters =
  | { readonly kind: "daily"; readonly daily: DailyQuery }
  | { readonly kind: "archive"; readonly archive: QuotesQuery };

/** Failures `missing_parameter`, `unsupported_base`, `base_conflict`, `bad_date`, `invalid_request`. */
export function readSeries(query: Query): SeriesParameters {
  const interval = intervalOf(query);
  choiceOf(query, "layout", LAYOUTS);
  if (interval === null || isPeriod(interval)) return { kind: "daily", daily: dailyQuery(query, interval) };
  const all = query("symbols") === "*";
  return { kind: "archive", archive: { ...archiveQuery(query, interval), interval, all } };
}

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

/** What queries for quotes and for daily rates share. */
export interface WindowQuery extends ArchiveWindow {
  readonly order: Order;
  readonly limit: number;
  readonly cursor: string | null;
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
    cursor: textOf(query, "cursor"),
  };
}

function dailyQuery(query: Query, period: Period | null): DailyQuery {
  const since = query("updated_after");
  const window = windowQuery(query);
  if (period === null && query("aggregate") !== undefined) {
    throw new Failure("invalid_request", {
      reason: "aggregate needs interval=1w or interval=1mo",
    });
  }
  return {
    ...window,
    fill: choiceOf(query, "fill", ["none", "previous"]),
    interval: period ?? "1d",
    aggregate: choiceOf(query, "aggregate", AGGREGATES),
    asOf: parseAsOf(query("as_of"), query("as_of_basis")),
    updatedAfter: since === undefined ? null : parseSince(since),
    layout: choiceOf(query, "layout", LAYOUTS),
    dp: parseDp(query("dp")),
  };
}

/** What only daily rates have. */
const DAILY_ONLY = ["fill", "layout", "dp", "aggregate", "as_of", "as_of_basis", "updated_after"] as const;

/** Failure `invalid_request` for parameters of daily rates. */
function archiveQuery(query: Query, interval: ArchiveInterval): WindowQuery {
  const window = windowQuery(query);
  const misplaced = DAILY_ONLY.find((name) => query(name) !== undefined);
  if (misplaced === undefined) return window;
  throw new Failure("invalid_request", {
    reason: `${misplaced} applies to daily rates only: leave it out with interval=${interval}`,
  });
}
