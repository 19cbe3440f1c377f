/** A whole range as one file: CSV streamed a year at a time, Parquet printed by the store from the same rows. */

import { currencyCode } from "#domain/currency.ts";
import { dayAt, formatDay } from "#domain/day.ts";
import { Failure } from "#domain/errors.ts";
import { type ExportLayout, exportHeader, exportRows } from "#rates/export.ts";
import type { RangeDeps, RangeQuery } from "#rates/range.ts";
import { COMMON_HEADERS, requestId } from "./headers.ts";

export interface ExportDeps {
  /** Prints CSV text (with its header line) as one Parquet file. */
  readonly printParquet: (csv: string, layout: ExportLayout) => Promise<Uint8Array<ArrayBuffer>>;
  readonly simulated: boolean;
}

export interface ExportQuery extends RangeQuery {
  readonly format: "csv" | "parquet";
  readonly layout: ExportLayout;
  readonly dp: number | null;
}

/** The file, with a telling name and a strong ETag over dataset version and query. Failures as for the JSON pages; a cursor has no place here. */
export async function exportRange(
  deps: RangeDeps & ExportDeps,
  request: Request,
  query: ExportQuery,
): Promise<Response> {
  if (query.cursor !== null) {
    throw new Failure("invalid_request", {
      reason: "a file holds the whole window; send no cursor with format=csv or parquet",
    });
  }
  const chunks = exportRows(deps, query);
  const version = deps.dataset()?.history.version ?? "";
  const identity = `${version} ${new URL(request.url).search} ${query.format} ${dayAt(deps.clock.now())}`;
  const headers = new Headers(COMMON_HEADERS);
  headers.set(
    "Content-Type",
    query.format === "csv" ? "text/csv; charset=utf-8" : "application/vnd.apache.parquet",
  );
  headers.set("Content-Disposition", `attachment; filename="${fileName(query)}"`);
  headers.set("Cache-Control", "public, max-age=60, must-revalidate");
  headers.set("ETag", `"${Bun.hash(identity).toString(36)}"`);
  headers.set("Vary", "Accept");
  headers.set("X-Request-Id", requestId(request.headers));
  if (deps.simulated) headers.set("X-Data-Mode", "simulated");
  if (request.headers.get("if-none-match") === headers.get("ETag"))
    return new Response(null, { status: 304, headers });
  if (request.method === "HEAD") return new Response(null, { headers });
  if (query.format === "csv") return new Response(stream(exportHeader(query), chunks), { headers });
  let csv = exportHeader(query);
  for (const chunk of chunks) {
    csv += chunk;
    await othersFirst();
  }
  return new Response(await deps.printParquet(csv, query.layout), { headers });
}

function fileName(query: ExportQuery): string {
  const symbols =
    query.symbols.length > 3 ? `${query.symbols.length}-symbols` : query.symbols.map(currencyCode).join("-");
  return `crossrate_${currencyCode(query.base)}_${symbols}_${formatDay(query.start)}_${formatDay(query.end)}.${query.format}`;
}

/** Lets requests that wait meanwhile be answered: a chunk takes about a millisecond, a whole export most of a second. */
function othersFirst(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Pulled chunk by chunk, so that a slow reader holds no more than one chunk in memory. */
function stream(header: string, chunks: Generator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(header)),
    pull: async (controller) => {
      await othersFirst();
      const { done, value } = chunks.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
}
