/** What a damaged database is called, and what to do about it: one sentence for the operator, with the file. */

import { statSync } from "node:fs";
import { LedgerDamaged } from "#domain/account/ledger-faults.ts";

/** Names damage of one ledger; `detail` is what was found. */
export type NameDamage = (detail: string, cause?: unknown) => LedgerDamaged;

/** Of the embedded file. `isLogAtFault`: without its log the file reads whole. */
export function sqliteDamage(path: string, isLogAtFault = false): NameDamage {
  return (detail, cause) => {
    const remedy = isLogAtFault
      ? `the file itself is whole, and the log beside it is damaged or of another database: stop every process on it, move ${path}-wal and ${path}-shm away and start again; what was written last is lost with them`
      : `stop every process on it, keep a copy, and restore a backup (docs/ledger.md); without one, sqlite3's .recover saves what still reads`;
    return new LedgerDamaged(`${path}: the ledger is damaged (${detail}): ${remedy}`, cause);
  };
}

/** Of a Postgres database: its own tools mend it. */
export const postgresDamage: NameDamage = (detail, cause) =>
  new LedgerDamaged(
    `the database of DATABASE_URL: the ledger is damaged (${detail}): look into the server's log, and restore a backup (docs/ledger.md)`,
    cause,
  );

/** Bytes of a file, 0 where there is none. */
export function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
