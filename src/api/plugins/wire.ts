/** What crosses all routes needs to know of the one that took a request. */

import type { Charge } from "#api/request/metering.ts";
import type { Dialect } from "#api/response/dialect.ts";
import type { Basis } from "#api/response/reply.ts";

export interface Wire {
  /** Calls count against the caller's limits, those too that are refused before they are admitted. */
  readonly isMetered?: boolean;
  /** Refusals are written in the form of another service. */
  readonly dialect?: Dialect;
  /** The answer goes on until the reader leaves. */
  readonly isEndless?: boolean;
  /** False: pages of other sites are not let in; a preflight is answered without leave. */
  readonly isCrossOrigin?: boolean;
  /** Where the key comes in another place than the header's: what it would be there; null without one. */
  authorization?(request: Request): string | null;
  /** Narrows the paths of the pattern: any other path is not its own. */
  takes?(path: string): boolean;
}

/** A request that a route took. */
interface RoutedRequest extends Request {
  [ROUTED]?: Routed;
}

export interface Routed {
  /** The pattern of its path. */
  readonly route: string;
  readonly wire: Wire;
  /** Set when the call was charged. */
  charge?: Charge;
  /** What the answer is made of, where others may get it, too. */
  basis?: Basis;
}

const ROUTED = Symbol("route of the request");

/** Notes the route that took a request. */
export function noteRoute(request: RoutedRequest, route: string, wire: Wire): void {
  request[ROUTED] = { route, wire };
}

/** The route that took a request; undefined where no route did. */
export function routed(request: RoutedRequest): Routed | undefined {
  return request[ROUTED];
}
