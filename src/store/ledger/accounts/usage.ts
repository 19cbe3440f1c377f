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
import { chunksOf, integer, joined, mapping, type Param, raw, sql, text } from "#store/ledger/engine/rows.ts";

interface Counter {
  readonly table: "usage_daily" | "usage_monthly";
  /** The column that says when, then those that are added to. */
  readonly period: "day" | "month";
  readonly counts: readonly string[];
}

const DAILY: Counter = {
  table: "usage_daily",
  period: "day",
  counts: ["served", "rate_limited", "quota_exceeded"],
};
const MONTHLY: Counter = { table: "usage_monthly", period: "month", counts: ["calls"] };

export function usage({ engine }: LedgerParts): UsageCounts {
  return {
    apply: (batchId, increments, at) =>
      engine.write(async (transaction) => {
        const taken = await transaction.run`
          INSERT INTO usage_batches (id, applied_at) VALUES (${batchId}, ${at}) ON CONFLICT (id) DO NOTHING`;
        if (taken === 0) return false;
        const sums = sumIncrements(increments);
        await add(transaction, DAILY, sums.map(dailyRow));
        const months = monthly(sums);
        const added = await add(transaction, MONTHLY, months);
        if (added < months.length) await addCarried(transaction, sums);
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

function dailyRow({ organizationId, day, ...count }: UsageIncrement): readonly Param[] {
  return [organizationId, formatDay(day), count.served, count.rateLimited, count.quotaExceeded];
}

/** The sums of each organization and month, in the order of the days. */
function monthly(sums: readonly UsageIncrement[]): readonly (readonly Param[])[] {
  const months = new Map<string, [string, string, number]>();
  for (const { organizationId, day, calls } of sums) {
    const month = monthOf(day);
    const row = months.get(`${organizationId} ${month}`) ?? [organizationId, month, 0];
    row[2] += calls;
    months.set(`${organizationId} ${month}`, row);
  }
  return [...months.values()];
}

/** Rows are [organization, period, …counts]; those of organizations that are gone are left out. How many were added. */
async function add(
  transaction: Transaction,
  { table, period, counts }: Counter,
  rows: readonly (readonly Param[])[],
): Promise<number> {
  let added = 0;
  const sums = counts.map((count) => `${count} = ${table}.${count} + excluded.${count}`).join(", ");
  const selected = ["", "", ...counts].map((_, nth) => `added.column${nth + 1}`).join(", ");
  const cast = (value: Param, column: number) =>
    sql`CAST(${value} AS ${raw(column < 2 ? "TEXT" : "BIGINT")})`;
  for (const chunk of chunksOf(rows)) {
    const values = chunk.map((row) => sql`(${joined(row.map(cast))})`);
    // "WHERE true" keeps SQLite from reading ON CONFLICT as a part of the join; two replicas lock in the same order.
    added += await transaction.run`
      INSERT INTO ${raw(table)} (organization_id, ${raw([period, ...counts].join(", "))})
      SELECT ${raw(selected)} FROM (VALUES ${joined(values)}) AS added
      JOIN organizations ON organizations.id = added.column1 WHERE true ORDER BY 1, 2
      ON CONFLICT (organization_id, ${raw(period)}) DO UPDATE SET ${raw(sums)}`;
  }
  return added;
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

/** Adds the calls of those organizations that are gone to what their owners have carried over. */
async function addCarried(transaction: Transaction, increments: readonly UsageIncrement[]): Promise<void> {
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
