/**
 * What owners do with webhooks: list, add, change and delete endpoints, rotate secrets, see and repeat deliveries, send a test event. Each
 * action begins with the caller's organization and what its plan allows.
 */

import { isId, newId, type Random } from "#domain/account/key.ts";
import { type By, withLedger } from "#domain/account/ledger.ts";
import { type Tier, tierInForce } from "#domain/account/organization.ts";
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
import type { Clock } from "#ports.ts";

export interface WebhookDeps {
  readonly ledger: Pick<Ledger, "organizations" | "endpoints" | "outbox">;
  readonly vault: Pick<Vault, "seal">;
  readonly attempts: Attempts;
  readonly plans: Pick<Plans, Tier>;
  /** Allows private addresses and plain http, for tests and the demo. */
  readonly allowPrivate: boolean;
  readonly random: Random;
  readonly clock: Clock;
}

interface Sender {
  readonly organizationId: string;
  readonly tier: Tier;
  readonly most: number;
  readonly isSuspended: boolean;
}

type WebhookAttempt = Extract<keyof typeof ATTEMPT_LIMITS, `webhook ${string}`>;

/** Counts one attempt of a person, or Failure `rate_limited` with the time to wait. */
function limited({ attempts, clock }: WebhookDeps, limit: WebhookAttempt, ownerId: string): void {
  const wait = attempts.take([{ limit, key: ownerId }], clock.now());
  if (wait === 0) return;
  const retryAfterSeconds = Math.ceil(wait / 1000);
  const reason = `too many attempts for this account; wait ${retryAfterSeconds} s`;
  throw new Failure("rate_limited", { reason, retryAfterSeconds });
}

/** Failure `conflict` before provisioning. Rejects with LedgerUnavailable. */
async function senderOf({ ledger, plans, clock }: WebhookDeps, ownerId: string): Promise<Sender> {
  const organization = await ledger.organizations.byOwner(ownerId);
  if (organization === null) {
    const reason =
      "there is no organization yet; POST /v1/account/provision makes one, and then endpoints can be added";
    throw new Failure("conflict", { reason });
  }
  const tier = tierInForce(organization, clock.now());
  const isSuspended = organization.status === "suspended";
  return { organizationId: organization.id, tier, most: plans[tier].webhooks, isSuspended };
}

/** As senderOf, for actions that send: also Failure `forbidden` if the plan has no webhooks or the organization is suspended. */
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

/** Failure `not_found` for an endpoint that is not one of the caller's. */
export function noEndpoint(id: string): Failure {
  return new Failure("not_found", { path: `/dashboard/api/webhooks/${id}` });
}

/**
 * Runs `step` for an endpoint of the caller's organization. Failures `conflict` before provisioning, `not_found` if the id is malformed or
 * `step` gives null, `service_unavailable` with the advice.
 */
async function ofEndpoint<Made>(
  deps: WebhookDeps,
  [ownerId, id]: readonly [string, string],
  step: (sender: Sender) => Promise<Made | null>,
  { open = senderOf, advice }: { readonly open?: typeof senderOf; readonly advice?: string } = {},
): Promise<Made> {
  const made = await withLedger(async () => {
    const sender = await open(deps, ownerId);
    // Arbitrary text is not brought to the database.
    return isId("whe_", id) ? await step(sender) : null;
  }, advice);
  if (made === null) throw noEndpoint(id);
  return made;
}

/** The state of an endpoint by its place among those of the organization, oldest first: the ledger's own rule (`withinPlan`). */
function stateIn(
  endpoints: readonly WebhookEndpoint[],
  id: string,
  { most, isSuspended }: Sender,
): EndpointState | null {
  const place = endpoints.findIndex((one) => one.id === id);
  if (place < 0) return null;
  if (isSuspended) return "suspended";
  if (place >= most) return "over_plan";
  return endpoints[place]?.isEnabled === false ? "disabled" : "active";
}

async function withState(
  { ledger }: WebhookDeps,
  endpoint: WebhookEndpoint | null,
  sender: Sender,
): Promise<EndpointWithState | null> {
  if (endpoint === null) return null;
  const state = stateIn(await ledger.endpoints.list(sender.organizationId), endpoint.id, sender);
  return state === null ? null : { ...endpoint, state };
}

