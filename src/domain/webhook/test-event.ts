/** The event that an owner asks for to try an endpoint: it says nothing but to whom it goes. */

import { formatInstant, type Instant } from "#domain/time/day.ts";
import type { WebhookEvent } from "./endpoint.ts";

/** `evt_test_<unix milliseconds>`; compact JSON, with the endpoint's id as the only datum. */
export function testEvent(endpointId: string, at: Instant): WebhookEvent {
  const [id, type] = [`evt_test_${at}`, "webhook.test"] as const;
  const body = JSON.stringify({ id, type, created_at: formatInstant(at), data: { endpoint: endpointId } });
  return { id, type, createdAt: at, body };
}
