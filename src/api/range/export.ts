/** Exports as answers: streamed while they are made, sent from disk with byte ranges when they are finished. */

import { createHash } from "node:crypto";
import { MIME } from "#api/file-types.ts";
import { asOfHeader } from "#api/point-in-time.ts";
import { isHead } from "#api/request/inner-request.ts";
import type { CallerDeps } from "#api/request/metering.ts";
import { needsLength, type RangedReads } from "#api/response/conditions.ts";
import { modeOf } from "#api/response/headers.ts";
import { respondTagged, type TurnDeps } from "#api/response/json.ts";
import { type Payload, partPayload, respond, unknownLength, wholeFile } from "#api/response/respond.ts";
import { currencyCode } from "#domain/currency/currency.ts";
import type { ExportFormat, FinishedExport } from "#domain/history/rate-columns.ts";
import type { Exports } from "#ports.ts";
import type { ArchiveDeps } from "#rates/archive.ts";
import { estimateFile } from "#rates/export/estimate.ts";
import {
  type AboutDeps,
  aboutOf,
  type FileQuery,
  missingIn,
  type PlannedFile,
  planFile,
  simulatedColumns,
} from "#rates/export/export.ts";
import type { DailyDeps } from "#rates/query.ts";
import { estimateBody } from "./page.ts";

export interface ExportDeps extends TurnDeps, CallerDeps, DailyDeps, ArchiveDeps, AboutDeps {
  readonly exports: Exports;
  readonly version: string;
  readonly reads: RangedReads;
}

/** Raise this number when equal rows are printed in a new form: cached files of the old form are then no longer used. */
const PRINTED_FORM = 7;

export interface FileForm {
  readonly format: ExportFormat;
  /** Requests only the size. */
  readonly estimate: boolean;
}

/**
 * Sends the file, with a descriptive name and a strong ETag over content and form. HEAD has its size in headers. Fails
 * as planFile, and with `service_unavailable` when too many exports wait, `precondition_failed`,
 * `range_not_satisfiable`.
 */
export async function sendExport(
  deps: ExportDeps,
  request: Request,
  query: FileQuery,
  { format, estimate }: FileForm,
): Promise<Response> {
  const planned = await planFile(deps, query);
  const { plan } = planned;
  const isText = format === "csv" || format === "ndjson";
  const about = isText ? [] : aboutOf(deps, planned, format === "xlsx" ? [["asked", request.url]] : null);
  const identity = createHash("sha256")
    .update(`${planned.identity} ${format} ${PRINTED_FORM} ${deps.version} ${deps.simulated} ${about}`)
    .digest("hex");
  const finished = deps.exports.finished(identity);
  const estimated = () => deps.turns.run(request, estimateFile(planned, format, finished));
  if (estimate) return respondTagged(request, deps, "no-store", estimateBody(await estimated()));
  const etag = `"${identity.slice(0, 40)}"`;
  const fields = {
    mime: MIME[format],
    cacheControl: "public, max-age=60, must-revalidate, no-transform",
    etag,
    vary: "Accept",
    headers: headersOf(deps, planned),
  };
  // A file is passed on without its headers: its name says SIMULATED, too.
  const simulated = simulatedColumns(planned, deps.simulated);
  const mark = simulated.length > 0 ? "SIMULATED_" : "";
  const disposition = {
    "Content-Disposition": `attachment; filename="${mark}${planned.fileName}.${format}"`,
  };
  return respond(request, deps, fields, async () => {
    if (isHead(request)) {
      const { rows, bytes, requests } = await estimated();
      const headers = {
        ...disposition,
        "X-Export-Rows": String(rows),
        "X-Export-Bytes": String(bytes),
        "X-Quota-Cost": String(requests),
      };
      if (finished === null) return { ...unknownLength(), headers };
      deps.reads.partOf(request, etag, finished.bytes);
      return { body: null, bytes: finished.bytes, headers: { ...headers, ...facts(finished) } };
    }
    /** Sends the finished file or a part, straight from disk. */
    const sent = ({ path, bytes, ...file }: FinishedExport): Payload => {
      const headers = { ...disposition, ...facts(file) };
      const part = deps.reads.partOf(request, etag, bytes);
      if (part === "whole") return { body: wholeFile(request, Bun.file(path)), bytes, headers };
      return partPayload(Bun.file(path).slice(part.start, part.end), part, bytes, headers);
    };
    if (finished !== null) return sent(finished);
    const exported = { identity, plan, format, simulated, about, caller: deps.callerOf(request) };
    if (format === "xlsx") await estimated();
    // A part or a length needs the finished file, and a workbook is made as a whole; else it is sent while it is made.
    if (format === "xlsx" || request.headers.has("range") || needsLength(request))
      return sent(await deps.exports.finish(exported, request.signal));
    const growing = await deps.exports.open(exported, request.signal);
    deps.reads.note(request, etag);
    return { body: growing, bytes: Number.NaN, headers: disposition };
  });
}

function headersOf({ dataset }: DailyDeps, planned: PlannedFile) {
  const { plan, asOf, syncFrom, simulated } = planned;
  const missing = missingIn(planned).map(currencyCode).join(", ");
  return {
    ...(missing === "" ? {} : { "X-Missing-Symbols": missing }),
    ...asOfHeader(asOf),
    ...(simulated === undefined ? {} : modeOf(simulated)),
    ...(syncFrom === null ? {} : { "X-Sync-From": syncFrom }),
    // While a source was never collected, the next file of the same address may have more.
    ...(plan.kind !== "rates" || dataset()?.pending === undefined
      ? {}
      : { "Cache-Control": "no-cache, no-transform" }),
  };
}

/** Headers of a finished file only. */
function facts({ sha256 }: Pick<FinishedExport, "sha256">): Readonly<Record<string, string>> {
  return {
    "Accept-Ranges": "bytes",
    "Repr-Digest": `sha-256=:${Buffer.from(sha256, "hex").toString("base64")}:`,
  };
}
