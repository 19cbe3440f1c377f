/** GET /dashboard/api/webhooks/{id}/deliveries: what was sent to an endpoint, attempt by attempt. */

import { formatInstant } from "#domain/time/day.ts";
import { attemptView, deliveryView } from "./delivery-view.ts";
import { noEndpoint, reaching, requireEndpointId, senderOf, type WebhookDeps } from "./webhook-deps.ts";

/**
 * WebhookDeliveriesResponse, newest first; of an endpoint that was deleted too, as long as deliveries are kept. Failure
 * `conflict` before provisioning, `not_found`, `service_unavailable`.
 */
export async function listDeliveries(deps: WebhookDeps, ownerId: string, id: string, limit: number) {
  const found = await reaching(async () => {
    const { organizationId } = await senderOf(deps, ownerId);
    requireEndpointId(id);
    const deliveries = await deps.ledger.outbox.deliveries(id, organizationId, limit);
    if (deliveries.length > 0) return deliveries;
    const endpoint = await deps.ledger.endpoints.find(id);
    return endpoint?.organizationId === organizationId ? deliveries : null;
  });
  if (found === null) throw noEndpoint(id);
  const deliveries = found.map(({ event, tries, ...delivery }) => ({
    ...deliveryView(delivery),
    event_type: event.type,
    event_created_at: formatInstant(event.createdAt),
    attempts: tries.map(attemptView),
  }));
  return { result: "success", deliveries };
}
