/** /dashboard/api/webhooks: lists, adds, changes and deletes the endpoints of an organization, and rotates their secrets. */

import type { By } from "#domain/account/audit.ts";
import { newId } from "#domain/account/key.ts";
import { withLedger } from "#domain/account/ledger.ts";
import { Failure } from "#domain/faults/errors.ts";
import {
  CHOSEN_TYPES,
  type ChosenType,
  type EndpointWithState,
  LONGEST_DESCRIPTION,
} from "#domain/webhook/endpoint.ts";
import { readEndpointUrl } from "#domain/webhook/endpoint-url.ts";
import { newSecret, secretSealedFor } from "#domain/webhook/signature.ts";
import {
  activeSenderOf,
  limited,
  noEndpoint,
  requireEndpointId,
  roomAdvice,
  type Sender,
  senderOf,
  stateOf,
  type WebhookDeps,
} from "./webhook-deps.ts";

export interface EndpointList {
  /** Oldest first. */
  readonly endpoints: readonly EndpointWithState[];
  /** Endpoints that the plan has room for. */
  readonly limit: number;
  /** False while the plan has no webhooks or the organization is suspended: nothing is sent, and nothing new is queued. */
  readonly delivering: boolean;
}

/** An endpoint with its new signing secret, which is shown this once. */
export interface EndpointSecret {
  readonly endpoint: EndpointWithState;
  readonly secret: string;
}

/** Failure `conflict` before provisioning, `service_unavailable`. */
export async function listEndpoints(deps: WebhookDeps, ownerId: string): Promise<EndpointList> {
  return await withLedger(async () => {
    const sender = await senderOf(deps, ownerId);
    const listed = await deps.ledger.endpoints.list(sender.organizationId);
    const endpoints = listed.map((one) => ({ ...one, state: stateOf(listed, one.id, sender) }));
    const delivering = sender.most > 0 && !sender.isSuspended;
    return { endpoints, limit: sender.most, delivering };
  });
}

const LOOK_FIRST = "before repeating it see GET /dashboard/api/webhooks: the endpoint may have been added";

/**
 * Adds an endpoint. Failure `validation_error`, `rate_limited`, `forbidden` (the plan has no webhooks, or the organization
 * is suspended), `conflict` before provisioning, `endpoint_limit_reached`, `service_unavailable`: the endpoint may have been
 * added all the same, with a secret that no reader has seen.
 */
export async function createEndpoint(
  deps: WebhookDeps,
  ownerId: string,
  wish: EndpointWish & { readonly url: string },
  by: By,
): Promise<EndpointSecret> {
  const { url = wish.url, description = "", events = CHOSEN_TYPES } = checkedWish(wish, deps.allowPrivate);
  await limited(deps, "webhook change of", ownerId);
  const sender = await withLedger(() => activeSenderOf(deps, ownerId));
  const id = newId("whe_", deps.random);
  const { text, envelope } = await sealedSecret(deps, sender.organizationId, id);
  const wanted = { url, description, events, secret: envelope };
  const made = await withLedger(
    () => deps.ledger.endpoints.add(id, sender.organizationId, wanted, sender.most, by),
    LOOK_FIRST,
  );
  if (made === "full") throw noRoom(deps, sender);
  // Deleted between the two steps.
  if (made === null) throw new Failure("conflict", { reason: "the organization has just been deleted" });
  return { endpoint: { ...made, state: "active" }, secret: text };
}

