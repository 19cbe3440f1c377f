/** POST /dashboard/api/webhooks/{id}: another address, description or choice of events; the secret stays. */

import type { By } from "#domain/account/audit.ts";
import { checkedWish, type EndpointWish, endpointView } from "./endpoint-rules.ts";
import {
  limited,
  noEndpoint,
  reaching,
  requireEndpointId,
  senderOf,
  stateOf,
  type WebhookDeps,
} from "./webhook-deps.ts";

/**
 * WebhookResponse. What is queued goes to the new address with the next attempt; a choice of events holds for events to
 * come. Failure `validation_error`, `rate_limited`, `conflict` before provisioning, `not_found`, `service_unavailable`.
 */
export async function changeEndpoint(
  deps: WebhookDeps,
  ownerId: string,
  id: string,
  wish: EndpointWish,
  by: By,
) {
  const patch = checkedWish(wish, deps.allowPrivate);
  await limited(deps, "webhook change of", ownerId);
  const changed = await reaching(async () => {
    const sender = await senderOf(deps, ownerId);
    requireEndpointId(id);
    const endpoint = await deps.ledger.endpoints.change(id, sender.organizationId, patch, by);
    if (endpoint === null) throw noEndpoint(id);
    const listed = await deps.ledger.endpoints.list(sender.organizationId);
    return endpointView(endpoint, stateOf(listed, id, sender));
  });
  return { result: "success", endpoint: changed };
}
