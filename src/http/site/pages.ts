/** /account, /verify-email and /reset-password: where the payment provider and mailed links lead people. No part of the API. */

import { join } from "node:path";
import type { AuthDeps } from "#http/auth/route.ts";
import type { Route } from "#http/request/route.ts";
import {
  createStaticBody,
  type StaticBody,
  type StaticDeps,
  staticFiles,
} from "#http/response/static-body.ts";

export interface PagesDeps extends StaticDeps {
  /** Null where the installation is open: there nothing leads to these pages, and they do not exist. */
  readonly identity: Pick<AuthDeps, "publicUrl"> | null;
}

/** A link's token passes through here: nothing but this server's own files runs, and no other site may frame, open or store a page. */
const HEADERS: Readonly<Record<string, string>> = {
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "Cross-Origin-Opener-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Frame-Options": "DENY",
};

const BANNER =
  '<p class="simulated">SIMULATED: this is the demo; plans are sold for no money and every rate is made up.</p>';

const PAGES: Readonly<Record<string, string>> = {
  "/account": "account.html",
  "/verify-email": "verify-email.html",
  "/reset-password": "reset-password.html",
};

const SCRIPT = "text/javascript; charset=utf-8";
const ASSETS: Readonly<Record<string, StaticBody>> = {
  "page.css": asset("page.css", "text/css; charset=utf-8"),
  ...Object.fromEntries(
    ["show.js", "post.js", "mailed-link.js", "account.js", "verify-email.js", "reset-password.js"].map(
      (name) => [name, asset(name, SCRIPT)],
    ),
  ),
};

/** Revalidated each time: a page and its script must be of one version. */
function asset(name: string, mime: string): StaticBody {
  return { mime, cacheControl: "no-cache", load: () => fileOf(name).bytes() };
}

export function pagesRoutes(deps: PagesDeps): Route[] {
  const { identity, simulated } = deps;
  if (identity === null) return [];
  const pages = Object.entries(PAGES).map(([path, file]): Route => {
    const load = async () => new TextEncoder().encode(filled(await fileOf(file).text()));
    const page = { mime: "text/html; charset=utf-8", cacheControl: "no-store", headers: HEADERS, load };
    return { method: "GET", path, handle: createStaticBody(page, deps) };
  });
  const filled = (html: string) =>
    html
      .replace("<!-- banner -->", () => (simulated ? BANNER : ""))
      .replaceAll("{{site}}", () => Bun.escapeHTML(identity.publicUrl));
  return [...pages, staticFiles("/pages/assets/:file", ASSETS, deps)];
}

function fileOf(name: string) {
  return Bun.file(join(import.meta.dir, "pages", name));
}
