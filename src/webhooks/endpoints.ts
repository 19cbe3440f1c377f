/**
 * What owners do with webhooks: list, add, change and delete endpoints, rotate secrets, see and repeat deliveries, send a test
 * event. First of all: the caller's organization and what its plan allows.
 */

import { isId, newId, type Random } from "#domain/account/key.ts";
import { type By, withLedger } from "#domain/account/ledger.ts";
import { type Organization, type Tier, tierInForce } from "#domain/account/organization.ts";
import type { Plans } from "#domain/billing/plan.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { ATTEMPT_LIMITS } from "#domain/limits/counts.ts";
import {
  CHOSEN_TYPES,
  type ChosenType,
  type Delivery,
  type DeliveryWithAttempts,
  type EndpointState,
  type EndpointWithState,
  LONGEST_DESCRIPTION,
  newSecret,
  secretSealedFor,
  testEvent,
  type WebhookEndpoint,
} from "#domain/webhook/endpoint.ts";
import { readEndpointUrl } from "#domain/webhook/endpoint-url.ts";
import type { Vault } from "#ports/identity.ts";
import type { Attempts, Ledger } from "#ports/ledger.ts";
import type { Outbox } from "#ports/webhooks.ts";
import type { Clock } from "#ports.ts";

export interface WebhookDeps {
  readonly ledger: {
    readonly organizations: Pick<Ledger["organizations"], "byOwner">;
    readonly endpoints: Pick<Ledger["endpoints"], "add" | "list" | "find" | "change" | "remove">;
    readonly outbox: Pick<Outbox, "publishTest" | "deliveries" | "replay">;
  };
  readonly vault: Pick<Vault, "seal">;
  readonly attempts: Attempts;
  readonly plans: Pick<Plans, Tier>;
  /** For tests and the demo: private addresses, and plain http. */
  readonly allowPrivate: boolean;
  readonly random: Random;
  readonly clock: Clock;
}

export interface Sender {
  readonly organizationId: string;
  readonly tier: Tier;
  readonly most: number;
  readonly isSuspended: boolean;
}

type WebhookAttempt = Extract<keyof typeof ATTEMPT_LIMITS, `webhook ${string}`>;

/** Counts one attempt of a person, or Failure `rate_limited` with the time to wait. */
async function limited(
  { attempts, clock }: Pick<WebhookDeps, "attempts" | "clock">,
  limit: WebhookAttempt,
  ownerId: string,
): Promise<void> {
  const wait = await attempts.take([{ limit, key: ownerId }], clock.now());
  if (wait === 0) return;
  const retryAfterSeconds = Math.ceil(wait / 1000);
  const reason = `too many attempts for this account; wait ${retryAfterSeconds} s`;
  throw new Failure("rate_limited", { reason, retryAfterSeconds });
}

/** Failure `conflict` before provisioning. Rejects with LedgerUnavailable. */
async function senderOf(
  { ledger, plans, clock }: Pick<WebhookDeps, "ledger" | "plans" | "clock">,
  ownerId: string,
): Promise<Sender> {
  const organization = await ledger.organizations.byOwner(ownerId);
  if (organization === null) {
    const reason =
      "there is no organization yet; POST /v1/account/provision makes one, and then endpoints can be added";
    throw new Failure("conflict", { reason });
  }
  return allowed(organization, plans, clock);
}

/** The same for what sends: Failure `forbidden` too, where the plan has no webhooks or the organization is suspended. */
async function activeSenderOf(deps: WebhookDeps, ownerId: string): Promise<Sender> {
  const sender = await senderOf(deps, ownerId);
  if (sender.isSuspended) {
    const reason = "this account is suspended; write to the operator of this server";
    throw new Failure("forbidden", { reason });
  }
  if (sender.most > 0) return sender;
  const having = plansWith(deps, 1);
  const advice =
    having === null
      ? "no plan of this server has any"
      : `${having} ${having.includes(" ") ? "have" : "has"} them`;
  throw new Failure("forbidden", { reason: `the ${sender.tier} plan has no webhook endpoints; ${advice}` });
}

/**
 * The state of an endpoint by its place among those of the organization, oldest first: the ledger's own rule (`withinPlan`).
 * Throws `missing` where it is not among them.
 */
function stateOf(
  endpoints: readonly WebhookEndpoint[],
  id: string,
  { most, isSuspended }: Pick<Sender, "most" | "isSuspended">,
  missing = noEndpoint(id),
): EndpointState {
  const place = endpoints.findIndex((one) => one.id === id);
  if (place < 0) throw missing;
  if (isSuspended) return "suspended";
  if (place >= most) return "over_plan";
  return endpoints[place]?.isEnabled === false ? "disabled" : "active";
}

/** Failure `endpoint_limit_reached` because the plan has no room for it, `conflict` because it is disabled. */
async function requireRoom(deps: WebhookDeps, sender: Sender, id: string, missing?: Failure): Promise<void> {
  const listed = await deps.ledger.endpoints.list(sender.organizationId);
  const state = stateOf(listed, id, sender, missing);
  if (state === "disabled")
    throw new Failure("conflict", { reason: "the endpoint is disabled; enable it first" });
  if (state !== "over_plan") return;
  const { tier, most } = sender;
  const has =
    most === 1
      ? "1 webhook endpoint, and an older one is it"
      : `${most} webhook endpoints, and older ones take them`;
  throw new Failure("endpoint_limit_reached", {
    reason: `the ${tier} plan has ${has}; ${roomAdvice(deps, most)}`,
  });
}

