/** Endpoints, events, deliveries and attempts as their rows, alone or joined; and which endpoints are sent to, as SQL. */

import { PAST_DUE_GRACE_MILLISECONDS, type Tier } from "#domain/account/organization.ts";
import type { Instant } from "#domain/time/day.ts";
import {
  ATTEMPT_FAULTS,
  type AttemptOutcome,
  type ChosenType,
  DELIVERY_STATES,
  type Delivery,
  DROP_REASONS,
  EVENT_TYPES,
  type WebhookEndpoint,
  type WebhookEvent,
} from "#domain/webhook/endpoint.ts";
import type { EndpointWithSecret } from "#ports/webhooks.ts";
import {
  integer,
  integerOrNull,
  oneOf,
  type Row,
  raw,
  type Sql,
  sql,
  text,
  textOrNull,
} from "#store/ledger/engine/rows.ts";

const ENDPOINT_NAMES = [
  "id",
  "organization_id",
  "url",
  "description",
  "wants_published",
  "wants_corrected",
  "enabled",
  "secret",
  "created_at",
  "secret_at",
];
export const ENDPOINT_COLUMNS = raw(ENDPOINT_NAMES.join(", "));

const DELIVERY_COLUMNS = ["id", "endpoint_id", "state", "reason", "attempts", "due_at"]
  .map((name) => `delivery.${name}`)
  .join(", ");
const EVENT_COLUMNS = ["id", "type", "created_at", "body"]
  .map((name) => `event.${name} AS event_${name}`)
  .join(", ");

/** Deliveries with their events; a condition on `delivery` goes behind it. */
export const SELECT_DELIVERIES = raw(`SELECT ${DELIVERY_COLUMNS}, ${EVENT_COLUMNS}
  FROM webhook_deliveries AS delivery JOIN webhook_events AS event ON event.position = delivery.event_position`);

/** The same with their endpoints, which those of a removed one have not. */
export const SELECT_DELIVERIES_AND_ENDPOINTS = raw(`
  SELECT ${DELIVERY_COLUMNS}, ${EVENT_COLUMNS}, ${ENDPOINT_NAMES.map((name) => `endpoint.${name} AS endpoint_${name}`).join(", ")}
  FROM webhook_deliveries AS delivery JOIN webhook_events AS event ON event.position = delivery.event_position
  JOIN webhook_endpoints AS endpoint ON endpoint.id = delivery.endpoint_id`);

export function eventOf(row: Row, prefix = ""): WebhookEvent {
  return {
    id: text(row, `${prefix}id`),
    type: oneOf(row, `${prefix}type`, EVENT_TYPES),
    createdAt: integer(row, `${prefix}created_at`),
    body: text(row, `${prefix}body`),
  };
}

/** Of one of the selections above. */
export function deliveryOf(row: Row): Delivery {
  return {
    id: text(row, "id"),
    endpointId: text(row, "endpoint_id"),
    eventId: text(row, "event_id"),
    state: oneOf(row, "state", DELIVERY_STATES),
    reason: row["reason"] === null ? null : oneOf(row, "reason", DROP_REASONS),
    attempts: integer(row, "attempts"),
    dueAt: integerOrNull(row, "due_at"),
  };
}

export function endpointWithSecretOf(row: Row, prefix = ""): EndpointWithSecret {
  return { ...endpointOf(row, prefix), secret: text(row, `${prefix}secret`) };
}

export function endpointOf(row: Row, prefix = ""): WebhookEndpoint {
  const events: ChosenType[] = [];
  if (integer(row, `${prefix}wants_published`) !== 0) events.push("official.published");
  if (integer(row, `${prefix}wants_corrected`) !== 0) events.push("official.corrected");
  return {
    id: text(row, `${prefix}id`),
    organizationId: text(row, `${prefix}organization_id`),
    url: text(row, `${prefix}url`),
    description: text(row, `${prefix}description`),
    events,
    isEnabled: integer(row, `${prefix}enabled`) !== 0,
    createdAt: integer(row, `${prefix}created_at`),
    secretAt: integer(row, `${prefix}secret_at`),
  };
}

export function attemptOf(row: Row): AttemptOutcome & { readonly at: number } {
  return {
    status: integerOrNull(row, "status"),
    fault: row["fault"] === null ? null : oneOf(row, "fault", ATTEMPT_FAULTS),
    milliseconds: integer(row, "milliseconds"),
    address: textOrNull(row, "address"),
    head: textOrNull(row, "head"),
    at: integer(row, "at"),
  };
}

/** Webhook endpoints that each plan has room for. */
export type EndpointLimits = Readonly<Record<Tier, number>>;

/** Events are queued for these endpoints, and claimed. The row of an endpoint is called `endpoint`. */
export function withinPlan(limits: EndpointLimits, now: Instant): Sql {
  return sql`endpoint.enabled = 1 AND ${condition(limits, now, "<")}`;
}

/** Endpoints that the plan has no room for. What is queued for them ends; that of a suspended organization waits instead. */
export function beyondPlan(limits: EndpointLimits, now: Instant): Sql {
  return condition(limits, now, ">=");
}

/** The tier is the one in force, as `tierInForce` has it. Judged at every use: there is no event of a downgrade to miss. */
function condition(limits: EndpointLimits, now: Instant, comparison: "<" | ">="): Sql {
  // The words and numbers are our own.
  const rooms = Object.entries(limits).map(([tier, room]) => `WHEN '${tier}' THEN ${Math.trunc(room)}`);
  const free = raw(`${Math.trunc(limits.free)}`);
  return sql`EXISTS (
    SELECT 1 FROM organizations JOIN identities ON identities.id = organizations.owner_id
    WHERE organizations.id = endpoint.organization_id
      AND organizations.status <> 'suspended' AND identities.suspended_at IS NULL
      AND (SELECT count(*) FROM webhook_endpoints AS older
           WHERE older.organization_id = endpoint.organization_id
             AND (older.created_at, older.id) < (endpoint.created_at, endpoint.id)) ${raw(comparison)} CASE
        WHEN organizations.status = 'canceled' THEN ${free}
        WHEN organizations.status = 'past_due' AND organizations.past_due_since <= ${now - PAST_DUE_GRACE_MILLISECONDS} THEN ${free}
        ELSE CASE organizations.tier ${raw(rooms.join(" "))} ELSE 0 END
      END)`;
}
