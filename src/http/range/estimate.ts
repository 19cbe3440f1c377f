/** How much an export will be, told before anything is pulled. */

import type { ExportFormat, ExportPlan, FinishedExport } from "#domain/history/export-plan.ts";
import { json } from "#http/response/json.ts";
import type { LargeBodies } from "#http/response/large-bodies.ts";
import { countRows, type ExportRange, planExport } from "#rates/export.ts";
import type { DailyDeps } from "#rates/query.ts";
import type { ExportOrder } from "./order.ts";

export interface Estimate {
  readonly rows: number;
  readonly bytes: number;
  /**
   * True once the file is finished. Before that the rows of daily rates are exact, too, and bytes are from the usual size
   * of a row; of the archive both are upper bounds.
   */
  readonly exact: boolean;
  /** Calls that it counts as against a quota: one file is one call, however long. */
  readonly requests: number;
}

/** Bytes of a long row, measured over the whole history of all currencies on USD. */
const LONG_ROW: Readonly<Record<ExportFormat, number>> = { csv: 57, parquet: 8, ndjson: 157, arrow: 23.3 };
/** Bytes of a wide row apart from its values, and of a value. */
const WIDE_ROW: Readonly<Record<ExportFormat, readonly [number, number]>> = {
  csv: [31, 10],
  parquet: [2, 5.2],
  ndjson: [85, 18],
  arrow: [9, 8.2],
};
/** Bytes of a quote or bar. */
const ARCHIVE_ROW: Readonly<Record<ExportFormat, number>> = { csv: 88, parquet: 17, ndjson: 190, arrow: 44 };
/** Header, schema and footer. */
const FRAME: Readonly<Record<ExportFormat, number>> = { csv: 80, parquet: 1_500, ndjson: 0, arrow: 2_600 };

export async function estimateExport(
  { plan, format, quotes = 0 }: Pick<ExportOrder, "plan" | "format" | "quotes">,
  finished: FinishedExport | null,
): Promise<Estimate> {
  const rows = plan.kind === "rates" ? await countRows(plan) : quotes;
  if (finished !== null) return { rows, bytes: finished.bytes, exact: plan.kind === "rates", requests: 1 };
  return {
    rows,
    bytes: Math.round(FRAME[format] + rows * rowBytes(plan, format)),
    exact: false,
    requests: 1,
  };
}

function rowBytes(plan: ExportPlan, format: ExportFormat): number {
  if (plan.kind !== "rates") return ARCHIVE_ROW[format];
  const [fixed, each] = WIDE_ROW[format];
  return plan.layout === "wide" ? fixed + each * plan.symbols.length : LONG_ROW[format];
}

/** The same of JSON pages, counted from the rows of a wide file. */
export async function estimatePages(
  deps: DailyDeps & { readonly simulated: boolean; readonly large: LargeBodies },
  request: Request,
  query: Omit<ExportRange, "layout">,
): Promise<Response> {
  const { plan } = planExport(deps, { ...query, layout: query.updatedAfter ? "long" : "wide", cursor: null });
  const rows = await countRows(plan);
  const requests = Math.max(1, Math.ceil(rows / query.limit));
  const bytes = requests * PAGE_FRAME + rows * (PAGE_ROW + PAGE_VALUE * query.symbols.length);
  const members = { format: "json", rows, bytes, exact: false, requests };
  return json(request, deps, "no-store", { result: "success", estimate: true, ...members });
}

/** Bytes of a page, of a row, and of a value in it. */
const [PAGE_FRAME, PAGE_ROW, PAGE_VALUE] = [900, 80, 18];
