/** What the domain knows of HTTP messages: exact digits and the serving time in bodies, unaccepted codings, closed connections. */

import { Failure } from "#domain/faults/errors.ts";

/** A JSON number given by its digits, so that "0.85670" and 17-digit values print as they are. */
export class Digits {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A member whose value is ready as JSON bytes, ASCII, in parts that follow each other. */
export class RawJson {
  readonly parts: readonly Uint8Array[];
  constructor(parts: readonly Uint8Array[]) {
    this.parts = parts;
  }
}

/** The place of `timestamp`; the transport fills in the second in which it answers. */
export const SERVED_AT = Symbol("served at");

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
