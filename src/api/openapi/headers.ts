/** Response headers of the document, described once and referred to by name. */

import type { Json } from "./components.ts";

function header(description: string, example: string, schema: Json = {}): Json {
  return { description, schema: { type: "string", examples: [example], ...schema } };
}

const HEADERS: Json = {
  "X-Request-Id": header(
    "Id of the request: the caller's own `X-Request-Id` when it is 1 to 64 letters, digits, dots, dashes or underscores, else a new one.",
    "5f0c1e7a9b2d-1a",
  ),
  "X-Data-Mode": header(
    "Only on answers of the demo: `real` where every rate of the answer is real, else `simulated`.",
    "simulated",
    {
      enum: ["real", "simulated"],
    },
  ),
  "Cache-Control": header(
    "How long the answer may be stored; `no-store` on refusals and probes.",
    "public, max-age=60, must-revalidate",
  ),
  ETag: header(
    "Changes whenever anything but `timestamp` does; send it back as `If-None-Match`. Weak where the body carries `timestamp` or is compressed, strong on files.",
    'W/"1k2j3h4g5f6d"',
  ),
  Vary: header("Request headers that the answer depends on.", "Accept, Accept-Encoding"),
  "Retry-After": header("Seconds to wait before asking again.", "30", { pattern: "^\\d+$" }),
  "X-RateLimit-Limit": header(
    "Calls that one window allows: the tightest, or the one that refuses. Its siblings are of the same window; all are there only where access is metered.",
    "120",
    { pattern: "^\\d+$" },
  ),
  "X-RateLimit-Remaining": header(
    "Calls left in that window; where the call passed, no window has fewer.",
    "119",
    {
      pattern: "^\\d+$",
    },
  ),
  "X-RateLimit-Reset": header(
    "Unix seconds from which on that window has room for a call like this again, even when all that remain are used now.",
    "1776098100",
    { pattern: "^\\d+$" },
  ),
  "WWW-Authenticate": header("How to be let in; on every 401.", "Bearer"),
  "Content-Range": header(
    "Which bytes these are, and of how many; on a refusal only of how many.",
    "bytes 0-3/48213",
    { pattern: "^bytes (\\d+-\\d+|\\*)/\\d+$" },
  ),
  "Accept-Encoding": header(
    "Codings that a body may have: none. On a 415 that is about `Content-Encoding`.",
    "identity",
  ),
  Allow: header("Methods that the path has.", "GET, HEAD, OPTIONS"),
};

/** On every answer (X-Data-Mode in the demo only). */
export const EVERY_HEADER: readonly string[] = ["X-Request-Id", "X-Data-Mode", "Cache-Control"];
/** On answers of metered data endpoints. */
export const LIMIT_HEADERS: readonly string[] = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
];
/** On answers that If-None-Match can revalidate. */
export const CONDITIONAL_HEADERS: readonly string[] = ["ETag", "Vary"];

export function headerReferences(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Returns the headers that a part of a document refers to: an interface without limits or parts has no headers for them. */
export function headersUsedBy(described: object): Readonly<Record<string, object>> {
  const text = JSON.stringify(described);
  return Object.fromEntries(
    Object.entries(HEADERS).filter(([name]) => text.includes(`"#/components/headers/${name}"`)),
  );
}
