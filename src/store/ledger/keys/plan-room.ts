/** Which endpoints are sent to, as SQL: as many of an organization as its plan has room for, the oldest first, and none while it is suspended. */

import { PAST_DUE_GRACE_MILLISECONDS, type Tier } from "#domain/account/organization.ts";
import type { Instant } from "#domain/time/day.ts";

/** Webhook endpoints that each plan has room for. */
export type EndpointLimits = Readonly<Record<Tier, number>>;

export interface Condition {
  /** Of the row of an endpoint, which is called `endpoint`. */
  readonly sql: string;
  /** The value of its placeholder. */
  readonly param: Instant;
}

/** `placeholder` is such as "$3". Events are queued for these endpoints, and claimed. */
export function withinPlan(limits: EndpointLimits, now: Instant, placeholder: string): Condition {
  return condition(limits, now, placeholder, "<");
}

/** Endpoints that the plan has no room for. What is queued for them ends; that of a suspended organization waits instead. */
export function beyondPlan(limits: EndpointLimits, now: Instant, placeholder: string): Condition {
  return condition(limits, now, placeholder, ">=");
}

/** The tier is the one in force, as `tierInForce` has it. Judged at every use: there is no event of a downgrade to miss. */
function condition(
  limits: EndpointLimits,
  now: Instant,
  placeholder: string,
  comparison: "<" | ">=",
): Condition {
  // The words and numbers are our own.
  const rooms = Object.entries(limits).map(([tier, room]) => `WHEN '${tier}' THEN ${Math.trunc(room)}`);
  const sql = `EXISTS (
    SELECT 1 FROM organizations JOIN identities ON identities.id = organizations.owner_id
    WHERE organizations.id = endpoint.organization_id
      AND organizations.status <> 'suspended' AND identities.suspended_at IS NULL
      AND (SELECT count(*) FROM webhook_endpoints AS older
           WHERE older.organization_id = endpoint.organization_id
             AND (older.created_at, older.id) < (endpoint.created_at, endpoint.id)) ${comparison} CASE
        WHEN organizations.status = 'canceled' THEN ${Math.trunc(limits.free)}
        WHEN organizations.status = 'past_due' AND organizations.past_due_since <= ${placeholder} THEN ${Math.trunc(limits.free)}
        ELSE CASE organizations.tier ${rooms.join(" ")} ELSE 0 END
      END)`;
  return { sql, param: now - PAST_DUE_GRACE_MILLISECONDS };
}
