/** What becomes of a delivery: an attempt that ended is noted with it, one that failed for good may be asked for again. */

import type { By } from "#domain/account/audit.ts";
import type { Instant } from "#domain/day.ts";
import type { Delivery } from "#domain/webhook/endpoint.ts";
import type { Outbox } from "#ports/webhooks.ts";
import { record } from "./audit.ts";
import type { LedgerParts, Statements, Transaction } from "./engine.ts";
import { integer } from "./rows.ts";
import { deliveryOf, SELECT_DELIVERIES } from "./webhook-rows.ts";

type Completion = Parameters<Outbox["complete"]>;

/** A claim that ran out is held as long as nobody has taken it over: its attempt was made, and is noted. */
export async function complete(
  transaction: Transaction,
  { id, token }: Completion[0],
  { status, fault, milliseconds, address }: Completion[1],
  next: Completion[2],
  at: Instant,
): Promise<boolean> {
  if ((next.state === "pending") !== (next.dueAt !== null)) {
    throw new RangeError(`a delivery that is ${next.state} cannot be due at ${next.dueAt}`);
  }
  const [row] = await transaction.rows(
    `UPDATE webhook_deliveries
     SET state = $1, due_at = $2, ready_at = $2, attempts = attempts + 1, token = NULL, changed_at = $3
     WHERE id = $4 AND token = $5 RETURNING attempts`,
    next.state,
    next.dueAt,
    at,
    id,
    token,
  );
  if (row === undefined) return false;
  await transaction.run(
    `INSERT INTO webhook_attempts (delivery_id, nth, at, status, fault, milliseconds, address)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    id,
    integer(row, "attempts"),
    at,
    status,
    fault,
    Math.round(milliseconds),
    address,
  );
  return true;
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
    `UPDATE webhook_deliveries SET state = 'pending', due_at = $1, ready_at = $1, changed_at = $1
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
