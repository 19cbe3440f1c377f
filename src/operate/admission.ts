/** Admits requests for this listener's own Host, from no page of another origin. */

import { Elysia } from "elysia";
import { Failure } from "#domain/faults/errors.ts";
import { LOOPBACK_NAMES } from "#domain/net/host.ts";

const HTTP_PORT = 80;

/** Host headers that mean the listener, lower case. Other names and ports are refused, even those that `#api/plugins/host.ts` takes for the same. */
function hostsOf(host: string, port: number): ReadonlySet<string> {
  const names = new Set([...LOOPBACK_NAMES, host.includes(":") ? `[${host}]` : host]);
  return new Set(
    [...names].flatMap((name) => [
      `${name}:${port}`,
      // Clients leave the scheme's own port out.
      ...(port === HTTP_PORT ? [name] : []),
    ]),
  );
}

/**
 * Failures: `misdirected_request` for another Host, `forbidden` for what a page of another origin sends (a form is sent with the
 * Origin of the page that it is on), `method_not_allowed` for what no page sends. A HEAD comes as GET.
 */
export const admission = (at: { readonly host: string; readonly port: number }) => {
  const hosts = hostsOf(at.host, at.port);
  return new Elysia({ name: "admission" }).onRequest(({ request: { headers, method } }) => {
    const host = headers.get("host")?.toLowerCase() ?? "";
    if (!hosts.has(host)) throw new Failure("misdirected_request");
    const site = headers.get("sec-fetch-site") ?? "none";
    const origin = headers.get("origin");
    const isOwn = site === "none" || site === "same-origin";
    if (!isOwn || (origin === null ? method !== "GET" : origin.toLowerCase() !== `http://${host}`))
      throw new Failure("forbidden", { reason: "only the pages of this listener may send this" });
    if (method !== "GET" && method !== "POST")
      throw new Failure("method_not_allowed", { method, allow: "GET, POST" });
  });
};
