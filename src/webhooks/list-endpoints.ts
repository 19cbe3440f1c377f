/** GET /v1/account/webhooks: one's endpoints, and how many the plan has room for. */

import { endpointView } from "./endpoint-rules.ts";
import { reaching, senderOf, type WebhookDeps } from "./webhook-deps.ts";

/**
 * WebhooksResponse, oldest first. `delivering` is false while the plan has no webhooks, or the organization is suspended:
 * then nothing is sent, and nothing new is queued. Failure `conflict` before provisioning, `service_unavailable`.
 */
export async function listEndpoints(deps: WebhookDeps, ownerId: string) {
  return await reaching(async () => {
    const { organizationId, most, isSuspended } = await senderOf(deps, ownerId);
    const endpoints = await deps.ledger.endpoints.list(organizationId);
    const delivering = most > 0 && !isSuspended;
    return { result: "success", endpoints: endpoints.map(endpointView), limit: most, delivering };
  });
}
