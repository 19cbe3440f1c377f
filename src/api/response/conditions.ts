/** Entity tags, conditional requests and byte ranges: RFC 9110 §8.8, §13 and §14. */

import { isHead } from "#api/request/inner-request.ts";
import type { CacheBudget } from "#domain/cache/budget.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { Clock } from "#ports.ts";

/** Makes a weak tag of content: the plain and the coded body share it, and the serving time is no part of it. */
export function etagOf(...parts: readonly (string | Uint8Array)[]): string {
  let hash = 0n;
  // The fastest of Bun's hashes for long pages.
  for (const part of parts) hash = Bun.hash.xxHash3(part, hash);
  return `W/"${hash.toString(32)}"`;
}

/** Makes the strong tag of uncoded content; see etagOf. */
export function strongTag(etag: string): string {
  return etag.replace(/^W\//, "");
}

/** Returns whether If-None-Match lists the tag, by weak comparison (§13.1.2), or is `*`. */
export function isKnown(header: string, etag: string): boolean {
  return header === etag || lists(header.replace(WEAK, "$1"), etag.replace(WEAK, ""));
}

const WEAK = /(^|,)\s*W\//g;

/**
 * Judges conditions on the version, in the order of §13.2.2: If-Match ("failed"), If-None-Match ("unmodified"). If-Match
 * compares strong tags; it is ignored for an answer with a weak one.
 */
export function judgeConditions(headers: Headers, etag: string): "failed" | "unmodified" | "met" {
  const required = headers.get("if-match");
  if (required !== null && !etag.startsWith("W/") && !lists(required, etag)) return "failed";
  const tags = headers.get("if-none-match");
  return tags !== null && isKnown(tags, etag) ? "unmodified" : "met";
}

/** A part from `start` up to, not including, `end`. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

const SINGLE = /^bytes[ \t]*=[ \t]*(\d*)-(\d*)[ \t]*$/i;

/**
 * Returns the part of a file of `size` bytes in Range, if If-Range allows it. Several ranges, other units and invalid
 * ranges are ignored, as the RFC permits: "whole". Fails with `range_not_satisfiable`.
 */
function rangeOf(request: Request, etag: string, size: number): Part | "whole" {
  const { headers } = request;
  const [, first = "", last = ""] = SINGLE.exec(headers.get("range") ?? "") ?? [];
  // Range is defined only for GET.
  if (first + last === "" || isHead(request)) return "whole";
  const unchangedSince = headers.get("if-range");
  // A date cannot match: no Last-Modified is ever sent.
  if (unchangedSince !== null && unchangedSince.trim() !== etag) return "whole";
  const isOfTheEnd = first === "";
  const start = isOfTheEnd ? Math.max(size - Number(last), 0) : Number(first);
  if (!isOfTheEnd && last !== "" && Number(last) < start) return "whole";
  if (start >= size) throw new Failure("range_not_satisfiable", { size, contentRange: `bytes */${size}` });
  return { start, end: isOfTheEnd || last === "" ? size : Math.min(Number(last) + 1, size) };
}

function lists(header: string, etag: string): boolean {
  return header.trim() === "*" || header.split(",").some((candidate) => candidate.trim() === etag);
}

export type RangedReads = ReturnType<typeof newRangedReads>;

const VERSION_MILLISECONDS = 60_000;
/** Tag, time, address and bookkeeping. */
const VERSION_BYTES = 400;
const SHARE = 0.02;

export function newRangedReads(deps: {
  readonly caches: CacheBudget;
  readonly clock: Clock;
  readonly callerOf: (request: Request) => string;
}) {
  const versions = deps.caches.cache<string, { readonly etag: string; readonly at: number }>("ranged_reads", {
    share: SHARE,
  });
  /** Notes the version that a caller is given, and returns whether parts of it may be sent. */
  const mayContinue = (request: Request, etag: string): boolean => {
    const key = `${deps.callerOf(request)} ${request.url}`;
    const at = deps.clock.now();
    const before = versions.get(key);
    const isOther = before !== undefined && before.etag !== etag && at - before.at < VERSION_MILLISECONDS;
    // HEAD begins a new read. A whole body does not end the old read: readers behind one address share the note.
    if (isOther && !isHead(request)) return false;
    versions.set(key, { etag, at }, VERSION_BYTES + key.length);
    return true;
  };
  return {
    /** Call it for a body that is sent without `partOf`: its reader may ask for the rest. */
    note: (request: Request, etag: string): void => void mayContinue(request, etag),
    /** Returns what `rangeOf` does, and fails as it does. `etag` is strong. Call it for HEAD and whole bodies, too. */
    partOf: (request: Request, etag: string, size: number): Part | "whole" => {
      const isNamed = request.headers.has("if-range") || request.headers.has("if-match");
      return isNamed || mayContinue(request, etag) ? rangeOf(request, etag, size) : "whole";
    },
  };
}

const PASSED_ON = ["via", "forwarded", "x-forwarded-for"] as const;

/**
 * Returns whether a file must have its length, because the reader might not see that it was cut short. In HTTP/1.0 a
 * body without a length ends with its connection, also when the server dies. Proxies that use it, such as nginx by
 * default, ask for the connection to be closed. Others use HTTP/1.1 and still end a broken body as if it were complete,
 * such as Caddy 2.6.
 */
export function needsLength({ headers }: Request): boolean {
  const connection = headers.get("connection");
  if (connection !== null && /(?:^|,)\s*close\s*(?:,|$)/i.test(connection)) return true;
  return PASSED_ON.some((name) => headers.has(name));
}
