/** Entries that are never deleted: the audit log, written within the transaction of each change; and billing events, taken once by id and processed once. */

import { type Actor, AUDIT_ACTIONS, type AuditDetail, type AuditEntry } from "#domain/account/ledger.ts";
import type { BillingEvent } from "#domain/billing/notice.ts";
import type { AuditLog, BillingEvents } from "#ports/ledger.ts";
import {
  type Audited,
  all,
  type Engine,
  first,
  type LedgerParts,
  type NewId,
  type Transaction,
} from "#store/ledger/engine/engine.ts";
import {
  among,
  insertion,
  integer,
  integerOrNull,
  mapping,
  type Row,
  raw,
  sql,
  text,
  textOrNull,
} from "#store/ledger/engine/rows.ts";
import { changeOrganization } from "./organizations.ts";

const ENTRY = mapping<AuditEntry>({
  id: text,
  at: integer,
  actor: (row, column) => text(row, column) as Actor,
  action: among(AUDIT_ACTIONS),
  subject: text,
  detail: (row, column) => JSON.parse(text(row, column)) as AuditDetail,
});

/** Returns an engine with transactions that can write audit entries, for the repositories. */
export function audited(engine: Engine, newId: NewId): Engine<Audited> {
  const recorderOf =
    ({ run }: Transaction): Audited["record"] =>
    async ({ at, actor }, action, subject, detail) => {
      const entry = { id: newId("aud_"), at, actor, action, subject, detail: JSON.stringify(detail) };
      await run`${insertion("audit_log", entry)}`;
    };
  const write: Engine<Audited>["write"] = (work, durability) =>
    engine.write((transaction) => work({ ...transaction, record: recorderOf(transaction) }), durability);
  return { ...engine, write };
}

export function auditLog({ engine }: LedgerParts): AuditLog {
  return {
    append: ({ action, subject, detail }, by) =>
      engine.write((transaction) => transaction.record(by, action, subject, detail)),
    list: async ({ subject, before }, limit) => {
      const of = subject === undefined ? raw("true") : sql`subject = ${subject}`;
      const older =
        before === undefined
          ? raw("true")
          : sql`(at < ${before.at} OR (at = ${before.at} AND id < ${before.id}))`;
      return await all(engine.read, ENTRY.of)`
        SELECT ${ENTRY.columns} FROM audit_log
        WHERE ${of} AND ${older} ORDER BY at DESC, id DESC LIMIT ${limit}`;
    },
  };
}

const EVENT = mapping<BillingEvent>({
  id: text,
  type: text,
  objectId: textOrNull,
  receivedAt: integer,
  processedAt: integerOrNull,
  outcome: textOrNull,
});

export function billingEvents({ engine }: LedgerParts): BillingEvents {
  return {
    receive: ({ id, type, objectId }, at) =>
      engine.write(async (transaction) => {
        const taken = await transaction.run`
          ${insertion("billing_events", { id, type, objectId, receivedAt: at })} ON CONFLICT (id) DO NOTHING`;
        if (taken === 0) {
          const [row] = await transaction.rows`SELECT * FROM billing_events WHERE id = ${id}`;
          return EVENT.of(row as Row).processedAt === null ? "received" : "processed";
        }
        const by = { at, actor: "billing" } as const;
        const detail = { type, object: objectId };
        await transaction.record(by, "billing_event.received", `billing_event:${id}`, detail);
        return "new";
      }),
    settle: (id, outcome, change, at) =>
      engine.write(async (transaction) => {
        const by = { at, actor: "billing" } as const;
        const open = await transaction.rows`
          SELECT id FROM billing_events WHERE id = ${id} AND processed_at IS NULL${transaction.forUpdate}`;
        if (open.length === 0) return false;
        if (change !== null) {
          const { from, patch } = change;
          if ((await changeOrganization(transaction, from.id, patch, by, from)) === null) return false;
        }
        await transaction.run`
          UPDATE billing_events SET processed_at = ${at}, outcome = ${outcome} WHERE id = ${id}`;
        await transaction.record(by, "billing_event.processed", `billing_event:${id}`, { outcome });
        return true;
      }),
    byId: (id) => first(engine.read, EVENT.of)`SELECT * FROM billing_events WHERE id = ${id}`,
    unprocessed: (before, limit) => all(engine.read, EVENT.of)`
      SELECT * FROM billing_events WHERE processed_at IS NULL AND received_at < ${before}
      ORDER BY received_at, id LIMIT ${limit}`,
  };
}
