/** Data that pages load later. It is for this server's own pages, and has its own rate limit instead of the visitor's. */

import { type Meter, uncounted } from "#api/request/metering.ts";
import type { Route } from "#api/request/route.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { Clock } from "#ports.ts";

export interface PageDataDeps {
  readonly clock: Clock;
  readonly meter: Meter;
  /** Minutes that live rates are held back on pages: as for callers without a key. */
  readonly pageDelayMinutes: number;
  /** Who sends a request, as limits count callers without a key. */
  readonly callerOf: (request: Request) => string;
}

/** Per address and minute: a person who clicks every second stays below. */
const MOST_A_MINUTE = 240;
/** Addresses that are remembered at once; beyond that all share one count. */
const MOST_ADDRESSES = 10_000;

/** The meter of these routes: live rates are as late as for callers without a key. Failure `forbidden`, `rate_limited`. */
export function pageMeter(deps: PageDataDeps): Meter {
  const admission = { delayMinutes: deps.pageDelayMinutes, caller: null, quota: null, isQuotaWritten: false };
  let minute = Number.NaN;
  let counts = new Map<string, number>();
  const admit = (request: Request) => {
    const site = request.headers.get("sec-fetch-site");
    if (site !== null && site !== "same-origin" && site !== "none") {
      throw new Failure("forbidden", { wording: "this is for the pages of this server: programs use /v1" });
    }
    const now = Math.floor(deps.clock.now() / 60_000);
    if (now !== minute) [minute, counts] = [now, new Map()];
    const address = counts.size < MOST_ADDRESSES ? deps.callerOf(request) : "";
    const count = (counts.get(address) ?? 0) + 1;
    counts.set(address, count);
    if (count > MOST_A_MINUTE)
      throw new Failure("rate_limited", {
        reason: "too many requests of pages from this address: wait a minute",
      });
  };
  return {
    known: () => null,
    runKnown: (_, __, work) => work({ ...admission }),
    admit: (request, cost) => {
      admit(request);
      return uncounted({ ...admission }, cost);
    },
    run: (request, _, work) => {
      admit(request);
      return work({ ...admission });
    },
    check: async () => {},
    refused: async () => {},
    stillHolds: () => true,
  };
}

/** The same routes below /site instead of /v1. */
export function asPageData(routes: readonly Route[]): Route[] {
  return routes.map(({ isMetered: _, ...route }) => ({
    ...route,
    path: route.path.replace(/^\/v1\//, "/site/"),
    isCrossOrigin: false as const,
  }));
}
