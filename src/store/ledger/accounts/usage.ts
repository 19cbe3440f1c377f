/** Usage: batches of increments, each added once ever; calls of a running month that outlive their organization; and when keys and sessions were last used. */

import {
  monthOf,
  type Organization,
  sumIncrements,
  type UsageDay,
  type UsageIncrement,
} from "#domain/account/organization.ts";
import { type Day, dayAt, formatDay, type Instant, parseDay } from "#domain/time/day.ts";
import type { UsageCounts } from "#ports/ledger.ts";
import type { Engine, LedgerParts, Transaction } from "#store/ledger/engine/engine.ts";
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
    days: async (organizationId, from, to) => {
      const rows = await engine.read.rows`
        SELECT day, served, rate_limited, quota_exceeded FROM usage_daily
        WHERE organization_id = ${organizationId} AND day >= ${formatDay(from)} AND day <= ${formatDay(to)} ORDER BY day`;
      return rows.map(DAY.of);
    },
    monthCalls: async (month, ownerId) => {
      // One statement: a deletion at the same time is seen in whole or not at all.
      const rows = await engine.read.rows`
        SELECT calls FROM usage_carried WHERE identity_id = ${ownerId} AND month = ${month}
        UNION ALL
        SELECT calls FROM usage_monthly JOIN organizations ON organizations.id = usage_monthly.organization_id
        WHERE owner_id = ${ownerId} AND month = ${month}`;
      return rows.reduce((sum, row) => sum + integer(row, "calls"), 0);
    },
    pruneCarried: (before) =>
      engine.write(({ run }) => run`DELETE FROM usage_carried WHERE month < ${before}`, "relaxed"),
    totals: async (from, to) => {
      const rows = await engine.read.rows`
        SELECT day, CAST(sum(served) AS BIGINT) AS served, CAST(sum(rate_limited) AS BIGINT) AS rate_limited,
          CAST(sum(quota_exceeded) AS BIGINT) AS quota_exceeded
        FROM usage_daily WHERE day >= ${formatDay(from)} AND day <= ${formatDay(to)} GROUP BY day ORDER BY day`;
      return rows.map(DAY.of);
    },
    reached: async (month, calls, after, limit) => {
      const rows = await engine.read.rows`
        SELECT organization.id, owner_id FROM usage_monthly
        JOIN organizations AS organization ON organization.id = usage_monthly.organization_id
        LEFT JOIN usage_carried ON identity_id = owner_id AND usage_carried.month = usage_monthly.month
        WHERE usage_monthly.month = ${month} AND usage_monthly.calls + COALESCE(usage_carried.calls, 0) >= ${calls}
          AND organization.id > ${after ?? ""}
        ORDER BY organization.id LIMIT ${limit}`;
      return rows.map((row) => ({ organizationId: text(row, "id"), ownerId: text(row, "owner_id") }));
    },
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

/** Days are dropped of organizations that are gone, and their calls are added to what their owners have carried over. */
async function add(transaction: Transaction, sums: readonly UsageIncrement[]): Promise<void> {
  const present = await lockedOrganizations(transaction, sums);
  const days: object[] = [];
  const [months, carried] = [new Map<string, MonthCalls>(), new Map<string, MonthCalls>()];
  for (const { organizationId, ownerId, day, calls, ...counts } of sums) {
    const isPresent = present.has(organizationId);
    if (isPresent) days.push({ organizationId, day: formatDay(day), ...counts });
    const [into, id] = isPresent ? [months, organizationId] : [carried, ownerId];
    const month = monthOf(day);
    const before = into.get(`${id} ${month}`)?.calls ?? 0;
    if (isPresent || calls > 0) into.set(`${id} ${month}`, { id, month, calls: before + calls });
  }
  for (const some of chunksOf(days))
    await transaction.run`
      ${insertion("usage_daily", ...some)}
      ON CONFLICT (organization_id, day) DO UPDATE SET served = usage_daily.served + excluded.served,
        rate_limited = usage_daily.rate_limited + excluded.rate_limited,
        quota_exceeded = usage_daily.quota_exceeded + excluded.quota_exceeded`;
  for (const some of chunksOf(ordered(months)))
    await transaction.run`
      ${insertion("usage_monthly", ...some.map(({ id, ...rest }) => ({ organizationId: id, ...rest })))}
      ON CONFLICT (organization_id, month) DO UPDATE SET calls = usage_monthly.calls + excluded.calls`;
  for (const some of chunksOf(ordered(carried)))
    await transaction.run`
      ${insertion("usage_carried", ...some.map(({ id, ...rest }) => ({ identityId: id, ...rest })))} ${ADDED}`;
}

interface MonthCalls {
  readonly id: string;
  readonly month: string;
  readonly calls: number;
}

/** Two replicas lock the rows in the same order. */
function ordered(calls: ReadonlyMap<string, MonthCalls>): readonly MonthCalls[] {
  return [...calls].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

/** Those that are not gone; they stay until the transaction ends. */
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

const ADDED = raw(
  "ON CONFLICT (identity_id, month) DO UPDATE SET calls = usage_carried.calls + excluded.calls",
);

export async function markRowsUsed(
  engine: Engine,
  table: "api_keys" | "sessions",
  column: "last_used_at" | "last_seen_at",
  uses: readonly { readonly id: string; readonly at: number }[],
): Promise<void> {
  const newest = new Map<string, number>();
  for (const { id, at } of uses) newest.set(id, Math.max(at, newest.get(id) ?? at));
  // Two replicas lock the rows in the same order.
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
