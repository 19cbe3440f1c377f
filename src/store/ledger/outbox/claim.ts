/**
 * Claims deliveries: endpoints take turns, and each gives its oldest due deliveries up to its limit of claimed ones. A claim ends with
 * its worker's row, which is removed once the worker's heartbeat has stopped.
 */

import type { Instant } from "#domain/time/day.ts";
import {
  DEAD_MILLISECONDS,
  LONGEST_WAIT_MILLISECONDS,
  longestWaitMilliseconds,
  RETRY_SECONDS,
} from "#domain/webhook/endpoint.ts";
import type { ClaimedDelivery, ClaimWish, Outbox } from "#ports/webhooks.ts";
import { all, type Engine, type LedgerParts, type Transaction } from "#store/ledger/engine/engine.ts";
import { integer, joined, listOf, padded, raw, type Sql, sql, text } from "#store/ledger/engine/rows.ts";
import {
  beyondPlan,
  deliveredEventOf,
  deliveredToOf,
  deliveryOf,
  type EndpointLimits,
  SELECT_DELIVERIES_AND_ENDPOINTS,
  withinPlan,
} from "./rows.ts";

export function claims(
  { engine, newId }: LedgerParts,
  limits: EndpointLimits,
): Pick<Outbox, "claim" | "beat" | "release" | "held" | "retire"> {
  const { read, write } = engine;
  return {
    // Writes nothing and takes no lock unless something is due, too far ahead or over the plan, or a dead worker holds something.
    claim: async (wish) => {
      if (wish.limit < 1 || wish.perEndpoint < 1) return [];
      const dead = wish.takesOver
        ? sql`UNION ALL SELECT 'dead' AS reason WHERE ${deadHoldSome(engine, wish.worker)}`
        : raw("");
      const rows = await read.rows`
        SELECT 'due' AS reason WHERE EXISTS (
          SELECT 1 FROM webhook_deliveries WHERE state = 'pending' AND worker IS NULL AND due_at <= ${wish.at})
        UNION ALL SELECT 'ahead' AS reason WHERE EXISTS (SELECT 1 ${QUEUED} AND ${isAhead(wish)})
        UNION ALL SELECT 'over' AS reason WHERE ${someOverPlan(limits, wish.at)} ${dead}`;
      if (rows.length === 0) return [];
      const reasons = new Set(rows.map((row) => text(row, "reason")));
      // A power cut may lose claims: their deliveries are due again then, as after the death of a worker.
      return await write(async (transaction) => {
        if (reasons.has("dead")) await removeDead(engine, transaction, wish.worker);
        if (reasons.has("ahead")) await bringForward(transaction, wish);
        if (reasons.has("over")) await endOverPlan(transaction, limits, wish.at);
        const picked = await pick(transaction, await lockEndpoints(transaction, limits, wish), wish);
        if (picked.length === 0) return [];
        // A claim counts as a heartbeat.
        await transaction.run`
          INSERT INTO delivery_workers (id, started_at, beat_at) VALUES (${wish.worker}, ${engine.time}, ${engine.time})
          ON CONFLICT (id) DO UPDATE SET beat_at = excluded.beat_at`;
        return await take(transaction, newId("clm_"), picked, wish);
      }, "relaxed");
    },
    // Need not be durable: a power cut that loses a heartbeat also ends its process.
    beat: (worker) =>
      write(async ({ run }) => {
        const beating = await run`UPDATE delivery_workers SET beat_at = ${engine.time} WHERE id = ${worker}`;
        return beating > 0;
      }, "relaxed"),
    release: async (claimed) => {
      if (claimed.length === 0) return;
      const pairs = joined(padded(claimed).map(({ id, token }) => sql`(${id}, ${token})`));
      await write(
        ({ run }) => run`
          UPDATE webhook_deliveries SET worker = NULL, token = NULL WHERE (id, token) IN (VALUES ${pairs})`,
      );
    },
    held: (worker) => all(read, (row) => ({ id: text(row, "id"), token: text(row, "token") }))`
      SELECT id, token FROM webhook_deliveries WHERE worker = ${worker}`,
    retire: async (worker) => {
      await write(({ run }) => run`DELETE FROM delivery_workers WHERE id = ${worker}`);
    },
  };
}

/**
 * Locks endpoints with something due and room for more, the one with the oldest last turn first. Endpoints that another claim has
 * locked are skipped: two claims never count the same endpoint's room.
 */
