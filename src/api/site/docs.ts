/** GET /openapi.json, the dashboard's document, and the files of the API reference. They are read at the first request. */

import { join } from "node:path";
import type { AnyElysia } from "elysia";
import { dashboardDocument } from "#api/openapi/dashboard.ts";
import { openApiDocument } from "#api/openapi/document.ts";
import { DASHBOARD_API } from "#api/openapi/operations.ts";
import type { Route } from "#api/request/route.ts";
import {
  createStaticBody,
  madeOnce,
  type StaticBody,
  type StaticDeps,
  staticFiles,
} from "#api/response/static-body.ts";

export interface DocsDeps extends StaticDeps {
  /** Version of the product. */
  readonly version: string;
  /** All routes, when they are registered. */
  readonly table: () => AnyElysia["routes"];
  /** Pairs that a batch may hold. */
  readonly batchLimit: number;
}

/** Answers revalidate; the one big file has its version in its name and never does. */
const REVALIDATED = "public, max-age=300, must-revalidate";
const IMMUTABLE = "public, max-age=31536000, immutable";

const SCRIPT = "text/javascript; charset=utf-8";
const ASSETS: Readonly<Record<string, StaticBody>> = {
  "scalar-1.72.1.js": { mime: SCRIPT, cacheControl: IMMUTABLE, path: pathOf("vendor/scalar-1.72.1.js") },
  "start.js": asset("docs/start.js", SCRIPT),
  "icon.svg": asset("docs/icon.svg", "image/svg+xml"),
};

function asset(file: string, mime: string): StaticBody {
  return { mime, cacheControl: REVALIDATED, load: () => Bun.file(pathOf(file)).bytes() };
}

function pathOf(file: string): string {
  return join(import.meta.dir, file);
}

export function docsRoutes(deps: DocsDeps): Route[] {
  const { version, batchLimit } = deps;
  const json = (make: () => object) =>
    createStaticBody(
      {
        mime: "application/json",
        cacheControl: REVALIDATED,
        load: madeOnce(async () => encode(JSON.stringify(make()))),
      },
      deps,
    );
  // Relative, so that it is right behind any proxy; and one body for every Host.
  const facts = { version, serverUrl: "/" };
  const documented = json(() => openApiDocument({ ...facts, routes: deps.table(), batchLimit }));
  return [
    { method: "GET", path: "/openapi.json", handle: documented },
    {
      method: "GET",
      path: `${DASHBOARD_API}/openapi.json`,
      handle: json(() => dashboardDocument({ ...facts, routes: deps.table() })),
    },
    staticFiles("/docs/assets/:file", ASSETS, deps),
  ];
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
