/** An identity as its row: the columns, alone or beside those of another table. */

import { type Identity, ROLES } from "#domain/account/identity.ts";
import type { Statements } from "#store/ledger/engine/engine.ts";
import {
  first,
  integer,
  integerOrNull,
  oneOf,
  type Row,
  raw,
  text,
  textOrNull,
} from "#store/ledger/engine/rows.ts";

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

export const IDENTITY_COLUMNS = raw(["id", ...NAMES].join(", "));
/** Beside another table's columns: all but the id with the prefix "identity_". That table has `identity_id` itself. */
export const PREFIXED_IDENTITY_COLUMNS = raw(
  NAMES.map((name) => `identities.${name} AS identity_${name}`).join(", "),
);

export async function findIdentity(on: Statements, id: string, lock = raw("")): Promise<Identity | null> {
  return first(await on.rows`SELECT ${IDENTITY_COLUMNS} FROM identities WHERE id = ${id}${lock}`, identityOf);
}

export async function findExternal(
  on: Statements,
  { iss, sub }: { readonly iss: string; readonly sub: string },
): Promise<Identity | null> {
  const found = await on.rows`SELECT ${IDENTITY_COLUMNS} FROM identities WHERE iss = ${iss} AND sub = ${sub}`;
  return first(found, identityOf);
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
