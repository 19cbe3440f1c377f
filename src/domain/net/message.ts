/** What the domain knows of HTTP messages: unaccepted codings, closed connections. */

import { Failure } from "#domain/faults/errors.ts";

/**
 * Of the Content-Encoding of a request, null where it has none. Failure `unsupported_media_type` for any coding: a few bytes
 * can decode to gigabytes, and no body here is large enough to gain by it. `identity` is no coding.
 */
export function refuseCoding(contentEncoding: string | null): void {
  const codings = (contentEncoding ?? "").toLowerCase().split(",");
  if (codings.every((coding) => ["", "identity"].includes(coding.trim()))) return;
  throw new Failure("unsupported_media_type", {
    wording: "send the body as it is, without Content-Encoding: compressed bodies are not accepted",
    acceptEncoding: "identity",
  });
}

/**
 * The status by which such a request is counted and settled, as nginx names it; it is never sent. It is no 5xx, and the
 * calls that it was granted stay used: the client requested the work.
 */
export const CLIENT_GONE = 499;

/** Whether this was thrown because the client of the request left. Other faults stay what they are, also after it left. */
export function isClientGone(thrown: unknown, signal: AbortSignal): boolean {
  return signal.aborted && thrown instanceof Error && thrown.name === "AbortError";
}