/** Whether an endpoint exists. Failure `endpoint_limit_reached` where the plan has no room for it, `conflict` where it is disabled. */
async function maySend(deps: WebhookDeps, sender: Sender, id: string): Promise<boolean> {
  const state = stateIn(await deps.ledger.endpoints.list(sender.organizationId), id, sender);
  if (state === "disabled")
    throw new Failure("conflict", { reason: "the endpoint is disabled; enable it first" });
  if (state === "over_plan") throw noRoom(deps, sender, ["taken by an older one", "all taken by older ones"]);
  return state !== null;
}

function noRoom(
  deps: WebhookDeps,
  { tier, most }: Sender,
  [one, several]: readonly [string, string],
): Failure {
  const larger = plansWith(deps, most + 1);
  const advice = larger === null ? "delete one first" : `delete one first, or change to ${larger}`;
  const has = most === 1 ? `1 webhook endpoint, ${one}` : `${most} webhook endpoints, ${several}`;
  return new Failure("endpoint_limit_reached", { reason: `the ${tier} plan has ${has}; ${advice}` });
}

/** Tiers with at least this number of endpoints, such as "plus and pro"; null when there is no such tier. */
function plansWith({ plans }: WebhookDeps, least: number): string | null {
  const names = Object.entries(plans).flatMap(([name, plan]) =>
    "webhooks" in plan && plan.webhooks >= least ? [name] : [],
  );
  return names.length === 0 ? null : names.join(" and ");
}

/** An endpoint with its new signing secret, which is shown this once. */
export type EndpointSecret = Awaited<ReturnType<typeof rotateSecret>>;

/**
 * The endpoints and the plan's `limit`. `delivering` is false without webhooks in the plan or for a suspended organization: nothing is
 * sent or queued. Failure `conflict` before provisioning, `service_unavailable`.
 */
export async function listEndpoints(deps: WebhookDeps, ownerId: string) {
  return await withLedger(async () => {
    const sender = await senderOf(deps, ownerId);
    const listed = await deps.ledger.endpoints.list(sender.organizationId);
    const endpoints = listed.map((one) => ({
      ...one,
      state: stateIn(listed, one.id, sender) as EndpointState,
    }));
    const delivering = sender.most > 0 && !sender.isSuspended;
    return { endpoints, limit: sender.most, delivering };
  });
}

export type EndpointList = Awaited<ReturnType<typeof listEndpoints>>;

const LOOK_FIRST = "before repeating it see GET /dashboard/api/webhooks: the endpoint may have been added";

/**
 * Failures `validation_error`, `rate_limited`, `forbidden` (no webhooks in the plan, or suspended), `conflict` before provisioning,
 * `endpoint_limit_reached`, `service_unavailable` (it may have been added, with a secret that no reader has seen).
 */
export async function createEndpoint(
  deps: WebhookDeps,
  ownerId: string,
  wish: EndpointWish & { readonly url: string },
  by: By,
): Promise<EndpointSecret> {
  const { url = wish.url, description = "", events = CHOSEN_TYPES } = checkedWish(wish, deps.allowPrivate);
  limited(deps, "webhook change of", ownerId);
  const sender = await withLedger(() => activeSenderOf(deps, ownerId));
  const id = newId("whe_", deps.random);
  const { text, envelope } = await sealedSecret(deps, sender.organizationId, id);
  const endpoint = { url, description, events, secret: envelope };
  const made = await withLedger(
    () => deps.ledger.endpoints.add(id, sender.organizationId, endpoint, sender.most, by),
    LOOK_FIRST,
  );
  if (made === "full") throw noRoom(deps, sender, ["which is in use", "all in use"]);
  if (made === null) throw new Failure("conflict", { reason: "the organization has just been deleted" });
  return { endpoint: { ...made, state: "active" }, secret: text };
}

async function sealedSecret({ vault, random }: WebhookDeps, organizationId: string, endpointId: string) {
  const text = newSecret(random);
  const envelope = await vault.seal(text, secretSealedFor(organizationId, endpointId));
  return { text, envelope: JSON.stringify(envelope) };
}

/**
 * Queued deliveries go to a new address; a new choice of events applies to later events. Failures `validation_error`, `rate_limited`, and
 * those of ofEndpoint.
 */
