/** GET /openapi.json, that of the dashboard, and /docs with its assets: served from this server alone, read at the first request. */

import { join } from "node:path";
import { DASHBOARD_API } from "#contract/account/dashboard.ts";
import { Failure } from "#domain/faults/errors.ts";
import { dashboardDocument } from "#http/openapi/dashboard.ts";
import { openApiDocument } from "#http/openapi/document.ts";
import type { Route } from "#http/request/route.ts";
import { pathOf } from "#http/response/failures.ts";
import { respondEmpty } from "#http/response/respond.ts";
import { createStaticBody, type StaticDeps } from "#http/response/static-body.ts";

export interface DocsDeps extends StaticDeps {
  /** Version of the product. */
  readonly version: string;
  /** Pairs that a batch may hold. */
  readonly batchLimit: number;
}

/** Nothing is loaded from, sent to or framed by another place; the reference sets styles from its script. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const BANNER =
  '<p class="simulated">SIMULATED DATA: this is the demo; every rate it answers with is made up.</p>';

const SCRIPT = "text/javascript; charset=utf-8";
const ASSETS: Readonly<Record<string, { readonly file: string; readonly mime: string }>> = {
  "scalar-1.72.1.js": { file: "vendor/scalar-1.72.1.js", mime: SCRIPT },
  "start.js": { file: "docs/start.js", mime: SCRIPT },
  "page.css": { file: "docs/page.css", mime: "text/css; charset=utf-8" },
  "icon.svg": { file: "docs/icon.svg", mime: "image/svg+xml" },
};

/** Answers revalidate; the one big file has its version in its name and never does. */
const REVALIDATED = "public, max-age=300, must-revalidate";
const IMMUTABLE = "public, max-age=31536000, immutable";

/** A person who opens the bare address is led to the documentation. */
const TO_DOCS = { status: 302, cacheControl: REVALIDATED, headers: { Location: "/docs" } };

export function docsRoutes(deps: DocsDeps): Route[] {
  const { version, simulated, batchLimit } = deps;
  const document = createStaticBody(
    {
      mime: "application/json",
      cacheControl: REVALIDATED,
      // Relative, so that it is right behind any proxy; and one body for every Host.
      load: async () => encode(JSON.stringify(openApiDocument({ version, serverUrl: "/", batchLimit }))),
    },
    deps,
  );
  const dashboard = createStaticBody(
    {
      mime: "application/json",
      cacheControl: REVALIDATED,
      load: async () => encode(JSON.stringify(dashboardDocument({ version, serverUrl: "/" }))),
    },
    deps,
  );
  const page = createStaticBody(
    {
      mime: "text/html; charset=utf-8",
      cacheControl: REVALIDATED,
      headers: { "Content-Security-Policy": CONTENT_SECURITY_POLICY, "Referrer-Policy": "no-referrer" },
      load: async () =>
        encode((await fileText("docs/page.html")).replace("<!-- banner -->", simulated ? BANNER : "")),
    },
    deps,
  );
  const assets = new Map(
    Object.entries(ASSETS).map(([name, { file, mime }]) => [
      name,
      createStaticBody(
        {
          mime,
          cacheControl: file.startsWith("vendor/") ? IMMUTABLE : REVALIDATED,
          load: () => fileBytes(file),
        },
        deps,
      ),
    ]),
  );
  return [
    { method: "GET", path: "/", handle: (request) => respondEmpty(request, deps, TO_DOCS) },
    { method: "GET", path: "/openapi.json", handle: document },
    { method: "GET", path: `${DASHBOARD_API}/openapi.json`, handle: dashboard },
    { method: "GET", path: "/docs", handle: page },
    {
      method: "GET",
      path: "/docs/assets/:file",
      handle: (request, { file }) => {
        const asset = assets.get(file ?? "");
        if (asset === undefined) throw new Failure("not_found", { path: pathOf(request.url) });
        return asset(request);
      },
    },
  ];
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function fileText(file: string): Promise<string> {
  return Bun.file(join(import.meta.dir, file)).text();
}

async function fileBytes(file: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await Bun.file(join(import.meta.dir, file)).arrayBuffer());
}
