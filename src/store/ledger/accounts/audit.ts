/** The audit log: every repository writes its entry here, within the transaction of the change itself. */

import {
  type Actor,
  AUDIT_ACTIONS,
  type AuditDetail,
  type AuditEntry,
  type AuditNote,
  type By,
} from "#domain/account/ledger.ts";
import type { AuditLog } from "#ports/ledger.ts";
import type { LedgerParts, Transaction } from "#store/ledger/engine/engine.ts";
import { integer, mapping, oneOf, raw, sql, text } from "#store/ledger/engine/rows.ts";

const ENTRY = mapping<AuditEntry>({
  id: text,
  at: integer,
  actor: (row, column) => text(row, column) as Actor,
  action: (row, column) => oneOf(row, column, AUDIT_ACTIONS),
  subject: text,
  detail: (row, column) => JSON.parse(text(row, column)) as AuditDetail,
});

export async function record(
  { newId }: Pick<LedgerParts, "newId">,
  transaction: Transaction,
  { at, actor }: By,
  { action, subject, detail }: AuditNote,
): Promise<void> {
  await transaction.run`
    INSERT INTO audit_log (id, at, actor, action, subject, detail)
    VALUES (${newId("aud_")}, ${at}, ${actor}, ${action}, ${subject}, ${JSON.stringify(detail)})`;
}

export function auditLog(parts: LedgerParts): AuditLog {
  return {
    append: (note, by) => parts.engine.write((transaction) => record(parts, transaction, by, note)),
    list: async ({ subject, before }, limit) => {
      const of = subject === undefined ? raw("true") : sql`subject = ${subject}`;
      const older =
        before === undefined
          ? raw("true")
          : sql`(at < ${before.at} OR (at = ${before.at} AND id < ${before.id}))`;
      const rows = await parts.engine.read.rows`
        SELECT ${raw(ENTRY.columns.join(", "))} FROM audit_log
        WHERE ${of} AND ${older} ORDER BY at DESC, id DESC LIMIT ${limit}`;
      return rows.map(ENTRY.of);
    },
  };
}