export async function changeEndpoint(
  deps: WebhookDeps,
  ownerId: string,
  id: string,
  { isEnabled, ...wish }: EndpointWish & { readonly isEnabled?: boolean },
  by: By,
): Promise<EndpointWithState> {
  const patch = {
    ...checkedWish(wish, deps.allowPrivate),
    ...(isEnabled === undefined ? {} : { isEnabled }),
  };
  limited(deps, "webhook change of", ownerId);
  return await ofEndpoint(deps, [ownerId, id], async (sender) =>
    withState(deps, await deps.ledger.endpoints.change(id, sender.organizationId, patch, by), sender),
  );
}

/** Drops what was still to be sent. Never limited. Failures as of ofEndpoint: it may be gone already. */
export async function deleteEndpoint(deps: WebhookDeps, ownerId: string, id: string, by: By): Promise<void> {
  await ofEndpoint(deps, [ownerId, id], async ({ organizationId }) =>
    (await deps.ledger.endpoints.remove(id, organizationId, by)) ? true : null,
  );
}

const ROTATE_AGAIN = "rotate again, so that you have the secret that is used";

/** Retries of earlier events are signed with it too. Failure `rate_limited`, and those of ofEndpoint: it may have been rotated then. */
export async function rotateSecret(deps: WebhookDeps, ownerId: string, id: string, by: By) {
  limited(deps, "webhook change of", ownerId);
  const { organizationId } = await ofEndpoint(deps, [ownerId, id], async (sender) => sender);
  const { text, envelope } = await sealedSecret(deps, organizationId, id);
  const rotated = async (sender: Sender) =>
    withState(deps, await deps.ledger.endpoints.change(id, organizationId, { secret: envelope }, by), sender);
  const endpoint = await ofEndpoint(deps, [ownerId, id], rotated, { advice: ROTATE_AGAIN });
  return { endpoint, secret: text };
}

/** An absent member means the default for a new endpoint, and the present value for a change. */
export interface EndpointWish {
  readonly url?: string;
  readonly description?: string;
  readonly events?: readonly ChosenType[];
}

/**
 * The wish with its address in normal form and events in order. Failure `validation_error` naming every member that breaks a
 * rule. Whether a host is public is checked before every attempt.
 */
function checkedWish({ url, description, events }: EndpointWish, allowPrivate: boolean): EndpointWish {
  const errors: { path: string; message: string }[] = [];
  const read = url === undefined ? undefined : readEndpointUrl(url, allowPrivate);
  if (read !== undefined && "refused" in read) errors.push({ path: "/url", message: read.message });
  const note = description ?? "";
  if ([...note].length > LONGEST_DESCRIPTION || /[\p{Cc}\p{Cs}]/u.test(note)) {
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

/** Newest first; also of a deleted endpoint. Failures as of ofEndpoint. */
export function listDeliveries(
  deps: WebhookDeps,
  ownerId: string,
  id: string,
  limit: number,
): Promise<readonly DeliveryWithAttempts[]> {
  return ofEndpoint(deps, [ownerId, id], async ({ organizationId }) => {
    const { ledger } = deps;
    const deliveries = await ledger.outbox.deliveries(id, organizationId, limit);
    if (deliveries.length > 0) return deliveries;
    const endpoint = await ledger.endpoints.find(id);
    return endpoint?.organizationId === organizationId ? deliveries : null;
  });
}

/**
 * Queues an event for this endpoint, signed and retried like any other. Failure `rate_limited`, `forbidden`,
 * `endpoint_limit_reached` (nothing would be sent), and those of ofEndpoint.
 */
export async function sendTest(deps: WebhookDeps, ownerId: string, id: string): Promise<Delivery> {
  limited(deps, "webhook test of", ownerId);
  const now = deps.clock.now();
  const publish = async (sender: Sender) =>
    (await maySend(deps, sender, id)) ? deps.ledger.outbox.publishTest(testEvent(id, now), id, now) : null;
  return await ofEndpoint(deps, [ownerId, id], publish, { open: activeSenderOf });
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
  limited(deps, "webhook replay of", ownerId);
  const queued = await withLedger(async () => {
    const sender = await activeSenderOf(deps, ownerId);
    const [, endpoint] = DELIVERY_ID.exec(deliveryId) ?? [];
    if (endpoint === undefined || !(await maySend(deps, sender, `whe_${endpoint}`))) return null;
    return await deps.ledger.outbox.replay(deliveryId, sender.organizationId, deps.clock.now(), by);
  });
  if (queued !== null) return queued;
  throw new Failure("not_found", { path: `/dashboard/api/webhooks/deliveries/${deliveryId}` });
}
