/** Identities, the policies they accepted, and one-time tokens: issuing one ends its predecessors, and using one changes its identity in the same transaction. */

import {
  type Consent,
  type Identity,
  type IdentityPatch,
  type NewIdentity,
  normalizeEmail,
  type OneTimeToken,
  TOKEN_PURPOSES,
} from "#domain/account/identity.ts";
import type { By } from "#domain/account/ledger.ts";
import type { Consents, Identities, OneTimeTokens } from "#ports/ledger.ts";
import type { LedgerParts, Statements, Transaction } from "#store/ledger/engine/engine.ts";
import {
  assignments,
  first,
  integer,
  integerOrNull,
  mapping,
  oneOf,
  type Row,
  text,
} from "#store/ledger/engine/rows.ts";
import { record } from "./audit.ts";
import { findExternal, findIdentity, IDENTITY_COLUMNS, identityOf } from "./identity-rows.ts";
import { endSessions } from "./sessions.ts";

export function identities(parts: LedgerParts): Identities {
  const { engine } = parts;
  return {
    create: (wanted, by) =>
      engine.write(async (transaction) => {
        const email = wanted.email === null ? null : normalizeEmail(wanted.email);
        if (email !== null && (await isTaken(transaction, email, null))) return "email_taken";
        return await insert(parts, transaction, { ...wanted, email }, null, by);
      }),
    ensureExternal: async (external, first, by) => {
      // Nearly always it is there, and no write has to be waited for.
      const known = await findExternal(engine.read, external);
      if (known !== null) return { identity: known, created: false };
      return await engine.write(async (transaction) => {
        const present = await findExternal(transaction, external);
        if (present !== null) return { identity: present, created: false };
        const email = first.email === null ? null : normalizeEmail(first.email);
        const isFree = email !== null && !(await isTaken(transaction, email, null));
        const wanted = {
          email: isFree ? email : null,
          emailVerifiedAt: isFree ? first.emailVerifiedAt : null,
          passwordHash: null,
          role: "user",
        } as const;
        return { identity: await insert(parts, transaction, wanted, external, by), created: true };
      });
    },
    byId: (id) => findIdentity(engine.read, id),
    byEmail: async (email) => {
      const found = await engine.read.rows`
        SELECT ${IDENTITY_COLUMNS} FROM identities WHERE email = ${normalizeEmail(email)}`;
      return first(found, identityOf);
    },
    change: (id, patch, by, which = "none") =>
      engine.write((transaction) => changeIdentity(parts, transaction, id, patch, by, which)),
    list: async (after, limit) => {
      const rows = await engine.read.rows`
        SELECT ${IDENTITY_COLUMNS} FROM identities WHERE id > ${after ?? ""} ORDER BY id LIMIT ${limit}`;
      return rows.map(identityOf);
    },
  };
}

const PATCHED = ["email", "passwordHash", "emailVerifiedAt", "role", "suspendedAt"] as const;

/** Within a transaction; "email_taken" changes nothing. */
async function changeIdentity(
  parts: LedgerParts,
  transaction: Transaction,
  id: string,
  patch: IdentityPatch,
  by: By,
  which: Parameters<typeof endSessions>[3],
): Promise<Identity | "email_taken" | null> {
  const present = await findIdentity(transaction, id, transaction.forUpdate);
  if (present === null) return null;
  const wanted = typeof patch.email === "string" ? { ...patch, email: normalizeEmail(patch.email) } : patch;
  if (typeof wanted.email === "string" && (await isTaken(transaction, wanted.email, id)))
    return "email_taken";
  const change = assignments<IdentityPatch>(present, wanted, PATCHED);
  if (change !== null) {
    await transaction.run`UPDATE identities SET ${change.set} WHERE id = ${id}`;
    const { passwordHash: _, email: __, ...plain } = wanted;
    const detail = { changed: change.members, ...plain };
    await record(parts, transaction, by, { action: "identity.changed", subject: `identity:${id}`, detail });
  }
  await endSessions(parts, transaction, id, which, by);
  return { ...present, ...wanted };
}

async function isTaken(on: Statements, email: string, byOtherThan: string | null): Promise<boolean> {
  const [row] = await on.rows`SELECT id FROM identities WHERE email = ${email}`;
  return row !== undefined && text(row, "id") !== byOtherThan;
}

