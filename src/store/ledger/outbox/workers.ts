/** Workers and what they hold: a claim ends with its worker's row, and that is removed once its heartbeat has stopped. */

import { DEAD_MILLISECONDS } from "#domain/webhook/rules.ts";
import type { ClaimedDelivery, Outbox } from "#ports/webhooks.ts";
import type { Engine, Transaction } from "#store/ledger/engine/engine.ts";
import { joined, padded, type Sql, sql, text } from "#store/ledger/engine/rows.ts";

/**
 * Judged by the database's clock alone, which all of its workers share. A heartbeat in the future is none either: that
 * clock was set back since, and the worker, if it lives, writes its next heartbeat soon.
 */
function isDead({ time }: Pick<Engine, "time">): Sql {
  const [earliest, latest] = [sql`${time} - ${DEAD_MILLISECONDS}`, sql`${time} + ${DEAD_MILLISECONDS}`];
  return sql`(delivery_workers.beat_at <= ${earliest} OR delivery_workers.beat_at > ${latest})`;
}

/** The condition that a dead worker, but for this one, still holds something. */
export function deadHoldSome(engine: Pick<Engine, "time">, worker: string): Sql {
  return sql`EXISTS (SELECT 1 FROM webhook_deliveries
    JOIN delivery_workers ON delivery_workers.id = webhook_deliveries.worker
    WHERE delivery_workers.id <> ${worker} AND ${isDead(engine)})`;
}

/**
 * Frees what dead workers hold. One that beats at the same moment is either removed, and finds that out, or passed over
 * until the next poll, as is one that was stopped within a transaction and holds its locks. The caller lives, and does not
 * judge itself: after a pause it would take its own attempts from itself.
 */
export async function removeDead(
  engine: Pick<Engine, "time">,
  transaction: Transaction,
  worker: string,
): Promise<void> {
  await transaction.run`
    DELETE FROM delivery_workers WHERE id IN (
      SELECT id FROM delivery_workers WHERE id <> ${worker} AND ${isDead(engine)}${transaction.forUpdateSkipLocked})`;
}

/** Rows of workers that ended while they held nothing, and so block no endpoint. */
export async function removeIdleDead(engine: Engine): Promise<void> {
  await engine.write(
    ({ run }) => run`
      DELETE FROM delivery_workers
      WHERE ${isDead(engine)} AND NOT EXISTS (SELECT 1 FROM webhook_deliveries WHERE worker = delivery_workers.id)`,
    "relaxed",
  );
}

/** Before its claims: a claim is as good as a heartbeat. */
export async function enter(
  { time }: Pick<Engine, "time">,
  transaction: Transaction,
  worker: string,
): Promise<void> {
  await transaction.run`
    INSERT INTO delivery_workers (id, started_at, beat_at) VALUES (${worker}, ${time}, ${time})
    ON CONFLICT (id) DO UPDATE SET beat_at = excluded.beat_at`;
}

/** False when it was declared dead. */
export async function beat({ time, write }: Engine, worker: string): Promise<boolean> {
  // A heartbeat that a power cut takes back was that of a process which has gone with it.
  const update = sql`UPDATE delivery_workers SET beat_at = ${time} WHERE id = ${worker}`;
  return await write(async ({ run }) => (await run`${update}`) > 0, "relaxed");
}

/** All that it holds is free at once. */
export async function retire({ write }: Engine, worker: string): Promise<void> {
  await write(({ run }) => run`DELETE FROM delivery_workers WHERE id = ${worker}`);
}

/** Every claim of the worker that is in the ledger. */
export async function held({ read }: Engine, worker: string): ReturnType<Outbox["held"]> {
  const rows = await read.rows`SELECT id, token FROM webhook_deliveries WHERE worker = ${worker}`;
  return rows.map((row) => ({ id: text(row, "id"), token: text(row, "token") }));
}

/** Due as before, at once. Nothing of those whose claim is no longer held. */
export async function release(
  { write }: Engine,
  claims: readonly Pick<ClaimedDelivery, "id" | "token">[],
): Promise<void> {
  if (claims.length === 0) return;
  const pairs = joined(padded(claims).map(({ id, token }) => sql`(${id}, ${token})`));
  await write(
    ({ run }) => run`
      UPDATE webhook_deliveries SET worker = NULL, token = NULL WHERE (id, token) IN (VALUES ${pairs})`,
  );
}
