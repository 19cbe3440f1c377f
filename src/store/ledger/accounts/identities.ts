/** People in the ledger: identities, their sessions, the policies that they accepted, and one-time tokens. */

import {
  type Consent,
  type ExternalSubject,
  type Identity,
  type IdentityPatch,
  type NewIdentity,
  normalizeEmail,
  type OneTimeToken,
  ROLES,
  type Session,
  TOKEN_PURPOSES,
  type TokenPurpose,
} from "#domain/account/identity.ts";
import type { By } from "#domain/account/ledger.ts";
import type { Consents, EndSessions, Identities, OneTimeTokens, Sessions } from "#ports/ledger.ts";
import { type Audited, all, first, type LedgerParts, type Reads } from "#store/ledger/engine/engine.ts";
import {
  among,
  assignments,
  insertion,
  integer,
  integerOrNull,
  mapping,
  type Row,
  raw,
  type Sql,
  sql,
  text,
  textOrNull,
} from "#store/ledger/engine/rows.ts";
import { markRowsUsed } from "./usage.ts";

const IDENTITY = mapping<Identity>({
  id: text,
  email: textOrNull,
  passwordHash: textOrNull,
  iss: textOrNull,
  sub: textOrNull,
  emailVerifiedAt: integerOrNull,
  role: among(ROLES),
  createdAt: integer,
  suspendedAt: integerOrNull,
});

/** Selected beside another table's columns, with the prefix "owner_". */
const PREFIXED_IDENTITY_COLUMNS = raw(IDENTITY.select("identities", "owner_"));

const prefixedIdentityOf = IDENTITY.under("owner_");

function find(on: Reads, condition: Sql): Promise<Identity | null> {
  return first(on, IDENTITY.of)`SELECT ${IDENTITY.columns} FROM identities WHERE ${condition}`;
}

export function findIdentity(on: Reads, id: string, lock = raw("")): Promise<Identity | null> {
  return find(on, sql`id = ${id}${lock}`);
}

const findExternal = (on: Reads, { iss, sub }: ExternalSubject) =>
  find(on, sql`iss = ${iss} AND sub = ${sub}`);

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

/** Of one person, living and ended: a page lists all of them. Beyond, the ended and then the oldest are dropped. */
const MOST_SESSIONS = 100;

export function sessions({ engine }: LedgerParts): Sessions {
  return {
    start: (fields, by) =>
      engine.write(async (transaction) => {
        const session = { ...fields, createdAt: by.at, lastSeenAt: by.at, endedAt: null };
        const { id, identityId, userAgent, address } = session;
        await transaction.run`${insertion("sessions", session)}`;
        const detail = { session: id, userAgent, address };
        await transaction.record(by, "session.started", `identity:${identityId}`, detail);
        const dropped = await transaction.rows`
          DELETE FROM sessions WHERE id IN (
            SELECT id FROM sessions WHERE identity_id = ${identityId} AND id <> ${id}
            ORDER BY CASE WHEN ended_at IS NULL THEN 0 ELSE 1 END, created_at DESC LIMIT 1000 OFFSET ${MOST_SESSIONS - 1})
          RETURNING id, ended_at`;
        const ended = dropped.filter((row) => integerOrNull(row, "ended_at") === null);
        if (ended.length > 0) {
          const ids = ended.map((row) => text(row, "id"));
          await recordEnd(transaction, identityId, ids, by);
        }
        return session;
      }),
    find: (id) => first(engine.read, (row) => ({
      session: SESSION.of(row),
      identity: prefixedIdentityOf(row),
    }))`
      SELECT ${COLUMNS}, ${PREFIXED_IDENTITY_COLUMNS}
      FROM sessions JOIN identities ON identities.id = sessions.identity_id WHERE sessions.id = ${id}`,
    list: (identityId, now) => all(engine.read, SESSION.of)`
      SELECT ${COLUMNS} FROM sessions WHERE identity_id = ${identityId} AND ended_at IS NULL AND expires_at > ${now}
      ORDER BY created_at DESC, id`,
    markUsed: (seen) => markRowsUsed(engine, "sessions", "last_seen_at", seen),
    end: (id, identityId, by) =>
      engine.write(async (transaction) => {
        const ended = await transaction.run`
          UPDATE sessions SET ended_at = ${by.at} WHERE id = ${id} AND identity_id = ${identityId} AND ended_at IS NULL`;
        if (ended > 0) await recordEnd(transaction, identityId, [id], by);
        return ended > 0;
      }),
    endAll: (identityId, which, by) =>
      engine.write((transaction) => endSessions(transaction, identityId, which, by)),
    prune: (before) =>
      engine.write(async ({ run }) => {
        const over = sql`expires_at < ${before} OR ended_at < ${before}`;
        // The audit log then has the time and the person alone, not program and network.
        await run`
          UPDATE audit_log SET detail = '{}' WHERE action = 'session.started' AND at < ${before}
            AND subject IN (SELECT 'identity:' || identity_id FROM sessions WHERE ${over})`;
        return await run`DELETE FROM sessions WHERE ${over}`;
      }),
  };
}

