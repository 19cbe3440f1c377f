/** Data that pages load later. Only this server's own pages may load it, with a rate limit of its own instead of the visitor's. */

import type { House } from "#api/plugins/house.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { Clock } from "#ports.ts";
import type { Frame } from "./frame.ts";

export interface PageDataDeps {
  readonly clock: Clock;
  /** Minutes that live rates are held back on pages: as for callers without a key. */
  readonly pageDelayMinutes: number;
  /** The caller of a request, as limits count callers without a key. */
  readonly callerOf: (request: Request) => string;
}

/** Per address and minute: a person who clicks every second stays below. */
const MOST_A_MINUTE = 240;
/** Addresses that are remembered at once; beyond that all share one count. */
const MOST_ADDRESSES = 10_000;

/** Options of routes that no page of another site may read. Their handlers parse forms themselves. */
export const OWN_PAGES = { wire: { isCrossOrigin: false }, parse: "none" } as const;

/** Admits a request of this server's pages. Failure `forbidden` for pages of other sites, `rate_limited` beyond the limit. */
export type AdmitVisitor = (request: Request) => void;

export interface PageParts {
  readonly house: House;
  readonly frame: Frame;
  readonly admit: AdmitVisitor;
}

export function openVisitors(deps: PageDataDeps): AdmitVisitor {
  let minute = Number.NaN;
  let counts = new Map<string, number>();
  return (request) => {
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
}
