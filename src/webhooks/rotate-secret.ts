/** POST /dashboard/api/webhooks/{id}/rotate: a new signing secret, shown this once; the old one signs nothing any more. */

import type { By } from "#domain/account/audit.ts";
import { sealedSecret } from "./create-endpoint.ts";
import { endpointView } from "./endpoint-rules.ts";
import {
  limited,
  noEndpoint,
  reaching,
  requireEndpointId,
  senderOf,
  stateOf,
  type WebhookDeps,
} from "./webhook-deps.ts";

const AGAIN = "rotate again, so that you have the secret that is used";

/**
 * WebhookSecretResponse. Retries of earlier events are signed with the new secret too. Failure `rate_limited`, `conflict`
 * before provisioning, `not_found`, `service_unavailable`: then it may have been rotated all the same.
 */
export async function rotateSecret(deps: WebhookDeps, ownerId: string, id: string, by: By) {
  await limited(deps, "webhook change of", ownerId);
  const sender = await reaching(() => senderOf(deps, ownerId));
  requireEndpointId(id);
  const { organizationId } = sender;
  const { text, envelope } = await sealedSecret(deps, organizationId, id);
  const changed = await reaching(async () => {
    const endpoint = await deps.ledger.endpoints.change(id, organizationId, { secret: envelope }, by);
    if (endpoint === null) throw noEndpoint(id);
    return endpointView(endpoint, stateOf(await deps.ledger.endpoints.list(organizationId), id, sender));
  }, AGAIN);
  return { result: "success", endpoint: changed, secret: text };
}
