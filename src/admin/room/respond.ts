/** Responses of the operator's pages: documents that are never cached, redirects after forms, styles and fonts. */

import { Failure } from "#domain/faults/errors.ts";
import { type Asset, openAssets } from "#web/assets.ts";
import { CONTENT_SECURITY_POLICY } from "#web/shared/policy.ts";

const HEADERS: Readonly<Record<string, string>> = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Content-Security-Policy": CONTENT_SECURITY_POLICY,
};

/** Names of files stay the same when their content changes. */
const ASSET_CACHE = "private, max-age=300";

export function document(html: string, status = 200): Response {
  return new Response(html, { status, headers: { ...HEADERS, "Content-Type": "text/html; charset=utf-8" } });
}

/** 303 to a path of this listener. */
export function seeOther(path: string, cookie?: string): Response {
  const headers = new Headers({ ...HEADERS, Location: path });
  if (cookie !== undefined) headers.set("Set-Cookie", cookie);
  return new Response(null, { status: 303, headers });
}

export function nothing(): Response {
  return new Response(null, { status: 204, headers: HEADERS });
}

/** Bundled at the first page; the same files as the site's. Failure `not_found`. */
export function openRoomAssets(): (name: string) => Promise<Response> {
  let bundling: Promise<ReadonlyMap<string, Asset>> | null = null;
  return async (name) => {
    bundling ??= openAssets().catch((fault: unknown) => {
      bundling = null;
      throw fault;
    });
    const asset = (await bundling).get(name);
    if (asset === undefined) throw new Failure("not_found", { wording: "no such file: {name}", name });
    return new Response(asset.bytes, {
      headers: { ...HEADERS, "Cache-Control": ASSET_CACHE, "Content-Type": asset.mime },
    });
  };
}
