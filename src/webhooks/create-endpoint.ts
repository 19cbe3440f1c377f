/** POST /dashboard/api/webhooks: a new endpoint, whose secret is shown this once. */

import type { By } from "#domain/account/audit.ts";
import { newId } from "#domain/account/key-format.ts";
import { Failure } from "#domain/faults/errors.ts";
import { CHOSEN_TYPES } from "#domain/webhook/endpoint.ts";
import { secretSealedFor } from "#domain/webhook/sealed-secret.ts";
import { newSecret } from "#domain/webhook/signature.ts";
import { checkedWish, type EndpointWish, endpointView } from "./endpoint-rules.ts";
import {
  activeSenderOf,
  limited,
  reaching,
  roomAdvice,
  type Sender,
  type WebhookDeps,
} from "./webhook-deps.ts";

const LOOK_FIRST = "before repeating it see GET /dashboard/api/webhooks: the endpoint may have been added";

/**
 * WebhookSecretResponse. Failure `validation_error`, `rate_limited`, `forbidden` (the plan has no webhooks, or the
 * organization is suspended), `conflict` before provisioning, `endpoint_limit_reached`, `service_unavailable`: then it may
 * have been added all the same, with a secret that nobody has seen.
 */
export async function createEndpoint(
  deps: WebhookDeps,
  ownerId: string,
  wish: EndpointWish & { readonly url: string },
  by: By,
) {
  const { url = wish.url, description = "", events = CHOSEN_TYPES } = checkedWish(wish, deps.allowPrivate);
  await limited(deps, "webhook change of", ownerId);
  const sender = await reaching(() => activeSenderOf(deps, ownerId));
  const id = newId("whe_", deps.random);
  const { text, envelope } = await sealedSecret(deps, sender.organizationId, id);
  const wanted = { url, description, events, secret: envelope };
  const made = await reaching(
    () => deps.ledger.endpoints.add(id, sender.organizationId, wanted, sender.most, by),
    LOOK_FIRST,
  );
  if (made === "full") throw noRoom(deps, sender);
  // Deleted between the two steps.
  if (made === null) throw new Failure("conflict", { reason: "the organization has just been deleted" });
  return { result: "success", endpoint: endpointView(made, "active"), secret: text };
}

/** A new secret: its text, to be shown once, and the envelope to be kept. */
export async function sealedSecret(
  { vault, random }: Pick<WebhookDeps, "vault" | "random">,
  organizationId: string,
  endpointId: string,
): Promise<{ readonly text: string; readonly envelope: string }> {
  const text = newSecret(random);
  const envelope = await vault.seal(text, secretSealedFor(organizationId, endpointId));
  return { text, envelope: JSON.stringify(envelope) };
}

function noRoom(deps: WebhookDeps, { tier, most }: Sender): Failure {
  const advice = roomAdvice(deps, most);
  const all = most === 1 ? "1 webhook endpoint, which is in use" : `${most} webhook endpoints, all in use`;
  return new Failure("endpoint_limit_reached", { reason: `the ${tier} plan has ${all}; ${advice}` });
}
