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
  among,
  integer,
  integerOrNull,
  mapping,
  orNull,
  type Row,
  raw,
  type Sql,
  sql,
  text,
  textOrNull,
  truth,
} from "#store/ledger/engine/rows.ts";

const ENDPOINT = mapping<EndpointWithSecret>({
  id: text,
  organizationId: text,
  url: text,
  description: text,
  events: (row, column) => JSON.parse(text(row, column)) as readonly ChosenType[],
  isEnabled: truth,
  secret: text,
  createdAt: integer,
  secretAt: integer,
});
const DELIVERY = mapping<Omit<Delivery, "eventId">>({
  id: text,
  endpointId: text,
  state: among(DELIVERY_STATES),
  reason: orNull(among(DROP_REASONS)),
  attempts: integer,
  dueAt: integerOrNull,
});
const EVENT = mapping<WebhookEvent>({ id: text, type: among(EVENT_TYPES), createdAt: integer, body: text });
const ATTEMPT = mapping<AttemptOutcome & { readonly at: number }>({
  status: integerOrNull,
  fault: orNull(among(ATTEMPT_FAULTS)),
  milliseconds: integer,
  address: textOrNull,
  head: textOrNull,
  at: integer,
});

export const ENDPOINT_COLUMNS = ENDPOINT.columns;
const DELIVERIES = `${DELIVERY.select("delivery")}, ${EVENT.select("event", "event_")}`;
const WITH_EVENTS =
  "FROM webhook_deliveries AS delivery JOIN webhook_events AS event ON event.position = delivery.event_position";

/** Selects deliveries with their events; a condition on `delivery` may follow. */
export const SELECT_DELIVERIES = raw(`SELECT ${DELIVERIES} ${WITH_EVENTS}`);
/** Selects the same with their endpoints, without deliveries of removed endpoints. */
export const SELECT_DELIVERIES_AND_ENDPOINTS = raw(`
  SELECT ${DELIVERIES}, ${ENDPOINT.select("endpoint", "endpoint_")} ${WITH_EVENTS}
  JOIN webhook_endpoints AS endpoint ON endpoint.id = delivery.endpoint_id`);

export const eventOf = EVENT.of;
export const attemptOf = ATTEMPT.of;
/** Read the event, and the endpoint, from a row of the selections above. */
export const deliveredEventOf = EVENT.under("event_");
export const deliveredToOf = ENDPOINT.under("endpoint_");
export const endpointWithSecretOf = ENDPOINT.of;

/** Reads the delivery from a row of the selections above. */
export function deliveryOf(row: Row): Delivery {
  return { ...DELIVERY.of(row), eventId: text(row, "event_id") };
}

export function endpointOf(row: Row): WebhookEndpoint {
  const { secret: _, ...endpoint } = endpointWithSecretOf(row);
  return endpoint;
}

/** The earlier of `at` and the ledger's `time`: after a clock that is ahead, other processes would wait until `at`. */
export function dueAtOnce(at: Instant, time: Sql): Sql {
  return sql`CASE WHEN CAST(${at} AS BIGINT) < ${time} THEN CAST(${at} AS BIGINT) ELSE ${time} END`;
}

export type EndpointLimits = Readonly<Record<Tier, number>>;

/** Selects the endpoints for which events are queued and claimed. The row of an endpoint is called `endpoint`. */
export function withinPlan(limits: EndpointLimits, now: Instant): Sql {
  return sql`endpoint.is_enabled = 1 AND ${condition(limits, now, "<")}`;
}

/** Selects endpoints that the plan has no room for. Their queued deliveries end; those of a suspended organization wait. */
export function beyondPlan(limits: EndpointLimits, now: Instant): Sql {
  return condition(limits, now, ">=");
}

/** Uses the tier in force, as `tierInForce` does. Judged at every use: there is no event of a downgrade to miss. */
function condition(limits: EndpointLimits, now: Instant, comparison: "<" | ">="): Sql {
  // Tiers and numbers are this program's own, and need no escaping.
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
