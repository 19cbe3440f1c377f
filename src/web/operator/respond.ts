/** Responses of the operators' pages: documents that are never cached, redirects after forms, refusals, styles and fonts. */

import { Elysia } from "elysia";
import { type FailureDeps, pathOf, renderFailure, withFacts } from "#api/response/failures.ts";
import { ledgerFailure } from "#domain/account/ledger.ts";
import { Failure } from "#domain/faults/errors.ts";
import { redactTokens } from "#domain/net/redact.ts";
import { openAssets } from "#web/assets.ts";
import { CONTENT_SECURITY_POLICY } from "#web/shared/policy.ts";
import { roomPage, type Said } from "./frame.tsx";

const HEADERS: Readonly<Record<string, string>> = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Content-Security-Policy": CONTENT_SECURITY_POLICY,
};

/** Files keep their names when their content changes. */
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

/**
 * A page with forms. `view` shows it with the notice that `?done=` names in `notices`. `form` runs a form: it shows the page with the
 * refusal of a Failure, and throws everything else.
 */
export function pageWithForms<Params>(
  show: (said: Said, params: Params) => Promise<string>,
  notices: Readonly<Record<string, string>>,
) {
  return {
    view: async ({ params, query: { done = "" } }: { params: Params; query: Record<string, string> }) => {
      const notice = Object.hasOwn(notices, done) ? (notices[done] ?? null) : null;
      return document(await show({ notice, refusal: null }, params));
    },
    form:
      (act: (fields: URLSearchParams, params: Params) => Promise<Response>) =>
      async ({ params, body }: { params: Params; body: unknown }) => {
        try {
          return await act(body as URLSearchParams, params);
        } catch (thrown) {
          if (!(thrown instanceof Failure)) throw thrown;
          const refusal = redactTokens(thrown.message);
          return document(await show({ notice: null, refusal }, params), thrown.status);
        }
      },
  };
}

/** Renders everything that is thrown, and requests without a route, as a page with a sentence. */
export const refusals = ({ emit }: Pick<FailureDeps, "emit">) =>
  new Elysia({ name: "refusals" }).onError({ as: "global" }, async ({ code, error, request }) => {
    const fault =
      code === "NOT_FOUND"
        ? new Failure("not_found", { wording: "no such page: {path}", path: pathOf(request.url) })
        : // Elysia wraps what a parser throws.
          ledgerFailure(code === "PARSE" ? error.cause : error);
    const plain = renderFailure({ emit, simulated: false }, request, fault);
    const { message } = fault instanceof Failure ? fault : new Failure("internal_error");
    const title = plain.status === 404 ? "Not found" : "Refused";
    const refusal = redactTokens(message);
    return withFacts(
      document(roomPage({ title, section: null, refusal, children: null }), plain.status),
      plain,
    );
  });

/** The files of pages: those of the site, bundled at the first page. */
export const assets = () =>
  new Elysia({ name: "assets" })
    .get("/favicon.ico", async () => new Response(null, { status: 204, headers: HEADERS }))
    .get("/site/:file", async ({ params: { file } }) => {
      const asset = (await openAssets()).get(file);
      if (asset === undefined) throw new Failure("not_found", { wording: "no such file: {file}", file });
      return new Response(asset.bytes, {
        headers: { ...HEADERS, "Cache-Control": ASSET_CACHE, "Content-Type": asset.mime },
      });
    });
