/** One request to a simulated upstream, and its answer before the transport. */

import type { Instant } from "#domain/time/day.ts";
import type { FigureFault } from "./fault.ts";
import type { World } from "./world.ts";

export interface DemoRequest {
  /** Path and query as the real host would see them; the host is the real one's. */
  readonly url: URL;
  readonly headers: Headers;
  /** The body of a POST; null for any other method. */
  readonly question: string | null;
  readonly world: World;
  readonly now: Instant;
  readonly fault: FigureFault | null;
  /** When the fault was switched on; no meaning without one. */
  readonly faultSince: Instant;
}

export interface Answer {
  readonly status?: number;
  readonly contentType: string;
  /** Called only when the body is really sent. */
  readonly body: () => string | Uint8Array<ArrayBuffer>;
  /** Set where the real host sends validators; the body is a function of the address and this. */
  readonly lastModified?: Instant;
}

export type Upstream = (request: DemoRequest) => Answer;

/** JSON with a status; `text` is already JSON, so that numbers keep the digits the real host prints. */
export function json(text: string, status = 200): Answer {
  return { status, contentType: "application/json; charset=utf-8", body: () => text };
}

export function notFound(): Answer {
  return { status: 404, contentType: "text/plain", body: () => "Not Found" };
}
