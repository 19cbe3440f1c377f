/** How much an export will be, told before anything is pulled. */

import type { ExportFormat, FinishedExport, RatesPlan } from "#domain/export-plan.ts";
import { countRows, type ExportRange, planExport } from "#rates/export.ts";
import type { RatesDeps } from "#rates/query.ts";
import { json } from "./json.ts";

export interface Estimate {
  readonly rows: number;
  /** `exact` once the file is finished, else from the usual size of a row. */
  readonly bytes: { readonly count: number; readonly exact: boolean };
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
/** Header, schema and footer. */
const FRAME: Readonly<Record<ExportFormat, number>> = { csv: 80, parquet: 1_500, ndjson: 0, arrow: 2_600 };

export async function estimateExport(
  plan: RatesPlan,
  format: ExportFormat,
  finished: FinishedExport | null,
): Promise<Estimate> {
  const rows = await countRows(plan);
  if (finished !== null) return { rows, bytes: { count: finished.bytes, exact: true }, requests: 1 };
  const [fixed, each] = WIDE_ROW[format];
  const row = plan.layout === "wide" ? fixed + each * plan.symbols.length : LONG_ROW[format];
  return { rows, bytes: { count: Math.round(FRAME[format] + rows * row), exact: false }, requests: 1 };
}

/** The same of JSON pages, counted from the rows of a wide file. */
export async function estimatePages(
  deps: RatesDeps & { readonly simulated: boolean },
  request: Request,
  query: Omit<ExportRange, "layout">,
): Promise<Response> {
  const { plan } = planExport(deps, { ...query, layout: query.updatedAfter ? "long" : "wide", cursor: null });
  const rows = await countRows(plan);
  const requests = Math.max(1, Math.ceil(rows / query.limit));
  const bytes = requests * PAGE_FRAME + rows * (PAGE_ROW + PAGE_VALUE * query.symbols.length);
  const members = { format: "json", rows, bytes, bytes_exact: false, requests };
  return json(request, deps.simulated, "no-store", { result: "success", estimate: true, ...members });
}

/** Bytes of a page, of a row, and of a value in it. */
const [PAGE_FRAME, PAGE_ROW, PAGE_VALUE] = [900, 80, 18];
