/** The parameters of /v1/range: their descriptions, and their common reader. The command line uses the same names. */

import { Type } from "@sinclair/typebox";
import { typesOf } from "#api/file-types.ts";
import * as form from "#api/forms.ts";
import {
  base,
  baseOf,
  choice,
  dateOf,
  day,
  dp,
  integer,
  optional,
  type Query,
  required,
  requiredSymbols,
  text,
} from "#api/parameters.ts";
import { asOfParameters, updatedAfter } from "#api/point-in-time.ts";
import { parseSymbols } from "#domain/currency/currency.ts";
import { Failure } from "#domain/faults/errors.ts";
import {
  AGGREGATES,
  type Aggregate,
  BAR_SECONDS,
  type BarInterval,
  type DailyInterval,
  PERIODS,
  type PeriodInterval,
  QUOTE_SIDES,
  type QuoteSide,
} from "#domain/history/periods.ts";
import { EXPORT_FORMATS, LAYOUTS, type Order } from "#domain/history/rate-columns.ts";
import type { ArchiveWindow } from "#rates/archive.ts";
import { everyOther } from "#rates/query.ts";
import type { BarsQuery } from "#rates/range/bars.ts";
import type { DailyExport } from "#rates/range/query.ts";
import { LONGEST_PAGE } from "#rates/range/range.ts";
import type { FileForm } from "./export.ts";

const BARS = Object.keys(BAR_SECONDS) as [BarInterval, ...BarInterval[]];
const ARCHIVE_INTERVALS = [...BARS, "tick"] as const;
export type ArchiveInterval = (typeof ARCHIVE_INTERVALS)[number];

const ALL_INTERVALS = [...ARCHIVE_INTERVALS, ...PERIODS] as const;
type AnyInterval = (typeof ALL_INTERVALS)[number];

/** A page or file of daily rates, with every member set. */
export interface DailyQuery extends DailyExport {
  readonly order: Order;
  readonly interval: DailyInterval;
  readonly aggregate: Aggregate;
}

export interface QuotesQuery extends WindowQuery {
  readonly interval: ArchiveInterval;
  readonly side: QuoteSide;
  /** True for `symbols=*`: every quoted pair. */
  readonly all: boolean;
}

export type SeriesParameters =
  | { readonly kind: "daily"; readonly daily: DailyQuery }
  | { readonly kind: "archive"; readonly archive: QuotesQuery };

export const types = typesOf(EXPORT_FORMATS);

const ESTIMATES = ["0", "1"] as const;
const INTERVAL =
  "Absent for daily rates. `1w`, `1mo`, `1q` and `1y`: one row an ISO week (dated with its Monday), or calendar month, quarter or year (dated with its first day) of them; only days from `start_date` to `end_date` count. `1m`, `5m`, `15m`, `1h` and `1d`: open, high, low, close, mean and ticks from the intraday archive. `tick`, files only: its quotes as they were delivered; `symbols=*` then means every pair.";

export const PARAMETERS = {
  symbols: requiredSymbols,
  start_date: day({ isRequired: true, description: "First day, `YYYY-MM-DD`, UTC.", example: "2026-04-09" }),
  end_date: day({ isRequired: true, description: "Last day, `YYYY-MM-DD`, UTC.", example: "2026-04-13" }),
  base,
  cursor: text({
    schema: Type.String({ maxLength: 256 }),
    description: "`next_cursor` of the page before, exactly as returned; all other parameters stay the same.",
  }),
  format: choice(
    types.formats,
    "`json` for pages; `csv`, `parquet`, `ndjson`, `arrow` (IPC stream) or `xlsx` (Excel) for one file. `Accept` does the same.",
  ),
  order: choice(["asc", "desc"], "Rows by date: `asc` oldest first, `desc` newest first."),
  /** Null means daily rates. Periods are of daily rates, all other intervals of intraday quotes. */
  interval: {
    ...optional(choice(ALL_INTERVALS, INTERVAL, form.oneOf<string>(ALL_INTERVALS))),
    example: "1w",
  },
  /** Without a default in its schema: it may only be sent together with a period. */
  aggregate: choice(
    AGGREGATES,
    "With `interval=1w`, `1mo`, `1q` or `1y` only: `last` value of the period, which is what an absent one means, or the exact `mean` of its days, rounded half-even to 10 significant digits.",
    form.oneOf<string>(AGGREGATES),
  ),
  side: choice(
    QUOTE_SIDES,
    "With bars and quotes only: which price of a quote counts. A quote without a bid or ask is left out with `bid` or `ask`: nothing is computed in its stead.",
  ),
  fill: choice(["none", "previous"], "`previous` gives every calendar day, filled and flagged."),
  limit: integer({
    ...{ least: 1, most: LONGEST_PAGE, fallback: LONGEST_PAGE, example: LONGEST_PAGE, inSampleCall: false },
    description: "Rows of a JSON page.",
  }),
  layout: choice(LAYOUTS, "Files only: `long` has a row a date and symbol, `wide` a row a date."),
  dp,
  ...asOfParameters,
  updated_after: updatedAfter,
  estimate: {
    ...choice(
      ESTIMATES,
      "`1` answers with rows, bytes and cost instead. `HEAD` has them in headers.",
      form.oneOf<string>(ESTIMATES),
    ),
    example: "1",
  },
} as const;

