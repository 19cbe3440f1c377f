/** Estimates the size of an export before any of it is made. */

import { Failure } from "#domain/faults/errors.ts";
import type { ExportFormat, ExportPlan, FinishedExport } from "#domain/history/rate-columns.ts";
import type { DailyDeps } from "#rates/query.ts";
import type { DailyExport } from "#rates/range/query.ts";
import { planDailyExport } from "./daily.ts";
import { countRows } from "./rows.ts";

export interface Estimate {
  readonly format: ExportFormat | "json";
  readonly rows: number;
  readonly bytes: number;
  /**
   * True for a finished file of daily rates. Otherwise bytes are estimated from the usual size of a row. Rows of daily rates are
   * always exact; rows and bytes of the archive are upper bounds.
   */
  readonly exact: boolean;
  /** Calls charged against a quota: one for a file, one for each JSON page. */
  readonly requests: number;
}

interface Sizes {
  /** Header, schema and footer. */
  readonly frame: number;
  readonly long: number;
  /** Bytes of a wide row without its values, and of each value. */
  readonly wide: readonly [number, number];
  readonly archive: number;
}

/** Bytes of a file and of its rows, measured over the whole history of all currencies on USD. */
const SIZES: Readonly<Record<ExportFormat, Sizes>> = {
  csv: { frame: 80, long: 57, wide: [31, 10], archive: 88 },
  parquet: { frame: 2_300, long: 8, wide: [2, 5.2], archive: 17 },
  ndjson: { frame: 0, long: 157, wide: [85, 18], archive: 190 },
  arrow: { frame: 3_500, long: 23.3, wide: [9, 8.2], archive: 44 },
  xlsx: { frame: 6_000, long: 31, wide: [15, 10], archive: 45 },
};

/** A workbook is in memory while it is made: this many long rows take some 80 MB. */
const MOST_WORKBOOK_ROWS = 25_000;

/** Yields every few milliseconds for other work. Failure `invalid_request` for a workbook of too many rows. */
export function* estimateFile(
  { plan, quotes = 0 }: { readonly plan: ExportPlan; readonly quotes?: number },
  format: ExportFormat,
  finished: FinishedExport | null,
): Generator<undefined, Estimate> {
  const rows = plan.kind === "rates" ? yield* countRows(plan) : quotes;
  if (format === "xlsx" && rows > MOST_WORKBOOK_ROWS) {
    const most = plan.kind === "rates" ? "" : "up to ";
    throw new Failure("invalid_request", {
      reason: `a workbook (xlsx) has at most ${MOST_WORKBOOK_ROWS} rows, and this one would have ${most}${rows}: send format=csv or parquet, layout=wide, or a shorter window`,
    });
  }
  const bytes = finished?.bytes ?? Math.round(SIZES[format].frame + rows * rowBytes(plan, SIZES[format]));
  return { format, rows, bytes, exact: finished !== null && plan.kind === "rates", requests: 1 };
}

function rowBytes(plan: ExportPlan, { archive, long, wide: [fixed, each] }: Sizes): number {
  if (plan.kind !== "rates") return archive;
  return plan.layout === "wide" ? fixed + each * plan.symbols.length : long;
}

/** Bytes of a JSON page, of a row, and of a value in it. */
const [PAGE_FRAME, PAGE_ROW, PAGE_VALUE] = [900, 80, 18];

/** Estimates the JSON pages of a query from the rows of an export. Fails as planDailyExport. */
export function* estimatePages(
  deps: DailyDeps,
  query: Omit<DailyExport, "layout">,
): Generator<undefined, Estimate> {
  const layout = query.updatedAfter ? "long" : "wide";
  const { plan } = planDailyExport(deps, { ...query, layout, cursor: null });
  const rows = yield* countRows(plan);
  const requests = Math.max(1, Math.ceil(rows / query.limit));
  const bytes = requests * PAGE_FRAME + rows * (PAGE_ROW + PAGE_VALUE * query.symbols.length);
  return { format: "json", rows, bytes, exact: false, requests };
}