async function lockEndpoints(
  transaction: Transaction,
  limits: EndpointLimits,
  { at, limit, perEndpoint }: ClaimWish,
): Promise<readonly string[]> {
  return await all(transaction, (row) => text(row, "id"))`
    SELECT endpoint.id FROM webhook_endpoints AS endpoint
    WHERE (SELECT min(due_at) FROM webhook_deliveries
           WHERE endpoint_id = endpoint.id AND state = 'pending' AND worker IS NULL) <= ${at}
      AND (SELECT count(*) FROM webhook_deliveries WHERE endpoint_id = endpoint.id AND worker IS NOT NULL) < ${perEndpoint}
      AND ${withinPlan(limits, at)}
    ORDER BY endpoint.claimed_at, endpoint.id LIMIT ${limit}${transaction.forUpdateSkipLocked}`;
}

interface Picked {
  readonly id: string;
  readonly endpointId: string;
}

/** Picks deliveries in rounds, one per endpoint in each round, up to each endpoint's room and the limit. */
async function pick(
  transaction: Transaction,
  endpoints: readonly string[],
  { at, limit, perEndpoint }: ClaimWish,
): Promise<readonly Picked[]> {
  if (endpoints.length === 0) return [];
  // Counted again: another claim may have ended between looking for endpoints and locking them.
  const out = await transaction.rows`
    SELECT endpoint_id, count(*) AS n FROM webhook_deliveries
    WHERE worker IS NOT NULL AND endpoint_id IN (${listOf(endpoints)}) GROUP BY endpoint_id`;
  const outOf = new Map(out.map((row) => [text(row, "endpoint_id"), integer(row, "n")]));
  const dueOf = (endpoint: string) => sql`SELECT * FROM (
    SELECT id, endpoint_id FROM webhook_deliveries
    WHERE endpoint_id = ${endpoint} AND state = 'pending' AND worker IS NULL AND due_at <= ${at}
    ORDER BY due_at, event_position LIMIT ${perEndpoint}) AS due`;
  const due = await transaction.rows`${joined(padded(endpoints).map(dueOf), " UNION ALL ")}`;
  const dueBy = Map.groupBy(due, (row) => text(row, "endpoint_id"));
  const rounds: Picked[][] = [];
  for (const endpointId of endpoints) {
    // A padded statement repeats an endpoint: the set drops its repeated deliveries.
    const ids = new Set((dueBy.get(endpointId) ?? []).map((row) => text(row, "id")));
    const room = Math.max(0, perEndpoint - (outOf.get(endpointId) ?? 0));
    for (const [nth, id] of [...ids].slice(0, room).entries()) {
      rounds[nth] ??= [];
      rounds[nth].push({ id, endpointId });
    }
  }
  return rounds.flat().slice(0, limit);
}

/** Endpoints are locked: no other worker claims or drops the deliveries. A worker declared dead may just have completed one; it stays. */
async function take(
  transaction: Transaction,
  token: string,
  picked: readonly Picked[],
  { at, worker }: ClaimWish,
): Promise<readonly ClaimedDelivery[]> {
  const ids = listOf(picked.map(({ id }) => id));
  await transaction.run`
    UPDATE webhook_deliveries SET worker = ${worker}, token = ${token}
    WHERE id IN (${ids}) AND state = 'pending' AND worker IS NULL AND due_at <= ${at}`;
  const endpoints = listOf([...new Set(picked.map(({ endpointId }) => endpointId))]);
  await transaction.run`UPDATE webhook_endpoints SET claimed_at = ${at} WHERE id IN (${endpoints})`;
  const rows = await transaction.rows`
    ${SELECT_DELIVERIES_AND_ENDPOINTS} WHERE delivery.token = ${token} AND delivery.id IN (${ids})`;
  const claimed = new Map(
    rows.map((row) => [
      text(row, "id"),
      {
        ...deliveryOf(row),
        token,
        event: deliveredEventOf(row),
        endpoint: deliveredToOf(row),
      },
    ]),
  );
  return picked.flatMap(({ id }) => claimed.get(id) ?? []);
}

/** The most endpoints, and the most deliveries, of one transaction: other writes must run in between. */
const AT_ONCE = 256;

/** Queued deliveries that no worker has claimed. A claimed one may be finished. */
const QUEUED = raw("FROM webhook_deliveries WHERE state = 'pending' AND worker IS NULL");
/** One step in an index for each endpoint, however long its queue is. */
const HAS_QUEUED = sql`(SELECT min(due_at) ${QUEUED} AND endpoint_id = endpoint.id) IS NOT NULL`;

