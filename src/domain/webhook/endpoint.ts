/** The types of webhooks: an endpoint of an organization, an event, and a delivery with its outcome; the event of a test. */

import { formatInstant, type Instant } from "#domain/time/day.ts";

export const EVENT_TYPES = ["official.published", "official.corrected", "webhook.test"] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** The types that an owner can subscribe to; a test event goes to the endpoint that is tested. */
export const CHOSEN_TYPES = ["official.published", "official.corrected"] as const;
export type ChosenType = (typeof CHOSEN_TYPES)[number];

export interface WebhookEndpoint {
  /** `whe_…` */
  readonly id: string;
  readonly organizationId: string;
  /** As registered: https, port 443, a public host name. */
  readonly url: string;
  /** At most 200 characters; empty when there is none. */
  readonly description: string;
  /** At least one. */
  readonly events: readonly ChosenType[];
  /** False: its owner has disabled it, and nothing is sent. */
  readonly isEnabled: boolean;
  readonly createdAt: Instant;
  /** When the secret was made or last rotated. */
  readonly secretAt: Instant;
}

/** An event as it is sent: the bytes are made once. */
export interface WebhookEvent {
  /** `evt_<table>_<publication>_v<version>` or `evt_test_<milliseconds>`. */
  readonly id: string;
  readonly type: EventType;
  readonly createdAt: Instant;
  /** Compact JSON. */
  readonly body: string;
}

/** pending: an attempt is due at `dueAt`. delivered: a 2xx came. failed: the last attempt failed. dropped: it ended for its `reason`. */
export const DELIVERY_STATES = ["pending", "delivered", "failed", "dropped"] as const;
type DeliveryState = (typeof DELIVERY_STATES)[number];

/** endpoint_deleted: its endpoint is gone. over_plan: the plan had no room for its endpoint while it was queued. */
export const DROP_REASONS = ["endpoint_deleted", "over_plan"] as const;
export type DropReason = (typeof DROP_REASONS)[number];

/** active: sent to. disabled: by its owner. over_plan: beyond the plan's number, of which the oldest stay active. suspended: with its organization. */
export const ENDPOINT_STATES = ["active", "disabled", "over_plan", "suspended"] as const;
export type EndpointState = (typeof ENDPOINT_STATES)[number];

export interface Delivery {
  readonly id: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly state: DeliveryState;
  /** Of one that was dropped; else null. */
  readonly reason: DropReason | null;
  /** Attempts that ended. */
  readonly attempts: number;
  /** When the next attempt may be made; null when none is to come. */
  readonly dueAt: Instant | null;
}

/** An endpoint as its owner sees it. */
export interface EndpointWithState extends WebhookEndpoint {
  readonly state: EndpointState;
}

/** Why an attempt failed, where no status came. */
export const ATTEMPT_FAULTS = [
  "url",
  "dns",
  "address",
  "connect",
  "tls",
  "timeout",
  "closed",
  "response",
] as const;
export type AttemptFault = (typeof ATTEMPT_FAULTS)[number];

/** How one attempt ended: with a status, or with a named fault before one came. */
export interface AttemptOutcome {
  readonly status: number | null;
  readonly fault: AttemptFault | null;
  readonly milliseconds: number;
  /** The address that was connected to; null where none was. */
  readonly address: string | null;
}

/** A delivery with its event and every attempt that ended, oldest first. */
export interface DeliveryWithAttempts extends Delivery {
  readonly event: WebhookEvent;
  readonly tries: readonly (AttemptOutcome & { readonly at: Instant })[];
}

/** `evt_test_<unix milliseconds>`; compact JSON, with the endpoint's id as the only datum. */
export function testEvent(endpointId: string, at: Instant): WebhookEvent {
  const [id, type] = [`evt_test_${at}`, "webhook.test"] as const;
  const body = JSON.stringify({ id, type, created_at: formatInstant(at), data: { endpoint: endpointId } });
  return { id, type, createdAt: at, body };
}
