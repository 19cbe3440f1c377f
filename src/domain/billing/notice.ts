/** Notices of the billing provider: what each one is about. They arrive in any order, so the current state is always fetched. */

import type { Instant } from "#domain/time/day.ts";
import { BillingFault } from "./fault.ts";

export interface BillingNotice {
  /** Unique for ever: the key under which an event is applied once. */
  readonly id: string;
  readonly type: string;
  readonly createdAt: Instant;
  readonly live: boolean;
  /** What to fetch again; null when the event names none, then the customer's subscriptions decide. */
  readonly subscriptionId: string | null;
  readonly customerId: string | null;
  /** As our checkout wrote it, where the event carries it. */
  readonly orgId: string | null;
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

/** The notice as the ledger records it, once. */
export function recordOf({ id, type, subscriptionId, customerId }: BillingNotice): NewBillingEvent {
  return { id, type, objectId: subscriptionId ?? customerId };
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * A parsed event → what it is about. Only identifiers are read, so that every API version is understood, whichever the
 * endpoint is set to. BillingFault `unreadable` when it is not an event.
 */
export function readNotice(json: unknown): BillingNotice {
  const event = fields(json);
  const object = fields(fields(event?.["data"])?.["object"]);
  const [id, type, created] = [text(event?.["id"]), text(event?.["type"]), event?.["created"]];
  if (event?.["object"] !== "event" || id === null || type === null || object === null)
    throw new BillingFault("unreadable", "the signed body is not a Stripe event");
  if (typeof created !== "number" || !Number.isFinite(created))
    throw new BillingFault("unreadable", `the event ${id} has no time`);
  const isCustomer = object["object"] === "customer";
  return {
    id,
    type,
    createdAt: created * 1000,
    live: event["livemode"] === true,
    subscriptionId: subscriptionOf(object),
    customerId: isCustomer ? text(object["id"]) : reference(object["customer"]),
    orgId: orgOf(object),
    relevant: RELEVANT_NOTICES.some((relevant) => relevant === type),
  };
}

function subscriptionOf(object: Fields): string | null {
  if (object["object"] === "subscription") return text(object["id"]);
  // Invoices name theirs under `parent` since API version 2025-03-31, directly before.
  const details = fields(fields(object["parent"])?.["subscription_details"]);
  return reference(details?.["subscription"]) ?? reference(object["subscription"]);
}

function orgOf(object: Fields): string | null {
  return text(fields(object["metadata"])?.["org_id"]) ?? text(object["client_reference_id"]);
}

/** An object named by its id, or present in full. */
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
  /** The provider's id of the event. */
  readonly id: string;
  readonly type: string;
  /** What it is about, such as a subscription's id. */
  readonly objectId: string | null;
  readonly receivedAt: Instant;
  readonly processedAt: Instant | null;
  /** A short code: "applied", "ignored", "unknown_customer". */
  readonly outcome: string | null;
}

export type NewBillingEvent = Pick<BillingEvent, "id" | "type" | "objectId">;
