/** Content-Encoding of bodies that callers send: none is taken. */

import { Failure } from "#domain/faults/errors.ts";

/**
 * Of the Content-Encoding of a request, null where it has none. Failure `unsupported_media_type` for any coding: a few bytes
 * can be coded to stand for gigabytes, and no body here is large enough to gain by it. `identity` is no coding.
 */
export function refuseCoding(contentEncoding: string | null): void {
  const codings = (contentEncoding ?? "").toLowerCase().split(",");
  if (codings.every((coding) => ["", "identity"].includes(coding.trim()))) return;
  throw new Failure("unsupported_media_type", {
    wording: "send the body as it is, without Content-Encoding: no coding is taken",
    acceptEncoding: "identity",
  });
}
