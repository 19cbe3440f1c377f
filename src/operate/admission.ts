/** Admits requests for this listener's own Host, and not from pages of other origins. */

import { Elysia } from "elysia";
import { Failure } from "#domain/faults/errors.ts";
import { LOOPBACK_NAMES } from "#domain/net/message.ts";

const HTTP_PORT = 80;

/**
 * Returns the Host headers of the listener, lower case. Other names and ports are refused, even those that
 * `#api/plugins/host.ts` treats as equal.
 */
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
 * Fails with `misdirected_request` for another Host, `forbidden` for requests from pages of other origins (a form has
 * its page's Origin), `method_not_allowed` for methods that pages never use. A HEAD comes as GET.
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
