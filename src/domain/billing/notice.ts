/** Notices of the billing provider, and faults of billing by name. Notices arrive in any order, so the current state is always fetched. */

import { Failure } from "#domain/faults/errors.ts";
import type { Instant } from "#domain/time/day.ts";

export const BILLING_FAULTS = [
  "not_configured",
  /** The plan has no price at this interval. */
  "not_offered",
  /** No answer, a broken one, an overload or a failure on their side: later it may work. */
  "unavailable",
  /** Our secret key is refused, or may not do this. */
  "refused_credentials",
  /** The request is refused and will be again. */
  "rejected",
  /** The idempotency key was used with other parameters. */
  "key_reused",
  /** Test and live mode are mixed up: a key of one, an object or event of the other. */
  "wrong_mode",
  /** An event without a valid signature, or outside of the tolerance. */
  "bad_signature",
  /** An answer or a signed event that is not of the documented shape. */
  "unreadable",
  /** A subscription of ours at a price that no plan has. */
  "unknown_price",
] as const;
export type BillingFaultKind = (typeof BILLING_FAULTS)[number];

/** What the provider is asked for; "verify" makes no call. */
export const BILLING_CALLS = [
  "checkout",
  "portal",
  "subscription",
  "subscriptions",
  "prices",
  "close_checkouts",
  "cancel",
  "verify",
] as const;

/** `message` is for an operator and holds no secret. Nothing was changed on our side. */
export class BillingFault extends Error {
  readonly kind: BillingFaultKind;
  /** Seconds to wait, as the provider asks; null where it does not say. */
  readonly retryAfterSeconds: number | null;

  constructor(kind: BillingFaultKind, message: string, retryAfterSeconds: number | null = null) {
    super(message);
    this.name = "BillingFault";
    this.kind = kind;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** For checkout and portal: 501 without a provider, 422 for an interval that is not sold, else 503. The fault is the cause, for the log only. */
export function failureOf(fault: BillingFault): Failure {
  if (fault.kind === "not_configured") return new Failure("billing_not_configured", {}, fault);
  if (fault.kind === "not_offered") {
    const errors = [{ path: "/interval", message: fault.message }];
    return new Failure("validation_error", { members: { errors } }, fault);
  }
  const retryAfterSeconds = fault.retryAfterSeconds ?? 60;
  const reason = "the billing provider cannot be used at the moment; nothing was bought, try again later";
  return new Failure("billing_unavailable", { reason, retryAfterSeconds }, fault);
}

/** For notices: 400 for an event that the provider has not signed, 501 without a provider, else 503 (the provider then sends it again). */
export function noticeFailureOf(fault: BillingFault): Failure {
  if (fault.kind === "not_configured") return new Failure("billing_not_configured", {}, fault);
  if (fault.kind === "bad_signature" || fault.kind === "wrong_mode") {
    const reason = "the event is not signed by the billing provider";
    return new Failure("invalid_request", { reason }, fault);
  }
  const reason = "the event cannot be applied yet; send it again";
  return new Failure("billing_unavailable", { reason }, fault);
}

export interface BillingNotice {
  /** Unique for ever: the key under which an event is applied once. */
  readonly id: string;
  readonly type: string;
  readonly live: boolean;
  /** The subscription to fetch again. Null when the event names no subscription: the customer's subscriptions then decide. */
  readonly subscriptionId: string | null;
  readonly customerId: string | null;
  /** False: recorded and otherwise ignored. */
  readonly relevant: boolean;
}

/** The events to subscribe to at the provider; anything else is accepted and ignored. */
export const RELEVANT_NOTICES = [
  "checkout.session.completed",
  "checkout.session.async_payment_succeeded",
  "customer.deleted",
  "customer.subscription.created",
  "customer.subscription.deleted",
  "customer.subscription.paused",
  "customer.subscription.pending_update_applied",
  "customer.subscription.resumed",
  "customer.subscription.updated",
  "invoice.marked_uncollectible",
  "invoice.paid",
  "invoice.payment_action_required",
  "invoice.payment_failed",
  "invoice.voided",
] as const;

export function recordOf({ id, type, subscriptionId, customerId }: BillingNotice): NewBillingEvent {
  return { id, type, objectId: subscriptionId ?? customerId };
}

type Fields = Readonly<Record<string, unknown>>;

/** Reads identifiers only: every API version is understood. BillingFault `unreadable` when it is not an event. */
export function readNotice(json: unknown): BillingNotice {
  const event = fields(json);
  const object = fields(fields(event?.["data"])?.["object"]);
  const [id, type] = [text(event?.["id"]), text(event?.["type"])];
  if (event?.["object"] !== "event" || id === null || type === null || object === null)
    throw new BillingFault("unreadable", "the signed body is not a Stripe event");
  return {
    id,
    type,
    live: event["livemode"] === true,
    subscriptionId: subscriptionOf(object),
    customerId: object["object"] === "customer" ? text(object["id"]) : reference(object["customer"]),
    relevant: RELEVANT_NOTICES.some((relevant) => relevant === type),
  };
}

function subscriptionOf(object: Fields): string | null {
  if (object["object"] === "subscription") return text(object["id"]);
  // Invoices name their subscription under `parent` since API version 2025-03-31, at the top level before.
  const details = fields(fields(object["parent"])?.["subscription_details"]);
  return reference(details?.["subscription"]) ?? reference(object["subscription"]);
}

function reference(value: unknown): string | null {
  return text(value) ?? text(fields(value)?.["id"]);
}

function fields(value: unknown): Fields | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

export interface BillingEvent {
  readonly id: string;
  readonly type: string;
  /** What the event is about, such as a subscription's id. */
  readonly objectId: string | null;
  readonly receivedAt: Instant;
  readonly processedAt: Instant | null;
  /** A short code: "applied", "ignored", "unknown_customer". */
  readonly outcome: string | null;
}

export type NewBillingEvent = Pick<BillingEvent, "id" | "type" | "objectId">;
