/** POST /v1/account/webhooks/{id}/rotate: a new signing secret, shown this once; the old one signs nothing any more. */

import type { By } from "#domain/account/audit.ts";
import { sealedSecret } from "./create-endpoint.ts";
import { endpointView } from "./endpoint-rules.ts";
import {
  limited,
  noEndpoint,
  reaching,
  requireEndpointId,
  senderOf,
  type WebhookDeps,
} from "./webhook-deps.ts";

const AGAIN = "rotate again, so that you have the secret that is used";

/**
 * WebhookSecretResponse. Retries of earlier events are signed with the new secret too. Failure `rate_limited`, `conflict`
 * before provisioning, `not_found`, `service_unavailable`: then it may have been rotated all the same.
 */
export async function rotateSecret(deps: WebhookDeps, ownerId: string, id: string, by: By) {
  await limited(deps, "webhook change of", ownerId);
  const { organizationId } = await reaching(() => senderOf(deps, ownerId));
  requireEndpointId(id);
  const { text, envelope } = await sealedSecret(deps, organizationId, id);
  const patch = { secret: envelope };
  const changed = await reaching(() => deps.ledger.endpoints.change(id, organizationId, patch, by), AGAIN);
  if (changed === null) throw noEndpoint(id);
  return { result: "success", endpoint: endpointView(changed), secret: text };
}