type Name = keyof typeof PARAMETERS;

function read<N extends Exclude<Name, "symbols">>(
  query: Query,
  name: N,
): ReturnType<(typeof PARAMETERS)[N]["parse"]> {
  return PARAMETERS[name].parse(query(name), query, name) as ReturnType<(typeof PARAMETERS)[N]["parse"]>;
}

/** A parsed request; the plan must cover `window`. */
export type Wanted = { readonly window: DailyQuery | QuotesQuery } & (
  | { readonly kind: "file"; readonly series: SeriesParameters; readonly form: FileForm }
  | { readonly kind: "bars"; readonly bars: BarsQuery }
  | { readonly kind: "pages"; readonly daily: DailyQuery; readonly estimate: boolean }
);

export function readRange(query: Query): Wanted {
  const format = read(query, "format");
  const estimate = read(query, "estimate") === "1";
  const series = readSeries(query);
  const window = series.kind === "daily" ? series.daily : series.archive;
  if (format !== "json") return { kind: "file", window, series, form: { format, estimate } };
  if (series.kind === "daily") return { kind: "pages", window, daily: series.daily, estimate };
  return { kind: "bars", window, bars: barsQuery(series.archive, estimate) };
}

/** Fails with `invalid_request` for parameters of files or of daily rates. */
function barsQuery({ interval, ...window }: QuotesQuery, estimate: boolean): BarsQuery {
  const refuse = (reason: string): never => {
    throw new Failure("invalid_request", { reason });
  };
  if (interval === "tick")
    return refuse("quotes come as files: send format=csv, parquet, ndjson, arrow or xlsx");
  if (estimate) return refuse("estimate is of files and of daily rates: send a file format");
  return { ...window, interval };
}

/** Fails with `missing_parameter`, `unsupported_base`, `base_conflict`, `bad_date`, `invalid_request`. */
function readSeries(query: Query): SeriesParameters {
  const interval = read(query, "interval");
  read(query, "layout");
  if (interval === null || isPeriod(interval)) return { kind: "daily", daily: dailyQuery(query, interval) };
  const all = query("symbols") === "*";
  return {
    kind: "archive",
    archive: { ...archiveQuery(query, interval), side: read(query, "side"), interval, all },
  };
}

function isPeriod(interval: AnyInterval): interval is PeriodInterval {
  return (PERIODS as readonly string[]).includes(interval);
}

export interface WindowQuery extends ArchiveWindow {
  readonly order: Order;
  readonly limit: number;
  readonly cursor: string | null;
}

function windowQuery(query: Query): WindowQuery {
  const base = baseOf(query);
  const symbols = parseSymbols(required(query, "symbols")) ?? everyOther(base);
  const start = required(query, "start_date");
  const end = required(query, "end_date");
  return {
    base,
    symbols,
    start: dateOf(start),
    end: dateOf(end),
    order: read(query, "order"),
    limit: read(query, "limit"),
    cursor: read(query, "cursor"),
  };
}

function dailyQuery(query: Query, period: PeriodInterval | null): DailyQuery {
  const window = windowQuery(query);
  if (read(query, "side") !== "mid") {
    throw new Failure("invalid_request", {
      reason: "side applies to bars and quotes only: daily rates have one price",
    });
  }
  if (period === null && query("aggregate") !== undefined) {
    throw new Failure("invalid_request", {
      reason: `aggregate needs interval=${PERIODS.join(", ")}`,
    });
  }
  return {
    ...window,
    fill: read(query, "fill"),
    interval: period ?? "1d",
    aggregate: read(query, "aggregate"),
    asOf: read(query, "as_of"),
    updatedAfter: read(query, "updated_after"),
    layout: read(query, "layout"),
    dp: read(query, "dp"),
  };
}

const DAILY_ONLY = ["fill", "layout", "dp", "aggregate", "as_of", "as_of_basis", "updated_after"] as const;

/** Fails with `invalid_request` for parameters of daily rates. */
function archiveQuery(query: Query, interval: ArchiveInterval): WindowQuery {
  const window = windowQuery(query);
  const misplaced = DAILY_ONLY.find((name) => query(name) !== undefined);
  if (misplaced === undefined) return window;
  throw new Failure("invalid_request", {
    reason: `${misplaced} applies to daily rates only: leave it out with interval=${interval}`,
  });
}
