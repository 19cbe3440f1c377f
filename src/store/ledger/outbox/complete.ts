/** What becomes of a delivery: an attempt that ended is noted with it, one that failed for good may be asked for again. */

import type { By } from "#domain/account/audit.ts";
import type { Instant } from "#domain/time/day.ts";
import type { Delivery } from "#domain/webhook/endpoint.ts";
import type { Outbox } from "#ports/webhooks.ts";
import { chunksOf } from "#store/ledger/engine/chunks.ts";
import type { LedgerParts, Statements, Transaction } from "#store/ledger/engine/engine.ts";
import { integer, placeholders, text } from "#store/ledger/engine/rows.ts";
import { record } from "#store/ledger/people/audit.ts";
import { deliveryOf, SELECT_DELIVERIES } from "./rows.ts";

type Completion = Parameters<Outbox["complete"]>;

/** RangeError for one that cannot be stored. */
export function checkCompletion([, , next]: Completion): void {
  if ((next.state === "pending") !== (next.dueAt !== null)) {
    throw new RangeError(`a delivery that is ${next.state} cannot be due at ${next.dueAt}`);
  }
}

/**
 * Which of them were noted, in their order. A claim whose worker was declared dead is good as long as nobody has taken it
 * over: its attempt was made.
 */
export async function complete(
  transaction: Transaction,
  completions: readonly Completion[],
): Promise<readonly boolean[]> {
  const nths = new Map<string, number>();
  for (const some of chunksOf(completions)) await end(transaction, some, nths);
  const noted = completions.map(([{ id }]) => nths.has(id));
  for (const some of chunksOf(completions.filter((_, nth) => noted[nth])))
    await keep(transaction, some, nths);
  return noted;
}

/** Ends or puts off what is still held by its token; `nths` gets how many attempts each has had now. */
async function end(
  transaction: Transaction,
  completions: readonly Completion[],
  nths: Map<string, number>,
): Promise<void> {
  const ended = completions.map(
    (_, nth) => `SELECT CAST($${5 * nth + 1} AS TEXT) AS id, CAST($${5 * nth + 2} AS TEXT) AS token,
      CAST($${5 * nth + 3} AS TEXT) AS state, CAST($${5 * nth + 4} AS BIGINT) AS due_at, CAST($${5 * nth + 5} AS BIGINT) AS at`,
  );
  const rows = await transaction.rows(
    `UPDATE webhook_deliveries
     SET state = ended.state, due_at = ended.due_at, attempts = attempts + 1, worker = NULL, token = NULL, changed_at = ended.at
     FROM (${ended.join(" UNION ALL ")}) AS ended
     WHERE webhook_deliveries.id = ended.id AND webhook_deliveries.token = ended.token
     RETURNING webhook_deliveries.id, attempts`,
    ...completions.flatMap(([{ id, token }, , next, at]) => [id, token, next.state, next.dueAt, at]),
  );
  for (const row of rows) nths.set(text(row, "id"), integer(row, "attempts"));
}

async function keep(
  transaction: Transaction,
  completions: readonly Completion[],
  nths: ReadonlyMap<string, number>,
): Promise<void> {
  const values = completions.map((_, nth) => `(${placeholders(7, 7 * nth + 1)})`);
  await transaction.run(
    `INSERT INTO webhook_attempts (delivery_id, nth, at, status, fault, milliseconds, address) VALUES ${values.join(", ")}`,
    ...completions.flatMap(([{ id }, { status, fault, milliseconds, address }, , at]) => {
      return [id, nths.get(id) ?? 0, at, status, fault, Math.round(milliseconds), address];
    }),
  );
}

/** One that has not ended yet stays as it is: so repeating this asks for one attempt. */
export async function replay(
  parts: LedgerParts,
  transaction: Transaction,
  deliveryId: string,
  organizationId: string,
  at: Instant,
  by: By,
): Promise<Delivery | null> {
  const present = await find(transaction, deliveryId, organizationId);
  if (present === null) return null;
  // Whoever removes the endpoint waits here for us, and then drops the delivery again.
  const endpoints = await transaction.rows(
    `SELECT id FROM webhook_endpoints WHERE id = $1${transaction.forUpdate}`,
    present.endpointId,
  );
  if (endpoints.length === 0) return null;
  const begun = await transaction.run(
    `UPDATE webhook_deliveries SET state = 'pending', due_at = $1, changed_at = $1
     WHERE id = $2 AND state <> 'pending'`,
    at,
    deliveryId,
  );
  if (begun > 0) {
    const subject = `organization:${organizationId}`;
    const detail = { endpoint: present.endpointId, delivery: deliveryId, event: present.eventId };
    await record(parts, transaction, by, { action: "webhook_delivery.replayed", subject, detail });
  }
  return await find(transaction, deliveryId, organizationId);
}

async function find(on: Statements, id: string, organizationId: string): Promise<Delivery | null> {
  const [row] = await on.rows(
    `${SELECT_DELIVERIES} WHERE delivery.id = $1 AND delivery.organization_id = $2`,
    id,
    organizationId,
  );
  return row === undefined ? null : deliveryOf(row);
}
