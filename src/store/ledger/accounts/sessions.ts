/** Sessions: started, found with their identity, ended one by one or all at once. */

import type { Session } from "#domain/account/identity.ts";
import type { By } from "#domain/account/ledger.ts";
import type { EndSessions, Sessions } from "#ports/ledger.ts";
import type { LedgerParts, Transaction } from "#store/ledger/engine/engine.ts";
import { integer, integerOrNull, mapping, raw, text, textOrNull } from "#store/ledger/engine/rows.ts";
import { record } from "./audit.ts";
import { PREFIXED_IDENTITY_COLUMNS, prefixedIdentityOf } from "./identity-rows.ts";
import { markRowsUsed } from "./usage.ts";

const SESSION = mapping<Session>({
  id: text,
  identityId: text,
  secretHash: text,
  createdAt: integer,
  expiresAt: integer,
  lastSeenAt: integer,
  userAgent: textOrNull,
  address: textOrNull,
  endedAt: integerOrNull,
});
const COLUMNS = raw(SESSION.select("sessions"));

export function sessions(parts: LedgerParts): Sessions {
  const { engine } = parts;
  return {
    start: (wanted, by) =>
      engine.write(async (transaction) => {
        const session = { ...wanted, createdAt: by.at, lastSeenAt: by.at, endedAt: null };
        const { id, identityId, secretHash, createdAt, expiresAt, userAgent, address } = session;
        await transaction.run`
          INSERT INTO sessions (id, identity_id, secret_hash, created_at, expires_at, last_seen_at, user_agent, address)
          VALUES (${id}, ${identityId}, ${secretHash}, ${createdAt}, ${expiresAt}, ${createdAt}, ${userAgent}, ${address})`;
        const subject = `identity:${identityId}`;
        const detail = { session: id, userAgent, address };
        await record(parts, transaction, by, { action: "session.started", subject, detail });
        return session;
      }),
    find: async (id) => {
      const [row] = await engine.read.rows`
        SELECT ${COLUMNS}, ${PREFIXED_IDENTITY_COLUMNS}
        FROM sessions JOIN identities ON identities.id = sessions.identity_id WHERE sessions.id = ${id}`;
      return row === undefined ? null : { session: SESSION.of(row), identity: prefixedIdentityOf(row) };
    },
    list: async (identityId, now) => {
      const rows = await engine.read.rows`
        SELECT ${COLUMNS} FROM sessions WHERE identity_id = ${identityId} AND ended_at IS NULL AND expires_at > ${now}
        ORDER BY created_at DESC, id`;
      return rows.map(SESSION.of);
    },
    markUsed: (seen) => markRowsUsed(engine, "sessions", "last_seen_at", seen),
    end: (id, identityId, by) =>
      engine.write(async (transaction) => {
        const ended = await transaction.run`
          UPDATE sessions SET ended_at = ${by.at} WHERE id = ${id} AND identity_id = ${identityId} AND ended_at IS NULL`;
        if (ended > 0) await recordEnd(parts, transaction, identityId, [id], by);
        return ended > 0;
      }),
    endAll: (identityId, which, by) =>
      engine.write((transaction) => endSessions(parts, transaction, identityId, which, by)),
    prune: (before) =>
      engine.write(
        ({ run }) => run`DELETE FROM sessions WHERE expires_at < ${before} OR ended_at < ${before}`,
      ),
  };
}

/** Within a transaction; how many ended. */
export async function endSessions(
  parts: LedgerParts,
  transaction: Transaction,
  identityId: string,
  which: EndSessions,
  by: By,
): Promise<number> {
  if (which === "none") return 0;
  const kept = which === "all" ? "" : which.allBut;
  const ended = await transaction.rows`
    UPDATE sessions SET ended_at = ${by.at}
    WHERE identity_id = ${identityId} AND ended_at IS NULL AND id <> ${kept} RETURNING id`;
  const ids = ended.map((row) => text(row, "id"));
  if (ids.length > 0) await recordEnd(parts, transaction, identityId, ids, by);
  return ids.length;
}

function recordEnd(
  parts: LedgerParts,
  transaction: Transaction,
  identityId: string,
  ended: readonly string[],
  by: By,
): Promise<void> {
  const subject = `identity:${identityId}`;
  return record(parts, transaction, by, { action: "session.ended", subject, detail: { sessions: ended } });
}
