/** Forgetting deliveries long after they ended, with their attempts and the test events that were theirs alone; and dead workers. */

import type { Instant } from "#domain/time/day.ts";
import { padded } from "#store/ledger/engine/chunks.ts";
import type { LedgerParts, Transaction } from "#store/ledger/engine/engine.ts";
import { placeholders, text } from "#store/ledger/engine/rows.ts";
import { removeIdleDead } from "./workers.ts";

/** So few a transaction that others' writes get in between. */
const AT_ONCE = 256;

/**
 * Those that nothing has happened to since before the instant; among them are some still pending only where their
 * organization may not send, or where no worker runs. Resolves with how many.
 */
export async function prune({ engine }: LedgerParts, before: Instant): Promise<number> {
  await removeIdleDead(engine);
  let pruned = 0;
  for (;;) {
    const some = await engine.write((transaction) => pruneSome(transaction, before), "relaxed");
    pruned += some;
    if (some < AT_ONCE) return pruned;
  }
}

async function pruneSome(transaction: Transaction, before: Instant): Promise<number> {
  const rows = await transaction.rows(
    `DELETE FROM webhook_deliveries WHERE id IN (
       SELECT id FROM webhook_deliveries WHERE changed_at < $1 AND (due_at IS NULL OR due_at < $1) AND worker IS NULL ORDER BY changed_at LIMIT $2)
     RETURNING endpoint_id`,
    before,
    AT_ONCE,
  );
  if (rows.length === 0) return 0;
  const endpoints = padded([...new Set(rows.map((row) => text(row, "endpoint_id")))]);
  await transaction.run(
    `DELETE FROM webhook_events WHERE endpoint_id IN (${placeholders(endpoints.length, 1)}) AND NOT EXISTS (
       SELECT 1 FROM webhook_deliveries
       WHERE webhook_deliveries.endpoint_id = webhook_events.endpoint_id AND event_position = webhook_events.position)`,
    ...endpoints,
  );
  return rows.length;
}
