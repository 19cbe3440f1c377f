/** The Failure for a call that exceeds a limit. Each window has its own code; the message says what to do. */

import { Failure } from "#domain/faults/errors.ts";
import type { Caller, Window } from "#domain/limits/caller.ts";
import type { Never, Refused, Taken, Unavailable } from "#domain/limits/quota-status.ts";
import { CLIENT_GONE } from "#domain/net/message.ts";

/** Failure rate_limited, ip_rate_limited, quota_exceeded, invalid_request (it can never pass) or quota_unavailable. */
export function limitFailure(taken: Exclude<Taken, { outcome: "granted" }>, kind: Caller["kind"]): Failure {
  if (taken.outcome === "never") return neverFailure(taken);
  if (taken.outcome === "unavailable") return unavailableFailure(taken);
  return refusedFailure(taken, kind);
}

const A: Readonly<Record<Window, string>> = { minute: "a minute", hour: "an hour", month: "a month" };

function neverFailure({ cost, window, limit }: Never): Failure {
  const reason = `this request counts as ${cost} calls and ${limit} ${A[window]} are allowed; split it`;
  return new Failure("invalid_request", { reason });
}

function unavailableFailure({ reason, retryAfterSeconds }: Unavailable): Failure {
  const details = { reason: "the quota cannot be checked at the moment; try again", retryAfterSeconds };
  return new Failure("quota_unavailable", details, new Error(reason));
}

function refusedFailure({ quota, cost, retryAfterSeconds, network }: Refused, kind: Caller["kind"]): Failure {
  const { window, limit } = quota;
  const calls = cost === 1 ? "" : ` (this request counts as ${cost})`;
  const advice = kind === "address" ? "use an API key for more" : "a larger plan allows more";
  if (window === "month") {
    const reason = `the ${limit} calls of this month are used${calls}; the quota resets on the 1st, 00:00 UTC, and ${advice}`;
    return new Failure("quota_exceeded", { reason, retryAfterSeconds });
  }
  const of =
    kind === "address" ? ` from ${network === undefined ? "one address" : `the network ${network}`}` : "";
  const reason = `${limit} calls ${A[window]}${of} are allowed${calls}; wait ${retryAfterSeconds} s, or ${advice}`;
  return new Failure(window === "hour" ? "ip_rate_limited" : "rate_limited", { reason, retryAfterSeconds });
}

/**
 * Whether an answer of this status gives its calls back: ours to blame (5xx) always, refused requests (4xx) to a key.
 * Without a key they count, so that probing is not free.
 */
export function isRefunded(status: number, kind: Caller["kind"]): boolean {
  if (status === CLIENT_GONE) return false;
  return status >= 500 || (status >= 400 && kind === "org");
}