/** Ends sessions within a transaction; resolves with the number of ended ones. */
export async function endSessions(
  transaction: Audited,
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
  if (ids.length > 0) await recordEnd(transaction, identityId, ids, by);
  return ids.length;
}

function recordEnd(
  transaction: Audited,
  identityId: string,
  ended: readonly string[],
  by: By,
): Promise<void> {
  return transaction.record(by, "session.ended", `identity:${identityId}`, { sessions: ended });
}

export function identities({ engine, newId }: LedgerParts): Identities {
  return {
    create: (fields, by) =>
      engine.write(async (transaction) => {
        const email = fields.email === null ? null : normalizeEmail(fields.email);
        if (email !== null && (await isTaken(transaction, email, null))) return "email_taken";
        return await insert(transaction, newId("idn_"), { ...fields, email }, { iss: null, sub: null }, by);
      }),
    ensureExternal: async (external, first, by) => {
      // Nearly always the identity exists, and no write is needed.
      const existing = await findExternal(engine.read, external);
      if (existing !== null) return { identity: existing, created: false };
      return await engine.write(async (transaction) => {
        const present = await findExternal(transaction, external);
        if (present !== null) return { identity: present, created: false };
        const email = first.email === null ? null : normalizeEmail(first.email);
        const isFree = email !== null && !(await isTaken(transaction, email, null));
        const fields = {
          email: isFree ? email : null,
          emailVerifiedAt: isFree ? first.emailVerifiedAt : null,
          passwordHash: null,
          role: "user",
        } as const;
        return { identity: await insert(transaction, newId("idn_"), fields, external, by), created: true };
      });
    },
    byId: (id) => findIdentity(engine.read, id),
    byEmail: (email) => find(engine.read, sql`email = ${normalizeEmail(email)}`),
    change: (id, patch, by, which = "none") =>
      engine.write((transaction) => changeIdentity(transaction, id, patch, by, which)),
    replacePassword: (id, from, { passwordHash, endSessions }, by) =>
      engine.write(async (transaction) => {
        const present = await findIdentity(transaction, id, transaction.forUpdate);
        if (present?.passwordHash !== from) return false;
        await endTokens(transaction, id, "reset_password", by);
        await changeIdentity(transaction, id, { passwordHash }, by, endSessions);
        return true;
      }),
    erase: (id, by) =>
      engine.write(async ({ run, record }) => {
        const erased = await run`
          UPDATE identities SET email = NULL, email_verified_at = NULL, password_hash = NULL, iss = NULL, sub = NULL
          WHERE id = ${id} AND NOT EXISTS (SELECT 1 FROM organizations WHERE owner_id = ${id})`;
        if (erased === 0) return false;
        await run`DELETE FROM sessions WHERE identity_id = ${id}`;
        await run`DELETE FROM one_time_tokens WHERE identity_id = ${id}`;
        await run`UPDATE audit_log SET detail = '{}' WHERE subject = ${`identity:${id}`} AND action = 'session.started'`;
        await record(by, "identity.changed", `identity:${id}`, { changed: ["erased"] });
        return true;
      }),
    prune: (before) =>
      engine.write(
        ({ run }) => run`
          DELETE FROM identities WHERE password_hash IS NOT NULL AND email_verified_at IS NULL AND role = 'user'
            AND created_at < ${before}
            AND NOT EXISTS (SELECT 1 FROM one_time_tokens WHERE identity_id = identities.id)
            AND NOT EXISTS (SELECT 1 FROM sessions WHERE identity_id = identities.id)
            AND NOT EXISTS (SELECT 1 FROM consents WHERE identity_id = identities.id)
            AND NOT EXISTS (SELECT 1 FROM organizations WHERE owner_id = identities.id)`,
      ),
    list: (after, limit) => all(engine.read, IDENTITY.of)`
      SELECT ${IDENTITY.columns} FROM identities WHERE id > ${after ?? ""} ORDER BY id LIMIT ${limit}`,
  };
}

const PATCHED = ["email", "passwordHash", "emailVerifiedAt", "role", "suspendedAt"] as const;

/** Changes an identity within a transaction; resolves with null without such an identity. "email_taken" means that nothing was changed. */
async function changeIdentity(
  transaction: Audited,
  id: string,
  patch: IdentityPatch,
  by: By,
  which: EndSessions,
): Promise<Identity | "email_taken" | null> {
  const present = await findIdentity(transaction, id, transaction.forUpdate);
  if (present === null) return null;
  const next = typeof patch.email === "string" ? { ...patch, email: normalizeEmail(patch.email) } : patch;
  if (typeof next.email === "string" && (await isTaken(transaction, next.email, id))) return "email_taken";
  const change = assignments<IdentityPatch>(present, next, PATCHED);
  if (change !== null) {
    await transaction.run`UPDATE identities SET ${change.set} WHERE id = ${id}`;
    const { passwordHash: _, email: __, ...plain } = next;
    const detail = { changed: change.members, ...plain };
    await transaction.record(by, "identity.changed", `identity:${id}`, detail);
  }
  await endSessions(transaction, id, which, by);
  return { ...present, ...next };
}