/** A new secret: its text, to be shown once, and the envelope to be stored. */
async function sealedSecret(
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

/**
 * Changes address, description, choice of events, or whether anything is sent; the secret stays. What is queued goes to the new address with the next
 * attempt; a choice of events holds for events to come. Failure `validation_error`, `rate_limited`, `conflict` before provisioning, `not_found`, `service_unavailable`.
 */
export async function changeEndpoint(
  deps: WebhookDeps,
  ownerId: string,
  id: string,
  { isEnabled, ...wish }: EndpointChange,
  by: By,
): Promise<EndpointWithState> {
  const patch = {
    ...checkedWish(wish, deps.allowPrivate),
    ...(isEnabled === undefined ? {} : { isEnabled }),
  };
  await limited(deps, "webhook change of", ownerId);
  return await withLedger(async () => {
    const sender = await senderOf(deps, ownerId);
    requireEndpointId(id);
    const endpoint = await deps.ledger.endpoints.change(id, sender.organizationId, patch, by);
    if (endpoint === null) throw noEndpoint(id);
    const listed = await deps.ledger.endpoints.list(sender.organizationId);
    return { ...endpoint, state: stateOf(listed, id, sender) };
  });
}

/**
 * Drops what was still to be sent; what was sent can still be listed. Never limited. Failure `conflict` before
 * provisioning, `not_found` (it may be gone already), `service_unavailable`.
 */
export async function deleteEndpoint(deps: WebhookDeps, ownerId: string, id: string, by: By): Promise<void> {
  const removed = await withLedger(async () => {
    const { organizationId } = await senderOf(deps, ownerId);
    requireEndpointId(id);
    return await deps.ledger.endpoints.remove(id, organizationId, by);
  });
  if (!removed) throw noEndpoint(id);
}

const ROTATE_AGAIN = "rotate again, so that you have the secret that is used";

/**
 * A new signing secret. Retries of earlier events are signed with it too. Failure `rate_limited`, `conflict`
 * before provisioning, `not_found`, `service_unavailable`: then it may have been rotated all the same.
 */
export async function rotateSecret(
  deps: WebhookDeps,
  ownerId: string,
  id: string,
  by: By,
): Promise<EndpointSecret> {
  await limited(deps, "webhook change of", ownerId);
  const sender = await withLedger(() => senderOf(deps, ownerId));
  requireEndpointId(id);
  const { organizationId } = sender;
  const { text, envelope } = await sealedSecret(deps, organizationId, id);
  return await withLedger(async () => {
    const endpoint = await deps.ledger.endpoints.change(id, organizationId, { secret: envelope }, by);
    if (endpoint === null) throw noEndpoint(id);
    const state = stateOf(await deps.ledger.endpoints.list(organizationId), id, sender);
    return { endpoint: { ...endpoint, state }, secret: text };
  }, ROTATE_AGAIN);
}

/** Members that are absent: for a new endpoint the default, for a change the present value. */
export interface EndpointWish {
  readonly url?: string;
  readonly description?: string;
  readonly events?: readonly ChosenType[];
}

/** What may change of an endpoint. While `isEnabled` is false nothing is queued for it, and what was queued waits. */
export interface EndpointChange extends EndpointWish {
  readonly isEnabled?: boolean;
}

/**
 * The wish with the address in its one normal form and events in their order, each once. Failure `validation_error` naming
 * every member that breaks a rule. That a host resolves to public addresses is checked before every attempt, not here.
 */
function checkedWish({ url, description, events }: EndpointWish, allowPrivate: boolean): EndpointWish {
  const errors: { path: string; message: string }[] = [];
  const read = url === undefined ? undefined : readEndpointUrl(url, allowPrivate);
  if (read !== undefined && "refused" in read) errors.push({ path: "/url", message: read.message });
  if (description !== undefined && !isDescription(description)) {
    const message = `At most ${LONGEST_DESCRIPTION} characters, without control characters.`;
    errors.push({ path: "/description", message });
  }
  if (events?.length === 0) errors.push({ path: "/events", message: "Choose at least one." });
  if (errors.length > 0) throw new Failure("validation_error", { members: { errors } });
  return {
    ...(read !== undefined && "url" in read ? { url: read.url } : {}),
    ...(description === undefined ? {} : { description }),
    ...(events === undefined ? {} : { events: CHOSEN_TYPES.filter((type) => events.includes(type)) }),
  };
}

function isDescription(text: string): boolean {
  return [...text].length <= LONGEST_DESCRIPTION && !/[\p{Cc}\p{Cs}]/u.test(text);
}
