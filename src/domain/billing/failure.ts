/** A fault of billing as the API answers it. Deleting an account and receiving notices have rules of their own. */

import { Failure } from "#domain/faults/errors.ts";
import type { BillingFault } from "./fault.ts";

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
