/** How things stand with a caller, in the headers of an answer: limit, calls left and reset of one window, as docs/limits.md explains it. */

import type { Standing } from "#domain/limits/taken.ts";

const CALLER = "Authorization";

/** An answer that caches may keep: plans see different days and rates under one address. */
export function stampAnswer(headers: Headers, standing: Standing): void {
  stamp(headers, standing);
  const vary = headers.get("Vary");
  if (vary?.endsWith(CALLER) !== true) headers.set("Vary", vary === null ? CALLER : `${vary}, ${CALLER}`);
}

const LAST = Symbol("as stamped last");

/** Headers that are filled in for one answer after the other remember what stands in them: most of it stays. */
interface StampedHeaders extends Headers {
  [LAST]?: { limit: number; resetAt: number };
}

/** The three headers, all of the same window. */
export function stamp(headers: StampedHeaders, { limit, remaining, resetAt }: Standing): void {
  let last = headers[LAST];
  if (last === undefined) {
    last = { limit: Number.NaN, resetAt: Number.NaN };
    headers[LAST] = last;
  }
  if (last.limit !== limit) headers.set("X-RateLimit-Limit", String(limit));
  headers.set("X-RateLimit-Remaining", String(remaining));
  if (last.resetAt !== resetAt) headers.set("X-RateLimit-Reset", String(resetAt));
  last.limit = limit;
  last.resetAt = resetAt;
}
