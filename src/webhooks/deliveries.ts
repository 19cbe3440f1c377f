/** What was sent to an endpoint, attempt by attempt; a test event, and one more attempt of a delivery that has ended. */

import type { By } from "#domain/account/audit.ts";
import { withLedger } from "#domain/account/ledger.ts";
import { Failure } from "#domain/faults/errors.ts";
import { type Delivery, type DeliveryWithAttempts, testEvent } from "#domain/webhook/endpoint.ts";
import {
  activeSenderOf,
  limited,
  noEndpoint,
  requireEndpointId,
  requireRoom,
  senderOf,
  type WebhookDeps,
} from "./webhook-deps.ts";

/**
 * Newest first; of an endpoint that was deleted too, as long as its deliveries are stored. Failure
 * `conflict` before provisioning, `not_found`, `service_unavailable`.
 */
export async function listDeliveries(
  deps: WebhookDeps,
  ownerId: string,
  id: string,
  limit: number,
): Promise<readonly DeliveryWithAttempts[]> {
  const found = await withLedger(async () => {
    const { organizationId } = await senderOf(deps, ownerId);
    requireEndpointId(id);
    const deliveries = await deps.ledger.outbox.deliveries(id, organizationId, limit);
    if (deliveries.length > 0) return deliveries;
    const endpoint = await deps.ledger.endpoints.find(id);
    return endpoint?.organizationId === organizationId ? deliveries : null;
  });
  if (found === null) throw noEndpoint(id);
  return found;
}

/**
 * Queues an event for this endpoint alone, which is signed and retried like any other and sent at once. Failure `rate_limited`, `forbidden`
 * (nothing would be sent), `endpoint_limit_reached` (nor to this endpoint), `conflict` before provisioning, `not_found`,
 * `service_unavailable`.
 */
export async function sendTest(deps: WebhookDeps, ownerId: string, id: string): Promise<Delivery> {
  await limited(deps, "webhook test of", ownerId);
  const now = deps.clock.now();
  const event = testEvent(id, now);
  const queued = await withLedger(async () => {
    const sender = await activeSenderOf(deps, ownerId);
    requireEndpointId(id);
    await requireRoom(deps, sender, id);
    return await deps.ledger.outbox.publishTest(event, id, now);
  });
  if (queued === null) throw noEndpoint(id);
  return queued;
}

/** A place in the order of commits, and what follows `whe_` in the endpoint's id. */
const DELIVERY_ID = /^whd_\d{1,16}_([0-9A-Za-z]{1,40})$/;

/**
 * Queues one more attempt at once: the same event with the same id and body. A delivery that waits for its next attempt has it
 * now; one that is being sent stays as it is. When the attempt fails the schedule continues where it was. Failure `rate_limited`, `forbidden` (nothing would be sent),
 * `endpoint_limit_reached` (nor to its endpoint), `conflict` before provisioning, `not_found` (also when its endpoint is gone), `service_unavailable`.
 */
export async function replayDelivery(
  deps: WebhookDeps,
  ownerId: string,
  deliveryId: string,
  by: By,
): Promise<Delivery> {
  const missing = new Failure("not_found", { path: `/dashboard/api/webhooks/deliveries/${deliveryId}` });
  await limited(deps, "webhook replay of", ownerId);
  const queued = await withLedger(async () => {
    const sender = await activeSenderOf(deps, ownerId);
    const [, endpoint] = DELIVERY_ID.exec(deliveryId) ?? [];
    if (endpoint === undefined) throw missing;
    await requireRoom(deps, sender, `whe_${endpoint}`, missing);
    return await deps.ledger.outbox.replay(deliveryId, sender.organizationId, deps.clock.now(), by);
  });
  if (queued === null) throw missing;
  return queued;
}
