/** /account, /verify-email and /reset-password: where the payment provider and mailed links lead people. No part of the API. */

import { join } from "node:path";
import { Failure } from "#domain/faults/errors.ts";
import type { AuthDeps } from "#http/auth/route.ts";
import type { Route } from "#http/request/route.ts";
import { pathOf } from "#http/response/failures.ts";
import { createStaticBody, type StaticDeps } from "#http/response/static-body.ts";

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
const ASSETS: Readonly<Record<string, string>> = {
  "page.css": "text/css; charset=utf-8",
  "show.js": SCRIPT,
  "post.js": SCRIPT,
  "mailed-link.js": SCRIPT,
  "account.js": SCRIPT,
  "verify-email.js": SCRIPT,
  "reset-password.js": SCRIPT,
};

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
  const assets = new Map(
    Object.entries(ASSETS).map(([name, mime]) => {
      // Revalidated each time: a page and its script must be of one version.
      const asset = { mime, cacheControl: "no-cache", load: () => fileOf(name).bytes() };
      return [name, createStaticBody(asset, deps)];
    }),
  );
  return [
    ...pages,
    {
      method: "GET",
      path: "/pages/assets/:file",
      handle: (request, { file }) => {
        const asset = assets.get(file ?? "");
        if (asset === undefined) throw new Failure("not_found", { path: pathOf(request.url) });
        return asset(request);
      },
    },
  ];
}

function fileOf(name: string) {
  return Bun.file(join(import.meta.dir, "pages", name));
}
