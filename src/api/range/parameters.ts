/** The parameters of /v1/range: their descriptions, and their common reader. The command line uses the same names. */

import { Type } from "@sinclair/typebox";
import { typesOf } from "#api/file-types.ts";
import * as form from "#api/forms.ts";
import {
  base,
  choice,
  dp,
  integer,
  optional,
  type Query,
  readerOf,
  requiredDay,
  requiredSymbols,
  text,
} from "#api/parameters.ts";
import { asOfParameters, updatedAfter } from "#api/point-in-time.ts";
import { Failure } from "#domain/faults/errors.ts";
import {
  AGGREGATES,
  BAR_SECONDS,
  type BarInterval,
  PERIODS,
  type PeriodInterval,
  QUOTE_SIDES,
} from "#domain/history/periods.ts";
import { EXPORT_FORMATS, LAYOUTS } from "#domain/history/rate-columns.ts";
import type { ArchiveExport } from "#rates/export/archive.ts";
import type { FileQuery } from "#rates/export/export.ts";
import { everyOther } from "#rates/query.ts";
import type { BarsQuery } from "#rates/range/bars.ts";
import type { DailyExport } from "#rates/range/query.ts";
import { LONGEST_PAGE } from "#rates/range/range.ts";
import type { FileForm } from "./export.ts";

const BARS = Object.keys(BAR_SECONDS) as [BarInterval, ...BarInterval[]];
const ALL_INTERVALS = [...BARS, "tick", ...PERIODS] as const;
type AnyInterval = (typeof ALL_INTERVALS)[number];

export const types = typesOf(EXPORT_FORMATS);

const ESTIMATES = ["0", "1"] as const;
const INTERVAL =
  "Absent for daily rates. `1w`, `1mo`, `1q` and `1y`: one row an ISO week (dated with its Monday), or calendar month, quarter or year (dated with its first day) of them; only days from `start_date` to `end_date` count. `1m`, `5m`, `15m`, `1h` and `1d`: open, high, low, close, mean and ticks from the intraday archive. `tick`, files only: its quotes as they were delivered; `symbols=*` then means every pair.";

export const PARAMETERS = {
  symbols: requiredSymbols,
  start_date: requiredDay({ description: "First day, `YYYY-MM-DD`, UTC.", example: "2026-04-09" }),
  end_date: requiredDay({ description: "Last day, `YYYY-MM-DD`, UTC.", example: "2026-04-13" }),
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

const read = readerOf(PARAMETERS);

/** A parsed request; the plan must cover the window of `asked`. */
export type RangeQuery =
  | { readonly kind: "pages"; readonly asked: DailyExport; readonly estimate: boolean }
  | { readonly kind: "bars"; readonly asked: BarsQuery }
  | {
      readonly kind: "file";
      readonly asked: DailyExport | ArchiveExport;
      readonly file: FileQuery;
      readonly form: FileForm;
    };

/** Fails as each parameter, and with `invalid_request` for parameters that do not belong together. */
export function readRange(query: Query): RangeQuery {
  const { symbols, start_date: start, end_date: end, format, interval, side, ...sent } = read(query);
  const { base, order, limit, cursor, fill, aggregate, layout, dp, as_of: asOf } = sent;
  const estimate = sent.estimate === "1";
  const isAll = symbols === null;
  const window = { base, symbols: symbols ?? everyOther(base), start, end, order, limit, cursor };
  if (interval === null || isPeriod(interval)) {
    if (side !== "mid") throw invalid("side applies to bars and quotes only: daily rates have one price");
    if (interval === null && query("aggregate") !== undefined)
      throw invalid(`aggregate needs interval=${PERIODS.join(", ")}`);
    const about = { fill, aggregate, layout, dp, asOf, updatedAfter: sent.updated_after };
    const daily = { ...window, ...about, interval: interval ?? "1d" } as const;
    if (format === "json") return { kind: "pages", asked: daily, estimate };
    return { kind: "file", asked: daily, file: { kind: "daily", daily }, form: { format, estimate } };
  }
  const misplaced = DAILY_ONLY.find((name) => query(name) !== undefined);
  if (misplaced !== undefined)
    throw invalid(`${misplaced} applies to daily rates only: leave it out with interval=${interval}`);
  if (format !== "json") {
    const archive = { ...window, side, interval, all: isAll };
    return { kind: "file", asked: archive, file: { kind: "archive", archive }, form: { format, estimate } };
  }
  if (interval === "tick")
    throw invalid("quotes come as files: send format=csv, parquet, ndjson, arrow or xlsx");
  if (estimate) throw invalid("estimate is of files and of daily rates: send a file format");
  return { kind: "bars", asked: { ...window, side, interval } };
}

const DAILY_ONLY = ["fill", "layout", "dp", "aggregate", "as_of", "as_of_basis", "updated_after"] as const;

function isPeriod(interval: AnyInterval): interval is PeriodInterval {
  return (PERIODS as readonly string[]).includes(interval);
}

function invalid(reason: string): Failure {
  return new Failure("invalid_request", { reason });
}
