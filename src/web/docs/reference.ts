/** GET /docs/reference: the API reference, and the files that it loads, which are read at the first request. */

import { join } from "node:path";
import { Elysia } from "elysia";
import { type StaticBody, type StaticDeps, staticFiles } from "#api/response/static-body.ts";
import type { PageParts } from "#web/page-data.ts";
import { CONTENT_SECURITY_POLICY } from "#web/shared/policy.ts";
import { loadPages } from "./load-pages.ts";

/** The reference sets styles from its script, and has pictures and fonts in it. */
const POLICY = CONTENT_SECURITY_POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
  .replace("img-src 'self'", "img-src 'self' data:")
  .replace("font-src 'self'", "font-src 'self' data:");

/** Answers revalidate; the one big file has its version in its name and never does. */
const REVALIDATED = "public, max-age=300, must-revalidate";
const IMMUTABLE = "public, max-age=31536000, immutable";

const SCRIPT = "text/javascript; charset=utf-8";
const SCALAR = pathOf("vendor/scalar-1.72.1.js");
const FILES: Readonly<Record<string, StaticBody>> = {
  "scalar-1.72.1.js": {
    mime: SCRIPT,
    cacheControl: IMMUTABLE,
    load: () => Bun.file(SCALAR).bytes(),
    compressedAt: SCALAR,
  },
  "start.js": asset("assets/start.js", SCRIPT),
  "icon.svg": asset("assets/icon.svg", "image/svg+xml"),
};

function asset(file: string, mime: string): StaticBody {
  return { mime, cacheControl: REVALIDATED, load: () => Bun.file(pathOf(file)).bytes() };
}

function pathOf(file: string): string {
  return join(import.meta.dir, file);
}

export const reference = ({ frame, ...deps }: StaticDeps & PageParts) => {
  const send = staticFiles(FILES, deps);
  return new Elysia({ name: "reference" })
    .get("/docs/reference", async ({ request }) => {
      const { docsReference } = await loadPages();
      return frame.page(request, docsReference(await frame.site(request)), { policy: POLICY });
    })
    .get("/docs/assets/:file", async ({ request, params: { file } }) => await send(request, file));
};
