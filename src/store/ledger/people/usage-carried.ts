/** Calls of a running month that outlive their organization: of each identity a number, so that deleting resets no quota. */

import type { Organization } from "#domain/account/organization.ts";
import { type Month, monthOf, type UsageIncrement } from "#domain/account/usage-day.ts";
import { dayAt, type Instant } from "#domain/time/day.ts";
import type { Transaction } from "#store/ledger/engine/engine.ts";
import { chunksOf, integer, joined, raw, sql, text } from "#store/ledger/engine/rows.ts";

/**
 * Deletes the monthly usage of an organization that is being removed, and stores the calls of the month of `at`, and of later
 * ones, as its owner's.
 */
export async function carryOver(
  transaction: Transaction,
  { id, ownerId }: Pick<Organization, "id" | "ownerId">,
  at: Instant,
): Promise<void> {
  // What is deleted is what is carried: a count that another process adds meanwhile is in, or is added after the deletion.
  const months = await transaction.rows`
    DELETE FROM usage_monthly WHERE organization_id = ${id} RETURNING month, calls`;
  const running = monthOf(dayAt(at));
  for (const row of months) {
    const [month, calls] = [text(row, "month"), integer(row, "calls")];
    if (month < running || calls === 0) continue;
    await transaction.run`
      INSERT INTO usage_carried (identity_id, month, calls) VALUES (${ownerId}, ${month}, ${calls}) ${ADDED}`;
  }
}

/** Adds the calls of those organizations that are gone to what their owners have carried over. */
export async function addCarried(
  transaction: Transaction,
  increments: readonly UsageIncrement[],
): Promise<void> {
  for (const chunk of chunksOf(increments)) {
    const values = chunk.map(({ organizationId, ownerId, day, calls }) => {
      const [organization, owner] = [sql`CAST(${organizationId} AS TEXT)`, sql`CAST(${ownerId} AS TEXT)`];
      return sql`(${organization}, ${owner}, CAST(${monthOf(day)} AS TEXT), CAST(${calls} AS BIGINT))`;
    });
    // Sums of each identity and month: a statement must not change a row twice.
    await transaction.run`
      INSERT INTO usage_carried (identity_id, month, calls)
      SELECT added.column2, added.column3, CAST(SUM(added.column4) AS BIGINT) FROM (VALUES ${joined(values)}) AS added
      WHERE NOT EXISTS (SELECT 1 FROM organizations WHERE organizations.id = added.column1)
      GROUP BY 1, 2 HAVING SUM(added.column4) > 0 ORDER BY 1, 2 ${ADDED}`;
  }
}

/** Within a transaction; how many rows. */
export async function pruneCarried(transaction: Transaction, before: Month): Promise<number> {
  return await transaction.run`DELETE FROM usage_carried WHERE month < ${before}`;
}

const ADDED = raw(
  "ON CONFLICT (identity_id, month) DO UPDATE SET calls = usage_carried.calls + excluded.calls",
);
