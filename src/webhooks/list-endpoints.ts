/** GET /dashboard/api/webhooks: one's endpoints, and how many the plan has room for. */

import { endpointView } from "./endpoint-rules.ts";
import { reaching, senderOf, stateOf, type WebhookDeps } from "./webhook-deps.ts";

/**
 * WebhooksResponse, oldest first. `delivering` is false while the plan has no webhooks, or the organization is suspended:
 * then nothing is sent, and nothing new is queued. Of endpoints beyond the plan's number `state` says the same. Failure `conflict` before provisioning, `service_unavailable`.
 */
export async function listEndpoints(deps: WebhookDeps, ownerId: string) {
  return await reaching(async () => {
    const sender = await senderOf(deps, ownerId);
    const listed = await deps.ledger.endpoints.list(sender.organizationId);
    const endpoints = listed.map((one) => endpointView(one, stateOf(listed, one.id, sender)));
    const delivering = sender.most > 0 && !sender.isSuspended;
    return { result: "success", endpoints, limit: sender.most, delivering };
  });
}
