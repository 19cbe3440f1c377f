/** Ways in which Stripe can be out of order, chosen by a test, and when in a request it shows. */

import { StripeRefusal } from "./refusal.ts";

export interface Outage {
  /**
   * `error`: 500 with Stripe's envelope. `rate_limit`: 429. `garbage`: 200 with a web page. `hang`: no answer.
   * `reset`: the connection is cut. `half`: it is cut in the middle of the answer.
   */
  readonly kind: "error" | "rate_limit" | "garbage" | "hang" | "reset" | "half";
  /** `after`: the request was carried out and only its answer is lost. `before` unless given. */
  readonly when?: "before" | "after";
  /** How many requests meet it; all of them unless given. */
  readonly times?: number;
  /** Only paths that begin so; all of the API unless given. */
  readonly path?: string;
}

/** What an outage of the kind answers with, where it answers. */
export function outageAnswer(
  kind: Outage["kind"],
  requestId: string,
): { status: number; type: string; body: string } {
  if (kind === "garbage")
    return {
      status: 200,
      type: "text/html",
      body: "<!DOCTYPE html><h1>Service temporarily unavailable</h1>",
    };
  const refusal =
    kind === "rate_limit"
      ? new StripeRefusal(429, "Request rate limit exceeded.", { code: "rate_limit" })
      : new StripeRefusal(500, "An unknown error occurred.", { type: "api_error" });
  return { status: refusal.status, type: "application/json", body: JSON.stringify(refusal.body(requestId)) };
}
