/** GET /v1/lake/…: the Parquet files of the lake, with byte ranges, so that tools can query them remotely. */

import { join } from "node:path";
import { isHead } from "#api/request/inner-request.ts";
import { type Meter, ONE_CALL } from "#api/request/metering.ts";
import type { Params, Route } from "#api/request/route.ts";
import type { Part } from "#api/response/conditions.ts";
import { pathOf } from "#api/response/failures.ts";
import type { LargeBodies } from "#api/response/large-bodies.ts";
import type { RangedReads } from "#api/response/ranged-reads.ts";
import { partPayload, respond } from "#api/response/respond.ts";
import { createStaticBody, type StaticDeps } from "#api/response/static-body.ts";
import { Failure } from "#domain/faults/errors.ts";
import { COVERAGE_START, type Day, type Instant, MILLISECONDS_PER_DAY, parseDay } from "#domain/time/day.ts";
import type { Clock, LakeFile, LakeFiles, ManifestName } from "#ports.ts";
import { publishedUntil } from "#rates/archive.ts";

export interface LakeDeps extends StaticDeps {
  readonly lakeFiles: LakeFiles;
  readonly clock: Clock;
  readonly meter: Meter;
  readonly large: LargeBodies;
  readonly reads: RangedReads;
}

export function lakeRoutes(deps: LakeDeps): Route[] {
  const route = (path: string, handle: Route["handle"]): Route => ({
    method: "GET",
    path,
    handle,
    isMetered: true,
  });
  const file = (path: string, inLake: (params: Params) => string): Route =>
    route(path, (request, params) => {
      const name = inLake(params);
      const ask = isOfficial(name) ? ONE_CALL : { cost: 1, earliest: firstDayIn(name) };
      return deps.meter.run(request, ask, ({ delayMinutes }) => {
        refuseTooNew(name, publishedUntil(deps.clock.now(), delayMinutes));
        return sendFile(deps, request, name);
      });
    });
  const manifest = (of: ManifestName) => (request: Request) =>
    deps.meter.run(request, ONE_CALL, () => sendManifest(deps, request, of));
  const under = (folder: string, params: readonly string[], name: string): Route =>
    file(
      `/v1/lake/${[folder, ...params.map((param) => `:${param}`), name].join("/")}`,
      (found) =>
        `${[folder, ...params.map((param) => found[param]), name.replace(":file", found["file"] ?? "")].join("/")}`,
    );
  return [
    route("/v1/lake/manifest.json", manifest("daily")),
    route("/v1/lake/intraday/manifest.json", manifest("intraday")),
    route("/v1/lake/official/manifest.json", manifest("official")),
    { method: "GET", path: "/v1/lake/views.sql", handle: createStaticBody(VIEWS, deps) },
    under("daily", ["source", "year"], ":file"),
    under("revisions", ["source", "year"], ":file"),
    under("held", [], ":file"),
    under("intraday", ["partition"], ":file"),
    under("official", ["partition"], ":file"),
    under("current/daily", ["source", "year"], "rates.parquet"),
    under("current/revisions", ["source", "year"], "revisions.parquet"),
    under("current/held", [], "held.parquet"),
    under("current/intraday", ["partition"], "quotes.parquet"),
    under("current/official", ["partition"], "publications.parquet"),
  ];
}

/** As for /v1/official: the history of plans is that of rates, and publications have no limit of age. */
function isOfficial(name: string): boolean {
  return /^(?:current\/)?official\//.test(name);
}

/** What a file's name says of its oldest day: a year or a date; a file of all times shows them all. */
function firstDayIn(name: string): Day {
  const date = /date=(\d{4}-\d{2}-\d{2})/.exec(name)?.[1];
  const year = /year=(\d{4})/.exec(name)?.[1];
  const first = parseDay(date ?? (year === undefined ? "" : `${year}-01-01`)) ?? COVERAGE_START;
  // Coverage begins within its year, and no plan reaches back further.
  return Math.max(first, COVERAGE_START) as Day;
}

/** Failure `forbidden` for a day of quotes that is not over yet for those whose live rates are late: files are whole. */
function refuseTooNew(name: string, until: Instant | null): void {
  const day = parseDay(/^(?:current\/)?intraday\/date=([\d-]{10})\//.exec(name)?.[1] ?? "");
  if (until === null || day === null || (day + 1) * MILLISECONDS_PER_DAY <= until) return;
  throw new Failure("forbidden", {
    reason:
      "this file has quotes that are newer than your plan shows: request it after the end of its day, or request bars with interval",
  });
}

const VIEWS = {
  mime: "application/sql",
  cacheControl: "public, max-age=300, must-revalidate",
  load: async () => new Uint8Array(await Bun.file(join(import.meta.dir, "views.sql")).arrayBuffer()),
};

/** Always whole: a part of JSON is no JSON. */
async function sendManifest(deps: LakeDeps, request: Request, of: ManifestName): Promise<Response> {
  const { text, sha256 } = await deps.lakeFiles.manifest(of);
  const fields = { ...fieldsOf(sha256), mime: "application/json", cacheControl: REVALIDATED };
  return respond(request, deps, fields, () => ({ body: text, bytes: Buffer.byteLength(text) }));
}

/** Only a path that a manifest names character by character leads to a file, so there is nothing to escape from. */
async function sendFile(deps: LakeDeps, request: Request, path: string): Promise<Response> {
  const file = await deps.lakeFiles.open(path);
  if (file === null) throw new Failure("not_found", { path: pathOf(request.url) });
  const { etag, headers, ...fields } = fieldsOf(file.sha256);
  const about = {
    ...fields,
    etag,
    headers: { ...headers, "Accept-Ranges": "bytes" },
    mime: "application/vnd.apache.parquet",
    cacheControl: path.startsWith("current/") ? REVALIDATED : IMMUTABLE,
  };
  return await respond(request, deps, about, async () => {
    const size = file.bytes;
    const part = deps.reads.partOf(request, etag, size);
    if (isHead(request)) return { body: null, bytes: size };
    const sent = await bodyOf(deps, request, file, part === "whole" ? { start: 0, end: size } : part);
    return part === "whole" ? { body: sent, bytes: size } : partPayload(sent, part, size, {});
  });
}

/** What is larger is sent from the file, in bounded memory however slow the reader is. */
const IN_MEMORY_BYTES = 256 * 1024;

async function bodyOf({ large }: LakeDeps, request: Request, file: LakeFile, part: Part): Promise<BodyInit> {
  const { start, end } = part;
  if (end - start > IN_MEMORY_BYTES) return large.file(request, file.path, part);
  return large.own(request, await Bun.file(file.path).slice(start, end).bytes());
}

/** Any commit may replace a file: cached copies are good for as long as the tag is confirmed, byte for byte. */
const REVALIDATED = "public, no-cache, no-transform";
/** A data file never changes under its own name; what a fixed name leads to does. */
const IMMUTABLE = "private, max-age=86400, immutable, no-transform";

function fieldsOf(sha256: string) {
  const digest = Buffer.from(sha256, "hex").toString("base64");
  return {
    etag: `"${sha256}"`,
    vary: "Accept",
    headers: { "Repr-Digest": `sha-256=:${digest}:` },
  };
}
