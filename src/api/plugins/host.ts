/** Admits every request with a URL of bounded length, and a Host that this server serves. */

import { Elysia } from "elysia";
import { pathOf } from "#api/response/failures.ts";
import { Failure } from "#domain/faults/errors.ts";
import { hostNameOf } from "#domain/net/message.ts";

/** Many times the length of any documented request. The runtime accepts up to 16 KB, and stores it while a request waits for its turn. */
const MOST_CHARACTERS = 8192;

/** Returns whether the URL, with scheme and host, exceeds the bound. */
export function isTooLong(url: string): boolean {
  return url.length > MOST_CHARACTERS;
}

/** Balancers ask these in HTTP/1.0, without a Host. */
const PROBES: ReadonlySet<string> = new Set(["/health", "/status"]);

/**
 * Fails with `uri_too_long`, or with `misdirected_request` for a Host that is malformed, absent, or not in the list (an
 * empty list allows any).
 */
export const host = (allowed: readonly string[]) =>
  new Elysia({ name: "host" }).onRequest(({ request }) => {
    if (isTooLong(request.url)) throw new Failure("uri_too_long", { limit: MOST_CHARACTERS });
    const sent = request.headers.get("host") ?? "";
    if (sent === "" && PROBES.has(pathOf(request.url).replace(/\/$/, ""))) return;
    const name = hostNameOf(sent);
    if (name === null || (allowed.length > 0 && !allowed.includes(name)))
      throw new Failure("misdirected_request");
  });
