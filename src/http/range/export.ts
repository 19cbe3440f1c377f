/** An export as an answer: streamed while it is made, sent from disk with ranges once it is finished. */

import { createHash } from "node:crypto";
import { Failure } from "#domain/faults/errors.ts";
import type { ExportFormat, FinishedExport } from "#domain/history/export-plan.ts";
import { sized } from "#http/request/count-request.ts";
import { judgeConditions, rangeOf } from "#http/response/byte-range.ts";
import { COMMON_HEADERS, requestId } from "#http/response/headers.ts";
import { json } from "#http/response/json.ts";
import type { LargeBodies } from "#http/response/large-bodies.ts";
import type { Exports } from "#ports.ts";
import { estimateExport } from "./estimate.ts";
import type { ExportOrder } from "./order.ts";

export interface ExportDeps {
  readonly exports: Exports;
  readonly simulated: boolean;
  readonly version: string;
  /** Who sends a request, for turns. */
  readonly callerOf: (request: Request) => string;
  readonly large: LargeBodies;
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
 * The file, with a telling name and a strong ETag over content and form. HEAD says how much it will be. Failures:
 * `service_unavailable` when too many exports wait, `precondition_failed`, `range_not_satisfiable`.
 */
export async function sendExport(deps: ExportDeps, request: Request, order: ExportOrder): Promise<Response> {
  const { plan, format } = order;
  const identity = createHash("sha256")
    .update(`${order.identity} ${format} ${PRINTED_FORM} ${deps.version} ${deps.simulated}`)
    .digest("hex");
  const finished = deps.exports.finished(identity);
  if (order.estimate) {
    const { rows, bytes, exact, requests } = await estimateExport(order, finished);
    const members = { format, rows, bytes, exact, requests };
    return json(request, deps, "no-store", { result: "success", estimate: true, ...members });
  }
  const headers = headersOf(deps, request, order, identity.slice(0, 40));
  const verdict = judgeConditions(request.headers, headers.get("ETag") as string);
  if (verdict === "failed") throw new Failure("precondition_failed");
  if (verdict === "unmodified") return new Response(null, { status: 304, headers });

  headers.set("Content-Type", MIME[format]);
  headers.set("Content-Disposition", `attachment; filename="${order.fileName}.${format}"`);
  if (request.method === "HEAD") {
    const { rows, bytes, requests } = await estimateExport(order, finished);
    headers.set("X-Export-Rows", String(rows));
    headers.set("X-Export-Bytes", String(bytes));
    headers.set("X-Quota-Cost", String(requests));
    if (finished === null) return new Response(lengthUnknown(), { headers });
    describe(headers, finished, finished.bytes);
    return new Response(null, { headers });
  }
  if (finished !== null) return send(deps, request, headers, finished);
  const asked = { identity, plan, format, caller: deps.callerOf(request) };
  // A part needs the whole to be there; what is asked for in one go starts at once.
  if (request.headers.has("range")) {
    return send(deps, request, headers, await deps.exports.finish(asked, request.signal));
  }
  const growing = await deps.exports.open(asked, request.signal);
  return new Response(deps.large.streamed(request, growing), { headers });
}

function headersOf({ simulated }: ExportDeps, request: Request, order: ExportOrder, tag: string): Headers {
  const headers = new Headers(COMMON_HEADERS);
  headers.set("Cache-Control", "public, max-age=60, must-revalidate, no-transform");
  headers.set("ETag", `"${tag}"`);
  headers.set("Vary", "Accept");
  headers.set("X-Request-Id", requestId(request.headers));
  if (simulated) headers.set("X-Data-Mode", "simulated");
  for (const [name, value] of Object.entries(order.headers ?? {})) headers.set(name, value);
  return headers;
}

/** The finished file, all or a part, straight from disk. */
function send(
  deps: Pick<ExportDeps, "large">,
  request: Request,
  headers: Headers,
  finished: FinishedExport,
): Response {
  const part = rangeOf(request, headers.get("ETag") as string, finished.bytes);
  if (part === "unsatisfiable") {
    const size = finished.bytes;
    throw new Failure("range_not_satisfiable", { size, contentRange: `bytes */${size}` });
  }
  const file = Bun.file(finished.path);
  if (part === "whole") {
    describe(headers, finished, null);
    // Given a file, the server would cut the range out after all: one that does not count gets a stream.
    return sized(
      new Response(request.headers.has("range") ? file.stream() : deps.large.shared(request, file), {
        headers,
      }),
      finished.bytes,
    );
  }
  describe(headers, finished, null);
  headers.set("Content-Range", `bytes ${part.start}-${part.end - 1}/${finished.bytes}`);
  return sized(
    new Response(file.slice(part.start, part.end), { status: 206, headers }),
    part.end - part.start,
  );
}

/** What only a finished file can say of itself; the length where no body says it. */
function describe(headers: Headers, finished: FinishedExport, length: number | null): void {
  headers.set("Accept-Ranges", "bytes");
  headers.set("Repr-Digest", `sha-256=:${Buffer.from(finished.sha256, "hex").toString("base64")}:`);
  if (length !== null) headers.set("Content-Length", String(length));
}

/** Stands for a body under HEAD, which sends none: an empty one would be announced as having no bytes at all. */
function lengthUnknown(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(new Uint8Array(1));
      controller.close();
    },
  });
}
