/** POST /dashboard/api/webhooks/deliveries/{id}/replay: one more attempt of what was delivered or failed for good. */

import type { By } from "#domain/account/audit.ts";
import { Failure } from "#domain/faults/errors.ts";
import { deliveryView } from "./delivery-view.ts";
import { activeSenderOf, limited, reaching, requireRoom, type WebhookDeps } from "./webhook-deps.ts";

/** A place in the order of commits, and what stands behind `whe_` in the endpoint's id. */
const DELIVERY_ID = /^whd_\d{1,16}_([0-9A-Za-z]{1,40})$/;

/**
 * WebhookQueuedResponse: the same event with the same id and body, at once. One that is still pending stays as it is.
 * When it fails the schedule goes on where it stood. Failure `rate_limited`, `forbidden` (nothing would be sent),
 * `endpoint_limit_reached` (nor to its endpoint), `conflict` before provisioning, `not_found` (also when its endpoint is gone), `service_unavailable`.
 */
export async function replayDelivery(deps: WebhookDeps, ownerId: string, deliveryId: string, by: By) {
  const missing = new Failure("not_found", { path: `/dashboard/api/webhooks/deliveries/${deliveryId}` });
  await limited(deps, "webhook replay of", ownerId);
  const queued = await reaching(async () => {
    const sender = await activeSenderOf(deps, ownerId);
    const [, endpoint] = DELIVERY_ID.exec(deliveryId) ?? [];
    if (endpoint === undefined) throw missing;
    await requireRoom(deps, sender, `whe_${endpoint}`, missing);
    return await deps.ledger.outbox.replay(deliveryId, sender.organizationId, deps.clock.now(), by);
  });
  if (queued === null) throw missing;
  return { result: "success", delivery: deliveryView(queued) };
}
