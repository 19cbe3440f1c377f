/** What a query of /v1/range asks for, read by its grammar; the command line asks with the same names. */

import type { CurrencyIndex } from "#domain/currency/currency.ts";
import { parseSymbols } from "#domain/currency/pair.ts";
import { Failure } from "#domain/faults/errors.ts";
import { BAR_SECONDS, type BarInterval } from "#domain/history/bars.ts";
import type { Order } from "#domain/history/export-plan.ts";
import type { Day } from "#domain/time/day.ts";
import { AGGREGATES, INTERVALS } from "#domain/time/periods.ts";
import { baseOf, choiceOf, dateOf, integerOf, type Query, required } from "#http/request/query.ts";
import { parseAsOf, parseInstant } from "#rates/as-of.ts";
import { everyOther, parseDp } from "#rates/query.ts";
import { LONGEST_PAGE } from "#rates/range.ts";
import type { RangeQuery } from "#rates/range-query.ts";

const ARCHIVE_INTERVALS = [...(Object.keys(BAR_SECONDS) as BarInterval[]), "tick"] as const;
/** Of intraday quotes. */
export type ArchiveInterval = (typeof ARCHIVE_INTERVALS)[number];

const PERIODS = INTERVALS.filter((interval) => interval !== "1d");
/** Of daily rates. */
export type Period = (typeof PERIODS)[number];

/** Null without one: daily rates. A week or month is of daily rates, everything else of intraday quotes. */
export function intervalOf(query: Query): Period | ArchiveInterval | null {
  if (query("interval") === undefined) return null;
  return choiceOf(query, "interval", [...ARCHIVE_INTERVALS, ...PERIODS] as [
    ArchiveInterval | Period,
    ...(ArchiveInterval | Period)[],
  ]);
}

export function isPeriod(interval: Period | ArchiveInterval): interval is Period {
  return (PERIODS as readonly string[]).includes(interval);
}

/** The part of a range question that quotes and daily rates share. */
export interface WindowQuery {
  readonly base: CurrencyIndex;
  readonly symbols: readonly CurrencyIndex[];
  readonly start: Day;
  readonly end: Day;
  readonly order: Order;
  readonly limit: number;
  readonly cursor: string | null;
}

/** Failures `missing_parameter`, `unsupported_base`, `base_conflict`, `bad_date`, `invalid_request`. */
export function windowQuery(query: Query): WindowQuery {
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

/** A question about daily rates; Failures as of windowQuery. */
export function rangeQuery(
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

/** What only daily rates have. */
const DAILY_ONLY = ["fill", "layout", "dp", "aggregate", "as_of", "as_of_basis", "updated_after"] as const;

/** A question about intraday quotes; Failures as of windowQuery, and `invalid_request` for what means nothing here. */
export function archiveQuery(query: Query, interval: ArchiveInterval): WindowQuery {
  const window = windowQuery(query);
  const senseless = DAILY_ONLY.find((name) => query(name) !== undefined);
  if (senseless === undefined) return window;
  throw new Failure("invalid_request", {
    reason: `${senseless} is of daily rates: leave it out with interval=${interval}`,
  });
}
