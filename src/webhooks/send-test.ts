/** POST /dashboard/api/webhooks/{id}/test: an event for this endpoint alone, signed and retried like any other. */

import { testEvent } from "#domain/webhook/test-event.ts";
import { deliveryView } from "./delivery-view.ts";
import {
  activeSenderOf,
  limited,
  noEndpoint,
  reaching,
  requireEndpointId,
  requireRoom,
  type WebhookDeps,
} from "./webhook-deps.ts";

/**
 * WebhookQueuedResponse: it is queued, and sent at once by whichever process is free. Failure `rate_limited`, `forbidden`
 * (nothing would be sent), `endpoint_limit_reached` (nor to this endpoint), `conflict` before provisioning, `not_found`,
 * `service_unavailable`.
 */
export async function sendTest(deps: WebhookDeps, ownerId: string, id: string) {
  await limited(deps, "webhook test of", ownerId);
  const now = deps.clock.now();
  const event = testEvent(id, now);
  const queued = await reaching(async () => {
    const sender = await activeSenderOf(deps, ownerId);
    requireEndpointId(id);
    await requireRoom(deps, sender, id);
    return await deps.ledger.outbox.publishTest(event, id, now);
  });
  if (queued === null) throw noEndpoint(id);
  return { result: "success", delivery: deliveryView(queued) };
}
