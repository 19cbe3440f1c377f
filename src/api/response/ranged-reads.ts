/**
 * Chooses the part of a body for a request. Programs that read a file by its URL ask for its length, and then for parts,
 * and many do not say of which version (If-Range). Parts of two versions would make a wrong figure. Such a caller
 * therefore gets parts only of the version that its length belongs to, for a minute, or the whole of a newer one.
 */

import { isHead } from "#api/request/inner-request.ts";
import type { CacheBudget } from "#domain/cache/budget.ts";
import type { Clock } from "#ports.ts";
import { type Part, rangeOf } from "./conditions.ts";

export interface RangedReads {
  /** Returns as `rangeOf`. `etag` is strong. Call it for HEAD, too, to note the version. Fails with `range_not_satisfiable`. */
  partOf(request: Request, etag: string, size: number): Part | "whole";
}

interface SizedVersion {
  readonly etag: string;
  readonly at: number;
}

const VERSION_MILLISECONDS = 60_000;
/** Tag, time, address and bookkeeping. */
const VERSION_BYTES = 400;
const SHARE = 0.02;

export function newRangedReads(deps: {
  readonly caches: CacheBudget;
  readonly clock: Clock;
  readonly callerOf: (request: Request) => string;
}): RangedReads {
  const versions = deps.caches.cache<string, SizedVersion>("ranged_reads", { share: SHARE });
  /** Returns whether parts of this version may be sent. */
  const mayContinue = (request: Request, etag: string): boolean => {
    const key = `${deps.callerOf(request)} ${request.url}`;
    const at = deps.clock.now();
    const before = versions.get(key);
    if (!isHead(request) && before !== undefined && at - before.at < VERSION_MILLISECONDS)
      return before.etag === etag;
    versions.set(key, { etag, at }, VERSION_BYTES + key.length);
    return true;
  };
  return {
    partOf: (request, etag, size) => {
      const { headers } = request;
      if (headers.has("if-range") || headers.has("if-match")) return rangeOf(request, etag, size);
      if (!isHead(request) && !headers.has("range")) return "whole";
      return mayContinue(request, etag) ? rangeOf(request, etag, size) : "whole";
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
