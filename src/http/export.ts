/** A whole range as one file: streamed while it is made, sent from disk with ranges once it is finished. */

import { createHash } from "node:crypto";
import { currencyCode } from "#domain/currency.ts";
import { formatDay, formatInstant } from "#domain/day.ts";
import { Failure } from "#domain/errors.ts";
import type { ExportFormat, FinishedExport } from "#domain/export-plan.ts";
import type { Exports } from "#ports.ts";
import { type ExportRange, type PlannedExport, planExport } from "#rates/export.ts";
import type { RangeDeps } from "#rates/range.ts";
import { judgeConditions, rangeOf } from "./byte-range.ts";
import { estimateExport } from "./export-estimate.ts";
import { COMMON_HEADERS, requestId } from "./headers.ts";
import { json } from "./json.ts";

export interface ExportDeps {
  readonly exports: Exports;
  readonly simulated: boolean;
  readonly version: string;
  /** Who sends a request, for turns. */
  readonly callerOf: (request: Request) => string;
}

export interface ExportQuery extends ExportRange {
  readonly format: ExportFormat;
  /** Tell how much it would be instead. */
  readonly estimate: boolean;
}

export const MIME: Readonly<Record<ExportFormat, string>> = {
  csv: "text/csv; charset=utf-8",
  parquet: "application/vnd.apache.parquet",
  ndjson: "application/x-ndjson",
  arrow: "application/vnd.apache.arrow.stream",
};

/** Raised when the same rows are printed differently, so that no kept copy is taken for the new form. */
const PRINTED_FORM = 1;

/**
 * The file, with a telling name and a strong ETag over content and form. HEAD says how much it will be. Failures as for
 * the JSON pages, and `service_unavailable` when too many exports wait, `precondition_failed`,
 * `range_not_satisfiable`.
 */
export async function exportRange(
  deps: RangeDeps & ExportDeps,
  request: Request,
  query: ExportQuery,
): Promise<Response> {
  const planned = planExport(deps, query);
  const identity = createHash("sha256")
    .update(`${planned.identity} ${query.format} ${PRINTED_FORM} ${deps.version} ${deps.simulated}`)
    .digest("hex");
  const headers = headersOf(deps, request, query, planned, identity.slice(0, 40));
  const verdict = query.estimate ? "met" : judgeConditions(request.headers, headers.get("ETag") as string);
  if (verdict === "failed") throw new Failure("precondition_failed");
  if (verdict === "unmodified") return new Response(null, { status: 304, headers });

  headers.set("Content-Type", MIME[query.format]);
  headers.set("Content-Disposition", `attachment; filename="${fileName(query)}"`);
  const order = { identity, plan: planned.plan, format: query.format, caller: deps.callerOf(request) };
  const finished = deps.exports.finished(identity);
  if (query.estimate) {
    const { rows, bytes, requests } = await estimateExport(planned.plan, query.format, finished);
    const members = { format: query.format, rows, bytes: bytes.count, bytes_exact: bytes.exact, requests };
    return json(request, deps.simulated, "no-store", { result: "success", estimate: true, ...members });
  }
  if (request.method === "HEAD") {
    const { rows, bytes, requests } = await estimateExport(planned.plan, query.format, finished);
    headers.set("X-Export-Rows", String(rows));
    headers.set("X-Export-Bytes", String(bytes.count));
    headers.set("X-Quota-Cost", String(requests));
    if (finished !== null) describe(headers, finished, finished.bytes);
    return new Response(null, { headers });
  }
  if (finished !== null) return send(request, headers, finished);
  // A part needs the whole to be there; what is asked for in one go starts at once.
  if (request.headers.has("range")) {
    return send(request, headers, await deps.exports.finish(order, request.signal));
  }
  return new Response(await deps.exports.open(order, request.signal), { headers });
}

function headersOf(
  { simulated }: ExportDeps,
  request: Request,
  { asOf }: ExportQuery,
  { syncFrom }: PlannedExport,
  tag: string,
): Headers {
  const headers = new Headers(COMMON_HEADERS);
  headers.set("Cache-Control", "public, max-age=60, must-revalidate, no-transform");
  headers.set("ETag", `"${tag}"`);
  headers.set("Vary", "Accept");
  headers.set("X-Request-Id", requestId(request.headers));
  if (simulated) headers.set("X-Data-Mode", "simulated");
  if (asOf) headers.set("X-As-Of", `${formatInstant(asOf.instant)}; basis=${asOf.basis}`);
  if (syncFrom !== null) headers.set("X-Sync-From", formatInstant(syncFrom));
  return headers;
}

/** The finished file, all or a part, straight from disk. */
function send(request: Request, headers: Headers, finished: FinishedExport): Response {
  const part = rangeOf(request, headers.get("ETag") as string, finished.bytes);
  if (part === "unsatisfiable") {
    const size = finished.bytes;
    throw new Failure("range_not_satisfiable", { size, contentRange: `bytes */${size}` });
  }
  const file = Bun.file(finished.path);
  if (part === "whole") {
    describe(headers, finished, null);
    // Given a file, the server would cut the range out after all: one that does not count gets a stream.
    return new Response(request.headers.has("range") ? file.stream() : file, { headers });
  }
  describe(headers, finished, null);
  headers.set("Content-Range", `bytes ${part.start}-${part.end - 1}/${finished.bytes}`);
  return new Response(file.slice(part.start, part.end), { status: 206, headers });
}

/** What only a finished file can say of itself; the length where no body says it. */
function describe(headers: Headers, finished: FinishedExport, length: number | null): void {
  headers.set("Accept-Ranges", "bytes");
  headers.set("Repr-Digest", `sha-256=:${Buffer.from(finished.sha256, "hex").toString("base64")}:`);
  if (length !== null) headers.set("Content-Length", String(length));
}

function fileName(query: ExportQuery): string {
  const symbols =
    query.symbols.length > 3 ? `${query.symbols.length}-symbols` : query.symbols.map(currencyCode).join("-");
  const parts = [
    "crossrate",
    currencyCode(query.base),
    symbols,
    formatDay(query.start),
    formatDay(query.end),
    ...(query.interval === undefined || query.interval === "1d" ? [] : [query.interval]),
    ...(query.updatedAfter ? ["changes"] : []),
  ];
  return `${parts.join("_")}.${query.format}`;
}
