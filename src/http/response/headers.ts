/** Headers that every answer carries, and the request's id. */

/** Keyless browser use is welcome; credentials are never part of a cross-origin answer. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "X-Request-Id, X-Data-Mode, ETag, Retry-After, Accept-Ranges, Content-Range, Repr-Digest, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Content-Disposition, X-As-Of, X-Sync-From, X-Export-Rows, X-Export-Bytes, X-Quota-Cost",
  "X-Content-Type-Options": "nosniff",
};

const PROCESS_TAG = crypto.getRandomValues(Buffer.alloc(6)).toString("hex");
const OWN_ID = /^[A-Za-z0-9._-]{1,64}$/;
let counter = 0;

/** The caller's own X-Request-Id where it is well-formed, else a new one, unique across processes. */
export function requestId(headers: Headers): string {
  const given = headers.get("x-request-id");
  if (given !== null && OWN_ID.test(given)) return given;
  counter += 1;
  return `${PROCESS_TAG}-${counter.toString(36)}`;
}