function roomAdvice(deps: Pick<WebhookDeps, "plans">, most: number): string {
  const larger = plansWith(deps, most + 1);
  return larger === null ? "delete one first" : `delete one first, or change to ${larger}`;
}

/** Tiers with at least so many endpoints, such as "plus and pro"; null when there is none. */
function plansWith({ plans }: Pick<WebhookDeps, "plans">, least: number): string | null {
  const names = Object.entries(plans).flatMap(([name, plan]) =>
    "webhooks" in plan && plan.webhooks >= least ? [name] : [],
  );
  return names.length === 0 ? null : names.join(" and ");
}

/** Failure `not_found` for arbitrary text, before the database is asked. */
function requireEndpointId(id: string): void {
  if (!isId("whe_", id)) throw noEndpoint(id);
}

/** Failure `not_found` for an endpoint that is not one of the caller's. */
export function noEndpoint(id: string): Failure {
  return new Failure("not_found", { path: `/dashboard/api/webhooks/${id}` });
}

function allowed(organization: Organization, plans: WebhookDeps["plans"], clock: Clock): Sender {
  const tier = tierInForce(organization, clock.now());
  return {
    organizationId: organization.id,
    tier,
    most: plans[tier].webhooks,
    isSuspended: organization.status === "suspended",
  };
}

export interface EndpointList {
  readonly endpoints: readonly EndpointWithState[];
  readonly limit: number;
  /** False without webhooks in the plan, or for a suspended organization: nothing is sent or queued. */
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
 * Failure `validation_error`, `rate_limited`, `forbidden` (no webhooks in the plan, or suspended), `conflict` before provisioning,
 * `endpoint_limit_reached`, `service_unavailable`: it may have been added then, with a secret that no reader has seen.
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
  if (made === null) throw new Failure("conflict", { reason: "the organization has just been deleted" });
  return { endpoint: { ...made, state: "active" }, secret: text };
}

/** A new secret: its text, shown once, and its envelope. */
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
 * What is queued goes to the new address; a choice of events holds for events to come. Failure `validation_error`,
 * `rate_limited`, `conflict` before provisioning, `not_found`, `service_unavailable`.
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
 * Drops what was still to be sent. Never limited. Failure `conflict` before provisioning, `not_found` (perhaps gone already),
 * `service_unavailable`.
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
 * Retries of earlier events are signed with it too. Failure `rate_limited`, `conflict` before provisioning, `not_found`,
 * `service_unavailable`: it may have been rotated then.
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

/** While `isEnabled` is false nothing is queued, and what was queued waits. */
export interface EndpointChange extends EndpointWish {
  readonly isEnabled?: boolean;
}

/**
 * The wish with its address in normal form and events in order. Failure `validation_error` naming every member that breaks a
 * rule. Whether a host is public is checked before every attempt.
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

/** Newest first; also of a deleted endpoint. Failure `conflict` before provisioning, `not_found`, `service_unavailable`. */
export async function listDeliveries(
  deps: WebhookDeps,
  ownerId: string,
  id: string,
  limit: number,
): Promise<readonly DeliveryWithAttempts[]> {
  const found = await withLedger(async () => {
    const { organizationId } = await senderOf(deps, ownerId);
    requireEndpointId(id);
    const deliveries = await deps.ledger.outbox.deliveries(id, organizationId, limit);
    if (deliveries.length > 0) return deliveries;
    const endpoint = await deps.ledger.endpoints.find(id);
    return endpoint?.organizationId === organizationId ? deliveries : null;
  });
  if (found === null) throw noEndpoint(id);
  return found;
}

/**
 * Queues an event for this endpoint, signed and retried like any other. Failure `rate_limited`, `forbidden`,
 * `endpoint_limit_reached` (nothing would be sent), `conflict` before provisioning, `not_found`, `service_unavailable`.
 */
export async function sendTest(deps: WebhookDeps, ownerId: string, id: string): Promise<Delivery> {
  await limited(deps, "webhook test of", ownerId);
  const now = deps.clock.now();
  const event = testEvent(id, now);
  const queued = await withLedger(async () => {
    const sender = await activeSenderOf(deps, ownerId);
    requireEndpointId(id);
    await requireRoom(deps, sender, id);
    return await deps.ledger.outbox.publishTest(event, id, now);
  });
  if (queued === null) throw noEndpoint(id);
  return queued;
}

/** A place in the order of commits, and what follows `whe_` in the endpoint's id. */
const DELIVERY_ID = /^whd_\d{1,16}_([0-9A-Za-z]{1,40})$/;

/**
 * Queues one more attempt: the same event, id and body. A delivery that waits has its next attempt now; after a failure the schedule
 * continues. Failure `rate_limited`, `forbidden`, `endpoint_limit_reached` (nothing would be sent), `conflict` before
 * provisioning, `not_found`, `service_unavailable`.
 */
export async function replayDelivery(
  deps: WebhookDeps,
  ownerId: string,
  deliveryId: string,
  by: By,
): Promise<Delivery> {
  const missing = new Failure("not_found", { path: `/dashboard/api/webhooks/deliveries/${deliveryId}` });
  await limited(deps, "webhook replay of", ownerId);
  const queued = await withLedger(async () => {
    const sender = await activeSenderOf(deps, ownerId);
    const [, endpoint] = DELIVERY_ID.exec(deliveryId) ?? [];
    if (endpoint === undefined) throw missing;
    await requireRoom(deps, sender, `whe_${endpoint}`, missing);
    return await deps.ledger.outbox.replay(deliveryId, sender.organizationId, deps.clock.now(), by);
  });
  if (queued === null) throw missing;
  return queued;
}
