/** An identity as its row: the columns, alone or beside those of another table. */

import { type Identity, ROLES } from "#domain/account/identity.ts";
import type { Statements } from "#store/ledger/engine/engine.ts";
import { integer, integerOrNull, oneOf, type Row, text, textOrNull } from "#store/ledger/engine/rows.ts";

const NAMES = [
  "email",
  "password_hash",
  "iss",
  "sub",
  "email_verified_at",
  "role",
  "created_at",
  "suspended_at",
];

export const IDENTITY_COLUMNS = ["id", ...NAMES].join(", ");
/** Beside another table's columns: all but the id with the prefix "identity_". That table has `identity_id` itself. */
export const PREFIXED_IDENTITY_COLUMNS = NAMES.map((name) => `identities.${name} AS identity_${name}`).join(
  ", ",
);

export async function findIdentity(on: Statements, id: string, lock = ""): Promise<Identity | null> {
  const [row] = await on.rows(`SELECT ${IDENTITY_COLUMNS} FROM identities WHERE id = $1${lock}`, id);
  return row === undefined ? null : identityOf(row);
}

export async function findExternal(
  on: Statements,
  { iss, sub }: { readonly iss: string; readonly sub: string },
): Promise<Identity | null> {
  const [row] = await on.rows(
    `SELECT ${IDENTITY_COLUMNS} FROM identities WHERE iss = $1 AND sub = $2`,
    iss,
    sub,
  );
  return row === undefined ? null : identityOf(row);
}

export function identityOf(row: Row, prefix = ""): Identity {
  const iss = textOrNull(row, `${prefix}iss`);
  return {
    id: text(row, `${prefix}id`),
    email: textOrNull(row, `${prefix}email`),
    passwordHash: textOrNull(row, `${prefix}password_hash`),
    external: iss === null ? null : { iss, sub: text(row, `${prefix}sub`) },
    emailVerifiedAt: integerOrNull(row, `${prefix}email_verified_at`),
    role: oneOf(row, `${prefix}role`, ROLES),
    createdAt: integer(row, `${prefix}created_at`),
    suspendedAt: integerOrNull(row, `${prefix}suspended_at`),
  };
}
