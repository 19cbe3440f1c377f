/** Which endpoints are sent to, as SQL: those that are enabled, as many of an organization as its plan has room for, the oldest first, and none while it is suspended. */

import { PAST_DUE_GRACE_MILLISECONDS, type Tier } from "#domain/account/organization.ts";
import type { Instant } from "#domain/time/day.ts";
import { raw, type Sql, sql } from "#store/ledger/engine/rows.ts";

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