async function isTaken(on: Reads, email: string, byOtherThan: string | null): Promise<boolean> {
  const [row] = await on.rows`SELECT id FROM identities WHERE email = ${email}`;
  return row !== undefined && text(row, "id") !== byOtherThan;
}

async function insert(
  transaction: Audited,
  id: string,
  fields: NewIdentity,
  external: Pick<Identity, "iss" | "sub">,
  by: By,
): Promise<Identity> {
  const { iss, sub } = external;
  const identity = { ...fields, iss, sub, id, createdAt: by.at, suspendedAt: null };
  await transaction.run`${insertion("identities", identity)}`;
  await transaction.record(by, "identity.created", `identity:${id}`, { role: fields.role, iss });
  return identity;
}

const CONSENT = mapping<Consent>({ identityId: text, policyVersion: text, acceptedAt: integer });

export function consents({ engine }: LedgerParts): Consents {
  return {
    accept: (identityId, policyVersion, by) =>
      engine.write(async (transaction) => {
        const consent = { identityId, policyVersion, acceptedAt: by.at };
        const accepted = await transaction.run`
          ${insertion("consents", consent)} ON CONFLICT (identity_id, policy_version) DO NOTHING`;
        if (accepted > 0) {
          await transaction.record(by, "consent.accepted", `identity:${identityId}`, { policyVersion });
          return consent;
        }
        const [row] = await transaction.rows`
          SELECT * FROM consents WHERE identity_id = ${identityId} AND policy_version = ${policyVersion}`;
        return CONSENT.of(row as Row);
      }),
    list: (identityId) => all(engine.read, CONSENT.of)`
      SELECT * FROM consents WHERE identity_id = ${identityId} ORDER BY accepted_at DESC, policy_version DESC
      LIMIT 100`,
  };
}

const TOKEN = mapping<OneTimeToken>({
  id: text,
  secretHash: text,
  purpose: among(TOKEN_PURPOSES),
  identityId: text,
  email: text,
  expiresAt: integer,
  usedAt: integerOrNull,
});

function endTokens({ run }: Audited, identityId: string, purpose: TokenPurpose, { at }: By): Promise<number> {
  return run`
    UPDATE one_time_tokens SET used_at = ${at}
    WHERE identity_id = ${identityId} AND purpose = ${purpose} AND used_at IS NULL`;
}

export function oneTimeTokens({ engine }: LedgerParts): OneTimeTokens {
  return {
    issue: (token, by) =>
      engine.write(async (transaction) => {
        const { id, identityId, purpose } = token;
        // Locks the person: two tokens that are issued at once would not see each other, and both would be valid.
        await findIdentity(transaction, identityId, transaction.forUpdate);
        await endTokens(transaction, identityId, purpose, by);
        const row = { ...token, email: normalizeEmail(token.email), createdAt: by.at };
        await transaction.run`${insertion("one_time_tokens", row)}`;
        await transaction.record(by, "token.issued", `identity:${identityId}`, { token: id, purpose });
      }),
    find: (id) => first(engine.read, TOKEN.of)`SELECT * FROM one_time_tokens WHERE id = ${id}`,
    consume: (id, purpose, { patch, endSessions }, at) =>
      engine.write(async (transaction) => {
        const [token] = await transaction.rows`SELECT identity_id FROM one_time_tokens WHERE id = ${id}`;
        if (token === undefined) return null;
        // Locks in the order of issue: first the person, then the token.
        await findIdentity(transaction, text(token, "identity_id"), transaction.forUpdate);
        const [used] = await transaction.rows`
          UPDATE one_time_tokens SET used_at = ${at}
          WHERE id = ${id} AND purpose = ${purpose} AND used_at IS NULL AND expires_at > ${at}
            AND EXISTS (SELECT 1 FROM identities WHERE identities.id = one_time_tokens.identity_id
                        AND identities.email = one_time_tokens.email)
          RETURNING identity_id`;
        if (used === undefined) return null;
        const identityId = text(used, "identity_id");
        const by = { at, actor: `identity:${identityId}` } as const;
        await transaction.record(by, "token.used", `identity:${identityId}`, { token: id, purpose });
        const changed = await changeIdentity(transaction, identityId, patch, by, endSessions);
        return changed === "email_taken" ? null : changed;
      }),
    prune: (before) =>
      engine.write(({ run }) => run`DELETE FROM one_time_tokens WHERE expires_at < ${before}`),
  };
}
