/** Organizations: found, changed, listed, and removed with all that is theirs in one transaction. */

import type { By } from "#domain/account/audit.ts";
import type { Organization, OrganizationPatch } from "#domain/account/organization.ts";
import type { Organizations } from "#ports/ledger.ts";
import type { LedgerParts, Transaction } from "#store/ledger/engine/engine.ts";
import { assignments, raw, sql, text } from "#store/ledger/engine/rows.ts";
import { record } from "./audit.ts";
import { findOrganization, ORGANIZATION_COLUMNS, organizationOf } from "./organization-rows.ts";
import { provision } from "./provision.ts";
import { endSessions } from "./sessions.ts";
import { carryOver } from "./usage-carried.ts";

/** After daily and monthly usage, and in the contract's order; deliveries take their attempts with them. */
const OWNED_TABLES = ["api_keys", "webhook_deliveries", "webhook_endpoints"] as const;

export function organizations(parts: LedgerParts): Organizations {
  const { engine } = parts;
  return {
    provision: (wanted, by) => provision(parts, wanted, by),
    byId: (id) => findOrganization(engine.read, "id", id),
    byOwner: (ownerId) => findOrganization(engine.read, "owner_id", ownerId),
    byBillingCustomer: (customerId) => findOrganization(engine.read, "billing_customer_id", customerId),
    change: (id, patch, by) =>
      engine.write((transaction) => changeOrganization(parts, transaction, id, patch, by)),
    list: async (after, limit, { pastDueBefore, withSubscription } = {}) => {
      const overdue = pastDueBefore === undefined ? raw("") : sql`AND past_due_since < ${pastDueBefore}`;
      const subscribed = raw(withSubscription === true ? "AND billing_subscription_id IS NOT NULL" : "");
      const rows = await engine.read.rows`
        SELECT ${ORGANIZATION_COLUMNS} FROM organizations
        WHERE id > ${after ?? ""} ${overdue} ${subscribed} ORDER BY id LIMIT ${limit}`;
      return rows.map(organizationOf);
    },
    remove: (id, by, which) =>
      engine.write(async (transaction) => {
        const organization = await findOrganization(transaction, "id", id, transaction.forUpdate);
        if (organization === null) return { outcome: "gone" };
        if (organization.status === "suspended") return { outcome: "suspended" };
        await lockEndpoints(transaction, id);
        await endSessions(parts, transaction, organization.ownerId, which, by);
        // Test events are for one endpoint alone, also for one that was removed before.
        await transaction.run`
          DELETE FROM webhook_events WHERE endpoint_id IN (
            SELECT endpoint_id FROM webhook_deliveries WHERE organization_id = ${id})`;
        const keys = await transaction.rows`SELECT id FROM api_keys WHERE organization_id = ${id}`;
        await transaction.run`DELETE FROM usage_daily WHERE organization_id = ${id}`;
        await carryOver(transaction, organization, by.at);
        for (const table of OWNED_TABLES)
          await transaction.run`DELETE FROM ${raw(table)} WHERE organization_id = ${id}`;
        await transaction.run`DELETE FROM organizations WHERE id = ${id}`;
        const [subject, detail] = [`organization:${id}`, { owner: organization.ownerId }];
        await record(parts, transaction, by, { action: "organization.deleted", subject, detail });
        return { outcome: "removed", keyIds: keys.map((row) => text(row, "id")) };
      }),
  };
}

const PATCHED = [
  "tier",
  "status",
  "billingCustomerId",
  "billingSubscriptionId",
  "pastDueSince",
  "marketingConsent",
] as const;

/** Within a transaction; null when there is no such organization. */
export async function changeOrganization(
  parts: LedgerParts,
  transaction: Transaction,
  id: string,
  patch: OrganizationPatch,
  by: By,
): Promise<Organization | null> {
  const present = await findOrganization(transaction, "id", id, transaction.forUpdate);
  if (present === null) return null;
  const change = assignments<OrganizationPatch>(present, patch, PATCHED);
  if (change === null) return present;
  await transaction.run`UPDATE organizations SET ${change.set} WHERE id = ${id}`;
  const before = { tierBefore: present.tier, statusBefore: present.status };
  const detail = { changed: change.members, ...patch, ...before };
  const subject = `organization:${id}`;
  await record(parts, transaction, by, { action: "organization.changed", subject, detail });
  return { ...present, ...patch };
}

/** Before their deliveries, as a claim does: transactions that lock in one order never deadlock. */
async function lockEndpoints(transaction: Transaction, organizationId: string): Promise<void> {
  await transaction.rows`
    SELECT id FROM webhook_endpoints WHERE organization_id = ${organizationId} ORDER BY id${transaction.forUpdate}`;
}
