/** Workers and what they hold: a claim ends with its worker's row, and that is removed once its heartbeat has stopped. */

import { DEAD_MILLISECONDS } from "#domain/webhook/rules.ts";
import type { ClaimedDelivery, Outbox } from "#ports/webhooks.ts";
import type { Engine, Transaction } from "#store/ledger/engine/engine.ts";
import { padded, text } from "#store/ledger/engine/rows.ts";

/**
 * Judged by the database's clock alone, which all of its workers share. A heartbeat in the future is none either: that
 * clock was set back since, and the worker, if it lives, writes its next heartbeat soon.
 */
function isDead({ time }: Pick<Engine, "time">): string {
  return `(delivery_workers.beat_at <= ${time} - ${DEAD_MILLISECONDS}
    OR delivery_workers.beat_at > ${time} + ${DEAD_MILLISECONDS})`;
}

/** The condition that a dead worker, but for the one of this placeholder, still holds something. */
export function deadHoldSome(engine: Pick<Engine, "time">, worker: string): string {
  return `EXISTS (SELECT 1 FROM webhook_deliveries
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
  await transaction.run(
    `DELETE FROM delivery_workers WHERE id IN (
       SELECT id FROM delivery_workers WHERE id <> $1 AND ${isDead(engine)}${transaction.forUpdateSkipLocked})`,
    worker,
  );
}

/** Rows of workers that ended while they held nothing, and so block no endpoint. */
export async function removeIdleDead(engine: Engine): Promise<void> {
  const sql = `DELETE FROM delivery_workers
    WHERE ${isDead(engine)} AND NOT EXISTS (SELECT 1 FROM webhook_deliveries WHERE worker = delivery_workers.id)`;
  await engine.write((transaction) => transaction.run(sql), "relaxed");
}

/** Before its claims: a claim is as good as a heartbeat. */
export async function enter(
  { time }: Pick<Engine, "time">,
  transaction: Transaction,
  worker: string,
): Promise<void> {
  await transaction.run(
    `INSERT INTO delivery_workers (id, started_at, beat_at) VALUES ($1, ${time}, ${time})
     ON CONFLICT (id) DO UPDATE SET beat_at = excluded.beat_at`,
    worker,
  );
}

/** False when it was declared dead. */
export async function beat({ time, write }: Engine, worker: string): Promise<boolean> {
  // A heartbeat that a power cut takes back was that of a process which has gone with it.
  return await write(async (transaction) => {
    const sql = `UPDATE delivery_workers SET beat_at = ${time} WHERE id = $1`;
    return (await transaction.run(sql, worker)) > 0;
  }, "relaxed");
}

/** All that it holds is free at once. */
export async function retire({ write }: Engine, worker: string): Promise<void> {
  await write((transaction) => transaction.run("DELETE FROM delivery_workers WHERE id = $1", worker));
}

/** Every claim of the worker that is in the ledger. */
export async function held({ read }: Engine, worker: string): ReturnType<Outbox["held"]> {
  const rows = await read.rows("SELECT id, token FROM webhook_deliveries WHERE worker = $1", worker);
  return rows.map((row) => ({ id: text(row, "id"), token: text(row, "token") }));
}

/** Due as before, at once. Nothing of those whose claim is no longer held. */
export async function release(
  { write }: Engine,
  claims: readonly Pick<ClaimedDelivery, "id" | "token">[],
): Promise<void> {
  if (claims.length === 0) return;
  const given = padded(claims);
  const pairs = given.map((_, nth) => `($${2 * nth + 1}, $${2 * nth + 2})`).join(", ");
  await write((transaction) =>
    transaction.run(
      `UPDATE webhook_deliveries SET worker = NULL, token = NULL WHERE (id, token) IN (VALUES ${pairs})`,
      ...given.flatMap(({ id, token }) => [id, token]),
    ),
  );
}