async function insert(
  parts: LedgerParts,
  transaction: Transaction,
  wanted: NewIdentity,
  external: Identity["external"],
  by: By,
): Promise<Identity> {
  const id = parts.newId("idn_");
  const { email, passwordHash, emailVerifiedAt, role } = wanted;
  const [iss, sub] = [external?.iss ?? null, external?.sub ?? null];
  await transaction.run`
    INSERT INTO identities (id, email, password_hash, iss, sub, email_verified_at, role, created_at)
    VALUES (${id}, ${email}, ${passwordHash}, ${iss}, ${sub}, ${emailVerifiedAt}, ${role}, ${by.at})`;
  const [subject, detail] = [`identity:${id}`, { role, iss }];
  await record(parts, transaction, by, { action: "identity.created", subject, detail });
  return { ...wanted, id, external, createdAt: by.at, suspendedAt: null };
}

const CONSENT = mapping<Consent>({ identityId: text, policyVersion: text, acceptedAt: integer });

export function consents(parts: LedgerParts): Consents {
  const { engine } = parts;
  return {
    accept: (identityId, policyVersion, by) =>
      engine.write(async (transaction) => {
        const accepted = await transaction.run`
          INSERT INTO consents (identity_id, policy_version, accepted_at) VALUES (${identityId}, ${policyVersion}, ${by.at})
          ON CONFLICT (identity_id, policy_version) DO NOTHING`;
        if (accepted > 0) {
          const [subject, detail] = [`identity:${identityId}`, { policyVersion }];
          await record(parts, transaction, by, { action: "consent.accepted", subject, detail });
          return { identityId, policyVersion, acceptedAt: by.at };
        }
        const [row] = await transaction.rows`
          SELECT * FROM consents WHERE identity_id = ${identityId} AND policy_version = ${policyVersion}`;
        return CONSENT.of(row as Row);
      }),
    list: async (identityId) => {
      const rows = await engine.read.rows`
        SELECT * FROM consents WHERE identity_id = ${identityId} ORDER BY accepted_at DESC, policy_version DESC`;
      return rows.map(CONSENT.of);
    },
  };
}

const TOKEN = mapping<OneTimeToken>({
  id: text,
  secretHash: text,
  purpose: (row, column) => oneOf(row, column, TOKEN_PURPOSES),
  identityId: text,
  email: text,
  expiresAt: integer,
  usedAt: integerOrNull,
});

export function oneTimeTokens(parts: LedgerParts): OneTimeTokens {
  const { engine } = parts;
  return {
    issue: ({ id, secretHash, purpose, identityId, email, expiresAt }, by) =>
      engine.write(async (transaction) => {
        // Two that are issued at once would not see each other, and both would work.
        await findIdentity(transaction, identityId, transaction.forUpdate);
        await transaction.run`
          UPDATE one_time_tokens SET used_at = ${by.at}
          WHERE identity_id = ${identityId} AND purpose = ${purpose} AND used_at IS NULL`;
        await transaction.run`
          INSERT INTO one_time_tokens (id, secret_hash, purpose, identity_id, email, created_at, expires_at)
          VALUES (${id}, ${secretHash}, ${purpose}, ${identityId}, ${normalizeEmail(email)}, ${by.at}, ${expiresAt})`;
        const [subject, detail] = [`identity:${identityId}`, { token: id, purpose }];
        await record(parts, transaction, by, { action: "token.issued", subject, detail });
      }),
    find: async (id) =>
      first(await engine.read.rows`SELECT * FROM one_time_tokens WHERE id = ${id}`, TOKEN.of),
    consume: (id, purpose, { patch, endSessions }, at) =>
      engine.write(async (transaction) => {
        const [known] = await transaction.rows`SELECT identity_id FROM one_time_tokens WHERE id = ${id}`;
        if (known === undefined) return null;
        // In the order of issuing: first the person, then the token.
        await findIdentity(transaction, text(known, "identity_id"), transaction.forUpdate);
        const [used] = await transaction.rows`
          UPDATE one_time_tokens SET used_at = ${at}
          WHERE id = ${id} AND purpose = ${purpose} AND used_at IS NULL AND expires_at > ${at}
            AND EXISTS (SELECT 1 FROM identities WHERE identities.id = one_time_tokens.identity_id
                        AND identities.email = one_time_tokens.email)
          RETURNING identity_id`;
        if (used === undefined) return null;
        const identityId = text(used, "identity_id");
        const by = { at, actor: `identity:${identityId}` } as const;
        const [subject, detail] = [`identity:${identityId}`, { token: id, purpose }];
        await record(parts, transaction, by, { action: "token.used", subject, detail });
        const changed = await changeIdentity(parts, transaction, identityId, patch, by, endSessions);
        return changed === "email_taken" ? null : changed;
      }),
    prune: (before) =>
      engine.write(({ run }) => run`DELETE FROM one_time_tokens WHERE expires_at < ${before}`),
  };
}
