/** GET /v1/account: who one is, the organization, its key with its text, and what is used of the month. */

import { keySummary } from "#accounts/keys/issue-key.ts";
import type { Identity } from "#domain/account/identity.ts";
import { currentKey } from "#domain/account/key.ts";
import { type Organization, tierInForce } from "#domain/account/organization.ts";
import { monthAt } from "#domain/limits/month.ts";
import { dayAt, formatDay, type Instant } from "#domain/time/day.ts";
import { type AccountDeps, reaching } from "./deps.ts";

/**
 * AccountResponse. `org`, `key` and `usage` are null before provisioning, `key` also when all keys are revoked. `tier` is
 * the one whose limits hold now. Failure `service_unavailable`.
 */
export async function profile(deps: AccountDeps, { id, email }: Pick<Identity, "id" | "email">) {
  const now = deps.clock.now();
  const organization = await reaching(() => deps.ledger.organizations.byOwner(id));
  if (organization === null) return { result: "success", email, org: null, key: null, usage: null };
  const [keys, usage] = await reaching(() =>
    Promise.all([deps.ledger.keys.list(organization.id), usageOf(deps, organization, now)]),
  );
  const key = currentKey(keys);
  return {
    result: "success",
    email,
    org: { id: organization.id, tier: tierInForce(organization, now), status: organization.status },
    key: key === null ? null : await keySummary(deps, key),
    usage,
  };
}

/** Calls that count against the quota: a batch of N counts N, and those of an organization deleted this month count on. */
async function usageOf(deps: AccountDeps, organization: Organization, now: Instant) {
  const { start, end } = monthAt(now);
  return {
    calls_this_month: await deps.monthUsed(organization.ownerId, dayAt(start)),
    limit: deps.plans[tierInForce(organization, now)].month,
    resets_on: formatDay(dayAt(end)),
  };
}
