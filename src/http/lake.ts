/** GET /v1/lake/…: the Parquet lake as it lies on disk, so that tools which read by ranges can open it from afar. */

import { Failure } from "#domain/errors.ts";
import type { LakeFile, LakeFiles } from "#ports.ts";
import { judgeConditions, rangeOf } from "./byte-range.ts";
import { pathOf } from "./failures.ts";
import { COMMON_HEADERS, requestId } from "./headers.ts";
import type { Params, Route } from "./route.ts";

export interface LakeDeps {
  readonly lakeFiles: LakeFiles;
  readonly simulated: boolean;
}

export function lakeRoutes(deps: LakeDeps): Route[] {
  const file = (path: string, inLake: (params: Params) => string): Route => ({
    method: "GET",
    path,
    handle: (request, params) => sendFile(deps, request, inLake(params)),
  });
  return [
    {
      method: "GET",
      path: "/v1/lake/manifest.json",
      handle: (request) => sendManifest(deps, request),
    },
    file(
      "/v1/lake/daily/:source/:year/rates.parquet",
      ({ source, year }) => `daily/${source}/${year}/rates.parquet`,
    ),
    file(
      "/v1/lake/superseded/:source/:year/revisions.parquet",
      ({ source, year }) => `superseded/${source}/${year}/revisions.parquet`,
    ),
    file("/v1/lake/held/held.parquet", () => "held/held.parquet"),
  ];
}

/** Always whole: a part of JSON is no JSON. */
async function sendManifest(deps: LakeDeps, request: Request): Promise<Response> {
  const { text, sha256 } = await deps.lakeFiles.manifest();
  const headers = headersOf(deps, request, sha256);
  if (isKnown(request, headers)) return new Response(null, { status: 304, headers });
  headers.set("Content-Type", "application/json");
  return new Response(text, { headers });
}

/** Only a path that the manifest names letter by letter leads to a file, so there is nothing to escape from. */
async function sendFile(deps: LakeDeps, request: Request, path: string): Promise<Response> {
  const file = await deps.lakeFiles.open(path);
  if (file === null) throw new Failure("not_found", { path: pathOf(request.url) });
  try {
    const headers = headersOf(deps, request, file.sha256);
    headers.set("Accept-Ranges", "bytes");
    if (isKnown(request, headers)) return new Response(null, { status: 304, headers });
    headers.set("Content-Type", "application/vnd.apache.parquet");
    return await answer(request, headers, file);
  } finally {
    await file.close();
  }
}

/**
 * The bytes, all or a part. They are read before anything is sent: one source and year is a few hundred kilobytes, and
 * only a body in memory goes out with its length and without the server cutting ranges on its own account.
 */
async function answer(request: Request, headers: Headers, file: LakeFile): Promise<Response> {
  const size = file.bytes;
  const part = rangeOf(request, headers.get("ETag") ?? "", size);
  if (part === "unsatisfiable") {
    throw new Failure("range_not_satisfiable", { size, contentRange: `bytes */${size}` });
  }
  if (request.method === "HEAD") {
    headers.set("Content-Length", String(size));
    return new Response(null, { headers });
  }
  if (part === "whole") return new Response(await file.read(0, size), { headers });
  headers.set("Content-Range", `bytes ${part.start}-${part.end - 1}/${size}`);
  return new Response(await file.read(part.start, part.end), { status: 206, headers });
}

/** True when the caller has this version already; throws when it insists on another one. */
function isKnown(request: Request, headers: Headers): boolean {
  const verdict = judgeConditions(request.headers, headers.get("ETag") ?? "");
  if (verdict === "failed") throw new Failure("precondition_failed");
  return verdict === "unmodified";
}

function headersOf({ simulated }: LakeDeps, request: Request, sha256: string): Headers {
  const headers = new Headers(COMMON_HEADERS);
  // Any commit may replace a file: kept copies are good for as long as the tag is confirmed, byte for byte.
  headers.set("Cache-Control", "public, no-cache, no-transform");
  headers.set("ETag", `"${sha256}"`);
  headers.set("Repr-Digest", `sha-256=:${Buffer.from(sha256, "hex").toString("base64")}:`);
  headers.set("Vary", "Accept");
  headers.set("X-Request-Id", requestId(request.headers));
  if (simulated) headers.set("X-Data-Mode", "simulated");
  return headers;
}
