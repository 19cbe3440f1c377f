/** POST /v1/account/webhooks/deliveries/{id}/replay: one more attempt of what was delivered or failed for good. */

import type { By } from "#domain/account/audit.ts";
import { Failure } from "#domain/errors.ts";
import { deliveryView } from "./delivery-view.ts";
import { activeSenderOf, limited, reaching, type WebhookDeps } from "./webhook-deps.ts";

/** A place in the order of commits, and an endpoint. */
const DELIVERY_ID = /^whd_\d{1,16}_[0-9A-Za-z]{1,40}$/;

/**
 * WebhookQueuedResponse: the same event with the same id and body, at once. One that is still pending stays as it is.
 * When it fails the schedule goes on where it stood. Failure `rate_limited`, `forbidden` (nothing would be sent), `conflict`
 * before provisioning, `not_found` (also when its endpoint is gone), `service_unavailable`.
 */
export async function replayDelivery(deps: WebhookDeps, ownerId: string, deliveryId: string, by: By) {
  await limited(deps, "webhook replay of", ownerId);
  const queued = await reaching(async () => {
    const { organizationId } = await activeSenderOf(deps, ownerId);
    if (!DELIVERY_ID.test(deliveryId)) return null;
    return await deps.ledger.outbox.replay(deliveryId, organizationId, deps.clock.now(), by);
  });
  if (queued === null) {
    throw new Failure("not_found", { path: `/v1/account/webhooks/deliveries/${deliveryId}` });
  }
  return { result: "success", delivery: deliveryView(queued) };
}
