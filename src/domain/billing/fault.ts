/** Faults of billing by name: the provider is unavailable, refuses, or sends an answer that cannot be understood. */

import { Failure } from "#domain/faults/errors.ts";

export const BILLING_FAULTS = [
  /** No provider is configured. */
  "not_configured",
  /** The plan has no price at this interval. */
  "not_offered",
  /** No answer, a broken one, an overload or a failure on their side: later it may work. */
  "unavailable",
  /** Our secret key is refused, or may not do this. */
  "refused_credentials",
  /** The request is refused and will be again. */
  "rejected",
  /** The idempotency key was used with other parameters. */
  "key_reused",
  /** Test and live mode are mixed up: a key of one, an object or event of the other. */
  "wrong_mode",
  /** An event without a valid signature, or outside of the tolerance. */
  "bad_signature",
  /** An answer or a signed event that is not of the documented shape. */
  "unreadable",
  /** A subscription of ours at a price that no plan has. */
  "unknown_price",
] as const;
export type BillingFaultKind = (typeof BILLING_FAULTS)[number];

/** `message` is fit for an operator: no secret in it. Nothing was changed on our side. */
export class BillingFault extends Error {
  readonly kind: BillingFaultKind;
  /** Seconds that the provider requested us to wait, where it did. */
  readonly retryAfterSeconds: number | null;

  constructor(kind: BillingFaultKind, message: string, retryAfterSeconds: number | null = null) {
    super(message);
    this.name = "BillingFault";
    this.kind = kind;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * For checkout and portal: 501 without a provider, 422 for an interval that is not sold, else 503. The fault goes along
 * as the cause, for the log only.
 */
export function failureOf(fault: BillingFault): Failure {
  switch (fault.kind) {
    case "not_configured":
      return new Failure("billing_not_configured", {}, fault);
    case "not_offered":
      return new Failure(
        "validation_error",
        { members: { errors: [{ path: "/interval", message: fault.message }] } },
        fault,
      );
    default: {
      const retryAfterSeconds = fault.retryAfterSeconds ?? 60;
      const reason = "the billing provider cannot be used at the moment; nothing was bought, try again later";
      return new Failure("billing_unavailable", { reason, retryAfterSeconds }, fault);
    }
  }
}

/**
 * What a receiver of notices answers: 400 for what was not signed by the provider, 501 without one; anything else is 503,
 * so that the provider sends the notice again until it can be applied.
 */
export function noticeFailureOf(fault: BillingFault): Failure {
  switch (fault.kind) {
    case "not_configured":
      return new Failure("billing_not_configured", {}, fault);
    case "bad_signature":
    case "wrong_mode":
      return new Failure(
        "invalid_request",
        { reason: "the event is not signed by the billing provider" },
        fault,
      );
    default:
      return new Failure(
        "billing_unavailable",
        { reason: "the event cannot be applied yet; send it again" },
        fault,
      );
  }
}
