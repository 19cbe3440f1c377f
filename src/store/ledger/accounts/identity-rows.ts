/** An identity as its row: the columns, alone or beside those of another table. */

import { type Identity, ROLES } from "#domain/account/identity.ts";
import type { Statements } from "#store/ledger/engine/engine.ts";
import {
  first,
  integer,
  integerOrNull,
  mapping,
  oneOf,
  type Row,
  raw,
  text,
  textOrNull,
} from "#store/ledger/engine/rows.ts";

type IdentityRow = Omit<Identity, "external"> & { readonly iss: string | null; readonly sub: string | null };

const IDENTITY = mapping<IdentityRow>({
  id: text,
  email: textOrNull,
  passwordHash: textOrNull,
  iss: textOrNull,
  sub: textOrNull,
  emailVerifiedAt: integerOrNull,
  role: (row, column) => oneOf(row, column, ROLES),
  createdAt: integer,
  suspendedAt: integerOrNull,
});

export const IDENTITY_COLUMNS = raw(IDENTITY.columns.join(", "));
/** Beside another table's columns, with the prefix "owner_". */
export const PREFIXED_IDENTITY_COLUMNS = raw(IDENTITY.select("identities", "owner_"));

export const identityOf = (row: Row): Identity => withExternal(IDENTITY.of(row));
const prefixed = IDENTITY.under("owner_");
export const prefixedIdentityOf = (row: Row): Identity => withExternal(prefixed(row));

function withExternal({ iss, sub, ...identity }: IdentityRow): Identity {
  return { ...identity, external: iss === null || sub === null ? null : { iss, sub } };
}

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
