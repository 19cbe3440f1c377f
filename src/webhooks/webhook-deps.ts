/** What managing webhook endpoints needs, and the first step of all its use cases: whose organization it is and what its plan allows. */

import { isId, type Random } from "#domain/account/key.ts";
import { type Organization, type Tier, tierInForce } from "#domain/account/organization.ts";
import type { Plans } from "#domain/billing/plan.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { ATTEMPT_LIMITS } from "#domain/limits/attempts.ts";
import type { EndpointState, WebhookEndpoint } from "#domain/webhook/endpoint.ts";
import type { Attempts } from "#ports/counters.ts";
import type { Ledger } from "#ports/ledger.ts";
import type { Vault } from "#ports/vault.ts";
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
  /** For tests and the demo: endpoints on private addresses, and on plain http. */
  readonly allowPrivate: boolean;
  /** Makes ids and secrets: it must never repeat. */
  readonly random: Random;
  readonly clock: Clock;
}

/** What an organization may do with webhooks now. */
export interface Sender {
  readonly organizationId: string;
  readonly tier: Tier;
  /** Endpoints that its plan has room for. */
  readonly most: number;
  readonly isSuspended: boolean;
}

type WebhookAttempt = Extract<keyof typeof ATTEMPT_LIMITS, `webhook ${string}`>;

/** Counts one attempt of a person, or Failure `rate_limited` with the time to wait. */
export async function limited(
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
export async function senderOf(
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
export async function activeSenderOf(deps: WebhookDeps, ownerId: string): Promise<Sender> {
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
 * What becomes of an endpoint now, by its place among those of the organization, oldest first; the rule by which the ledger
 * queues and claims (`withinPlan`). Failure `missing` where it is not among them any more.
 */
export function stateOf(
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

/** Where nothing would be sent to it: Failure `endpoint_limit_reached` because the plan has no room for it, `conflict` because it is disabled. */
export async function requireRoom(
  deps: WebhookDeps,
  sender: Sender,
  id: string,
  missing?: Failure,
): Promise<void> {
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

/** What helps where the plan's number is reached. */
export function roomAdvice(deps: Pick<WebhookDeps, "plans">, most: number): string {
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

/** Failure `not_found` for what cannot be an endpoint's id: the database is not queried for arbitrary text. */
export function requireEndpointId(id: string): void {
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