/** The longest wait for the next attempt: none for the first. */
const OWN_WAIT = raw(
  `CASE attempts ${RETRY_SECONDS.map((seconds, nth) => `WHEN ${nth + 1} THEN ${longestWaitMilliseconds(seconds)}`).join(" ")} ELSE 0 END`,
);

/**
 * No delivery waits this long: its due time was set by a clock ahead of this one. Its own wait is compared only after a clock was
 * set back: that reads every waiting delivery.
 */
function isAhead({ at, isSetBack = false }: ClaimWish): Sql {
  return isSetBack
    ? sql`due_at > ${at} AND due_at - ${OWN_WAIT} > ${at}`
    : sql`due_at > ${at + LONGEST_WAIT_MILLISECONDS}`;
}

async function bringForward({ run }: Transaction, wish: ClaimWish): Promise<void> {
  await run`
    UPDATE webhook_deliveries SET due_at = ${wish.at}
    WHERE state = 'pending' AND worker IS NULL AND ${isAhead(wish)}
      AND id IN (SELECT id ${QUEUED} AND ${isAhead(wish)} LIMIT ${AT_ONCE})`;
}

function someOverPlan(limits: EndpointLimits, at: Instant): Sql {
  // Checked first: mostly nothing is queued, and no endpoint is read then.
  return sql`EXISTS (SELECT 1 ${QUEUED})
    AND EXISTS (SELECT 1 FROM webhook_endpoints AS endpoint WHERE ${HAS_QUEUED} AND ${beyondPlan(limits, at)})`;
}

/** Drops queued deliveries of endpoints over the plan. Endpoints that another transaction has locked are left to the next poll. */
async function endOverPlan(transaction: Transaction, limits: EndpointLimits, at: Instant): Promise<void> {
  const rows = await transaction.rows`
    SELECT endpoint.id FROM webhook_endpoints AS endpoint WHERE ${HAS_QUEUED} AND ${beyondPlan(limits, at)}
    ORDER BY endpoint.id LIMIT ${AT_ONCE}${transaction.forUpdateSkipLocked}`;
  if (rows.length === 0) return;
  const endpoints = listOf(rows.map((row) => text(row, "id")));
  // Removes the token of a claim that ended with its worker: a late completion of that attempt then finds nothing.
  await transaction.run`
    UPDATE webhook_deliveries
    SET state = 'dropped', reason = 'over_plan', due_at = NULL, token = NULL, changed_at = ${at}
    WHERE state = 'pending' AND worker IS NULL
      AND id IN (SELECT id ${QUEUED} AND endpoint_id IN (${endpoints}) LIMIT ${AT_ONCE})`;
}

/**
 * Judges by the database's clock alone, which all its workers share. A heartbeat in the future counts as dead, too: the clock was set
 * back since, and a living worker writes its next heartbeat soon.
 */
function isDead({ time }: Pick<Engine, "time">): Sql {
  const [earliest, latest] = [sql`${time} - ${DEAD_MILLISECONDS}`, sql`${time} + ${DEAD_MILLISECONDS}`];
  return sql`(delivery_workers.beat_at <= ${earliest} OR delivery_workers.beat_at > ${latest})`;
}

function deadHoldSome(engine: Pick<Engine, "time">, worker: string): Sql {
  return sql`EXISTS (SELECT 1 FROM webhook_deliveries
    JOIN delivery_workers ON delivery_workers.id = webhook_deliveries.worker
    WHERE delivery_workers.id <> ${worker} AND ${isDead(engine)})`;
}

/**
 * Frees what dead workers hold. A worker that beats at the same moment is removed and finds that out, or is skipped until the
 * next poll. A worker that was stopped within a transaction holds locks, and is skipped, too. The caller does not judge itself:
 * after a pause it would take its own attempts from itself.
 */
async function removeDead(
  engine: Pick<Engine, "time">,
  transaction: Transaction,
  worker: string,
): Promise<void> {
  await transaction.run`
    DELETE FROM delivery_workers WHERE id IN (
      SELECT id FROM delivery_workers WHERE id <> ${worker} AND ${isDead(engine)}${transaction.forUpdateSkipLocked})`;
}

/** Removes the rows of workers that ended while they held nothing: they block no endpoint. */
export async function removeIdleDead(engine: Engine): Promise<void> {
  await engine.write(
    ({ run }) => run`
      DELETE FROM delivery_workers
      WHERE ${isDead(engine)} AND NOT EXISTS (SELECT 1 FROM webhook_deliveries WHERE worker = delivery_workers.id)`,
    "relaxed",
  );
}
