/** Rejects requests whose Host header is not one of ours. */

import { Failure } from "#domain/faults/errors.ts";

// At least four characters: no public name is shorter.
const HOST = /^(?:[a-z0-9._-]{4,255}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** Failure `misdirected_request` for a Host that is malformed, too short, or not in the list (an empty list allows any). */
export function admitHost(request: Request, allowed: readonly string[]): void {
  const host = request.headers.get("host");
  if (host === null || !HOST.test(host)) throw new Failure("misdirected_request");
  if (allowed.length === 0) return;
  const name = host.replace(/:\d+$/, "").toLowerCase();
  if (!allowed.includes(name)) throw new Failure("misdirected_request");
}
