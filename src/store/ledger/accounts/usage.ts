/** Usage: batches of increments, each added once ever, by day for the organization and by month for its owner; and when keys and sessions were last used. */

import { monthOf, sumIncrements, type UsageDay, type UsageIncrement } from "#domain/account/organization.ts";
import { type Day, formatDay, parseDay } from "#domain/time/day.ts";
import type { UsageCounts } from "#ports/ledger.ts";
import { all, type Engine, first, type LedgerParts, type Transaction } from "#store/ledger/engine/engine.ts";
import {
  chunksOf,
  insertion,
  integer,
  joined,
  listOf,
  mapping,
  raw,
  sql,
  text,
} from "#store/ledger/engine/rows.ts";

export function usage({ engine }: LedgerParts): UsageCounts {
  return {
    apply: (batchId, increments, at) =>
      engine.write(async (transaction) => {
        const taken = await transaction.run`
          INSERT INTO usage_batches (id, applied_at) VALUES (${batchId}, ${at}) ON CONFLICT (id) DO NOTHING`;
        if (taken === 0) return false;
        await add(transaction, sumIncrements(increments));
        return true;
      }, "relaxed"),
    pruneBatches: (before) =>
      engine.write(({ run }) => run`DELETE FROM usage_batches WHERE applied_at < ${before}`, "relaxed"),
    days: (organizationId, from, to) => all(engine.read, DAY.of)`
      SELECT day, served, rate_limited, quota_exceeded FROM usage_daily
      WHERE organization_id = ${organizationId} AND day >= ${formatDay(from)} AND day <= ${formatDay(to)} ORDER BY day`,
    monthCalls: async (month, ownerId) => {
      const calls = await first(engine.read, (row) => integer(row, "calls"))`
        SELECT calls FROM usage_monthly WHERE identity_id = ${ownerId} AND month = ${month}`;
      return calls ?? 0;
    },
    pruneMonths: (before) =>
      engine.write(async ({ run }) => {
        await run`DELETE FROM quota_mails WHERE month < ${before}`;
        return await run`
          DELETE FROM usage_monthly WHERE month < ${before}
            AND NOT EXISTS (SELECT 1 FROM organizations WHERE owner_id = usage_monthly.identity_id)`;
      }, "relaxed"),
    totals: (from, to) => all(engine.read, DAY.of)`
      SELECT day, CAST(sum(served) AS BIGINT) AS served, CAST(sum(rate_limited) AS BIGINT) AS rate_limited,
        CAST(sum(quota_exceeded) AS BIGINT) AS quota_exceeded
      FROM usage_daily WHERE day >= ${formatDay(from)} AND day <= ${formatDay(to)} GROUP BY day ORDER BY day`,
    reached: (month, calls, after, limit) => all(engine.read, (row) => ({
      organizationId: text(row, "id"),
      ownerId: text(row, "owner_id"),
    }))`
      SELECT organizations.id, owner_id FROM usage_monthly JOIN organizations ON owner_id = identity_id
      WHERE month = ${month} AND calls >= ${calls} AND organizations.id > ${after ?? ""}
      ORDER BY organizations.id LIMIT ${limit}`,
    claimMail: async (ownerId, month, percent) =>
      (await engine.write(
        ({ run }) => run`
          INSERT INTO quota_mails (identity_id, month, percent) VALUES (${ownerId}, ${month}, ${percent})
          ON CONFLICT DO NOTHING`,
      )) > 0,
    releaseMail: async (ownerId, month, percent) => {
      await engine.write(
        ({ run }) => run`
          DELETE FROM quota_mails WHERE identity_id = ${ownerId} AND month = ${month} AND percent = ${percent}`,
      );
    },
  };
}

/** Drops the days of deleted organizations. Their calls still count for their owners, who have one quota whatever they delete. */
async function add(transaction: Transaction, sums: readonly UsageIncrement[]): Promise<void> {
  const present = await lockedOrganizations(transaction, sums);
  const days: object[] = [];
  const months = new Map<string, { identityId: string; month: string; calls: number }>();
  for (const { organizationId, ownerId, day, calls, ...counts } of sums) {
    if (present.has(organizationId)) days.push({ organizationId, day: formatDay(day), ...counts });
    const [month, key] = [monthOf(day), `${ownerId} ${monthOf(day)}`];
    const before = months.get(key)?.calls ?? 0;
    if (calls > 0) months.set(key, { identityId: ownerId, month, calls: before + calls });
  }
  for (const some of chunksOf(days))
    await transaction.run`
      ${insertion("usage_daily", ...some)}
      ON CONFLICT (organization_id, day) DO UPDATE SET served = usage_daily.served + excluded.served,
        rate_limited = usage_daily.rate_limited + excluded.rate_limited,
        quota_exceeded = usage_daily.quota_exceeded + excluded.quota_exceeded`;
  // Sorted: two replicas must lock the rows in the same order.
  const ordered = [...months].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  for (const some of chunksOf(ordered))
    await transaction.run`
      ${insertion("usage_monthly", ...some)}
      ON CONFLICT (identity_id, month) DO UPDATE SET calls = usage_monthly.calls + excluded.calls`;
}

/** Locks the organizations that exist until the transaction ends; resolves with their ids. */
async function lockedOrganizations(
  transaction: Transaction,
  sums: readonly UsageIncrement[],
): Promise<ReadonlySet<string>> {
  const present = new Set<string>();
  for (const some of chunksOf([...new Set(sums.map(({ organizationId }) => organizationId))])) {
    const rows = await transaction.rows`
      SELECT id FROM organizations WHERE id IN (${listOf(some)}) ORDER BY id${transaction.forUpdate}`;
    for (const row of rows) present.add(text(row, "id"));
  }
  return present;
}

const DAY = mapping<UsageDay>({
  day: (row, column) => parseDay(text(row, column)) as Day,
  served: integer,
  rateLimited: integer,
  quotaExceeded: integer,
});

export async function markRowsUsed(
  engine: Engine,
  table: "api_keys" | "sessions",
  column: "last_used_at" | "last_seen_at",
  uses: readonly { readonly id: string; readonly at: number }[],
): Promise<void> {
  const newest = new Map<string, number>();
  for (const { id, at } of uses) newest.set(id, Math.max(at, newest.get(id) ?? at));
  // Sorted: two replicas must lock the rows in the same order.
  const rows = [...newest].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const chunk of chunksOf(rows)) {
    const values = chunk.map(([id, at]) => sql`(CAST(${id} AS TEXT), CAST(${at} AS BIGINT))`);
    const [into, last] = [raw(table), raw(column)];
    await engine.write(
      ({ run }) => run`
        UPDATE ${into} SET ${last} = used.column2 FROM (VALUES ${joined(values)}) AS used
        WHERE ${into}.id = used.column1 AND (${last} IS NULL OR ${last} < used.column2)`,
      "relaxed",
    );
  }
}
