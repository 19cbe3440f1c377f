/** Which organizations receive events, as SQL: what `tierInForce` says of the plan, and neither they nor their owner suspended. */

import { PAST_DUE_GRACE_MILLISECONDS, type Tier } from "#domain/account/organization.ts";
import type { Instant } from "#domain/day.ts";

export interface MaySend {
  /** The condition on `organization_id` of the endpoint, which is called `endpoint`. */
  readonly sql: string;
  /** The value of its placeholder. */
  readonly param: Instant;
}

/** `placeholder` is such as "$3". `tiers` are those whose plan has webhook endpoints. */
export function maySend(tiers: readonly Tier[], now: Instant, placeholder: string): MaySend {
  // The words are our own, and none is no tier at all.
  const words = tiers.length === 0 ? "''" : tiers.map((tier) => `'${tier}'`).join(", ");
  const sql = `EXISTS (
    SELECT 1 FROM organizations JOIN identities ON identities.id = organizations.owner_id
    WHERE organizations.id = endpoint.organization_id
      AND organizations.status <> 'suspended' AND identities.suspended_at IS NULL
      AND CASE
        WHEN organizations.status = 'canceled' THEN 'free'
        WHEN organizations.status = 'past_due' AND organizations.past_due_since <= ${placeholder} THEN 'free'
        ELSE organizations.tier
      END IN (${words}))`;
  return { sql, param: now - PAST_DUE_GRACE_MILLISECONDS };
}
