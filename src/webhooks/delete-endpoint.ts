/** DELETE /dashboard/api/webhooks/{id}: nothing is sent to it any more. */

import type { By } from "#domain/account/audit.ts";
import { noEndpoint, reaching, requireEndpointId, senderOf, type WebhookDeps } from "./webhook-deps.ts";

/**
 * What was still to be sent is dropped with it; what was sent stays to be seen. Never limited. Failure `conflict` before
 * provisioning, `not_found` (it may be gone already), `service_unavailable`.
 */
export async function deleteEndpoint(deps: WebhookDeps, ownerId: string, id: string, by: By) {
  const removed = await reaching(async () => {
    const { organizationId } = await senderOf(deps, ownerId);
    requireEndpointId(id);
    return await deps.ledger.endpoints.remove(id, organizationId, by);
  });
  if (!removed) throw noEndpoint(id);
  return { result: "success", deleted: true, id };
}
