/** The audit log: every repository writes its entries within the transaction of the change itself. */

import { type Actor, AUDIT_ACTIONS, type AuditDetail, type AuditEntry } from "#domain/account/ledger.ts";
import type { AuditLog } from "#ports/ledger.ts";
import type { Audited, Engine, LedgerParts, NewId, Transaction } from "#store/ledger/engine/engine.ts";
import { among, integer, mapping, raw, sql, text } from "#store/ledger/engine/rows.ts";

const ENTRY = mapping<AuditEntry>({
  id: text,
  at: integer,
  actor: (row, column) => text(row, column) as Actor,
  action: among(AUDIT_ACTIONS),
  subject: text,
  detail: (row, column) => JSON.parse(text(row, column)) as AuditDetail,
});

/** The engine for repositories: each of their transactions can write audit entries. */
export function audited(engine: Engine, newId: NewId): Engine<Audited> {
  const recorderOf =
    ({ run }: Transaction): Audited["record"] =>
    async ({ at, actor }, action, subject, detail) => {
      await run`
        INSERT INTO audit_log (id, at, actor, action, subject, detail)
        VALUES (${newId("aud_")}, ${at}, ${actor}, ${action}, ${subject}, ${JSON.stringify(detail)})`;
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
      const rows = await engine.read.rows`
        SELECT ${raw(ENTRY.columns.join(", "))} FROM audit_log
        WHERE ${of} AND ${older} ORDER BY at DESC, id DESC LIMIT ${limit}`;
      return rows.map(ENTRY.of);
    },
  };
}
