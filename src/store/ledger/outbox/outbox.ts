/** The outbox: official versions with their events and deliveries, what workers do with these, and forgetting them long after they ended. */

import type { Instant } from "#domain/time/day.ts";
import type { Outbox } from "#ports/webhooks.ts";
import type { LedgerParts, Transaction } from "#store/ledger/engine/engine.ts";
import { listOf, text } from "#store/ledger/engine/rows.ts";
import type { EndpointLimits } from "#store/ledger/keys/plan-room.ts";
import { claim } from "./claim.ts";
import { completions, replay } from "./complete.ts";
import { publish } from "./publish.ts";
import { publishTest } from "./queue.ts";
import { backlog, changes, deliveries, newestChanges } from "./read.ts";
import { beat, held, release, removeIdleDead, retire } from "./workers.ts";

/** `limits` are how many endpoints each plan has room for: those beyond are sent nothing. */
export function outbox(parts: LedgerParts, limits: EndpointLimits): Outbox {
  const { engine } = parts;
  return {
    publish: (versions, at, under = null) => publish(parts, limits, versions, at, under),
    publishTest: (event, endpointId, at) =>
      engine.write((transaction) => publishTest(transaction, event, endpointId, at)),
    changes: (query) => changes(engine.read, query),
    newestChanges: (query) => newestChanges(engine.read, query),
    claim: (wish) => claim(parts, limits, wish),
    beat: (worker) => beat(engine, worker),
    release: (claims) => release(engine, claims),
    held: (worker) => held(engine, worker),
    retire: (worker) => retire(engine, worker),
    backlog: (at) => backlog(parts, limits, at),
    complete: completions(engine),
    replay: (deliveryId, organizationId, at, by) =>
      engine.write((transaction) => replay(parts, transaction, deliveryId, organizationId, at, by)),
    deliveries: (endpointId, organizationId, limit) =>
      deliveries(engine.read, endpointId, organizationId, limit),
    prune: (before) => prune(parts, before),
  };
}

/** So few a transaction that others' writes get in between. */
const AT_ONCE = 256;

/**
 * Those that nothing has happened to since before the instant; among them are some still pending only where their
 * organization may not send, or where no worker runs. Resolves with how many.
 */
async function prune({ engine }: LedgerParts, before: Instant): Promise<number> {
  await removeIdleDead(engine);
  let pruned = 0;
  for (;;) {
    const some = await engine.write((transaction) => pruneSome(transaction, before), "relaxed");
    pruned += some;
    if (some < AT_ONCE) return pruned;
  }
}

async function pruneSome(transaction: Transaction, before: Instant): Promise<number> {
  const rows = await transaction.rows`
    DELETE FROM webhook_deliveries WHERE id IN (
      SELECT id FROM webhook_deliveries
      WHERE changed_at < ${before} AND (due_at IS NULL OR due_at < ${before}) AND worker IS NULL
      ORDER BY changed_at LIMIT ${AT_ONCE})
    RETURNING endpoint_id`;
  if (rows.length === 0) return 0;
  const endpoints = listOf([...new Set(rows.map((row) => text(row, "endpoint_id")))]);
  await transaction.run`
    DELETE FROM webhook_events WHERE endpoint_id IN (${endpoints}) AND NOT EXISTS (
      SELECT 1 FROM webhook_deliveries
      WHERE webhook_deliveries.endpoint_id = webhook_events.endpoint_id AND event_position = webhook_events.position)`;
  return rows.length;
}
