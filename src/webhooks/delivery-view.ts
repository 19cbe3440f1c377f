/** Deliveries and their attempts as the owner of the endpoint sees them. */

import { formatInstant, type Instant } from "#domain/time/day.ts";
import type { AttemptOutcome, Delivery } from "#domain/webhook/endpoint.ts";
import { outcomeIsSuccess } from "#domain/webhook/schedule.ts";

export function deliveryView({ id, endpointId, eventId, state, reason, dueAt }: Delivery) {
  return {
    id,
    endpoint_id: endpointId,
    event_id: eventId,
    state,
    reason,
    next_attempt_at: dueAt === null ? null : formatInstant(dueAt),
  };
}

/** `status` is the receiver's, or null where `fault` says why none came. */
export function attemptView(tried: AttemptOutcome & { readonly at: Instant }) {
  const { status, fault, milliseconds, address, at } = tried;
  return {
    ended_at: formatInstant(at),
    succeeded: outcomeIsSuccess(tried),
    status,
    fault,
    milliseconds,
    address,
  };
}
