/** One-time tokens: issuing one ends its predecessors, and using one changes its identity in the same transaction. */

import { normalizeEmail } from "#domain/account/identity.ts";
import { type OneTimeToken, TOKEN_PURPOSES } from "#domain/account/session.ts";
import type { OneTimeTokens } from "#ports/ledger/people.ts";
import type { LedgerParts } from "#store/ledger/engine/engine.ts";
import { first, integer, integerOrNull, mapping, oneOf, text } from "#store/ledger/engine/rows.ts";
import { record } from "./audit.ts";
import { changeIdentity } from "./identities.ts";
import { findIdentity } from "./identity-rows.ts";

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
