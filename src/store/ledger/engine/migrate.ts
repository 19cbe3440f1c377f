/** Brings a database to this release's tables: what is missing is applied in order, under a lock, each with its checksum. */

import { createHash } from "node:crypto";
import { LedgerMismatch } from "#domain/account/ledger.ts";
import type { Instant } from "#domain/time/day.ts";
import tables from "./0001-tables.sql" with { type: "text" };
import type { Engine, Transaction } from "./engine.ts";
import { integer, type Row, text } from "./rows.ts";

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly text: string;
}

/** In order. A file that was released is never edited again. */
export const MIGRATIONS: readonly Migration[] = [{ number: 1, name: "0001-tables", text: tables }];

/** The dialect's statements that make migrating exclusive within a transaction, and give it the time it needs. */
export type MigrationLock = readonly string[];

/** A number that no other program uses; replicas that start at the same time wait for each other. */
export const POSTGRES_LOCK: MigrationLock = [
  "SET LOCAL statement_timeout = 0",
  "SET LOCAL lock_timeout = 0",
  "SELECT pg_advisory_xact_lock(7091530627)",
];
export const SQLITE_LOCK: MigrationLock = [];

/** May refuse, by throwing, what a database is: one without tables yet (`isNew`), or one that has been in use. */
export type Admission = (transaction: Transaction, isNew: boolean) => Promise<void>;

/**
 * One transaction: all missing migrations or none. Rejects with LedgerMismatch, and changes nothing, when the database
 * has a migration that this release does not know, or one whose text was another; the same when `admit` refuses it.
 * Resolves with how many were applied.
 */
export async function migrate(
  engine: Engine,
  lock: MigrationLock,
  migrations: readonly Migration[],
  now: Instant,
  admit: Admission,
): Promise<number> {
  return await engine.write(async (transaction) => {
    for (const statement of lock) await transaction.rows(statement);
    await transaction.run`
      CREATE TABLE IF NOT EXISTS schema_migrations (
        number INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at BIGINT NOT NULL)`;
    const applied =
      await transaction.rows`SELECT number, name, checksum FROM schema_migrations ORDER BY number`;
    refuseForeign(applied, migrations);
    await admit(transaction, applied.length === 0);
    const missing = migrations.filter(
      ({ number }) => !applied.some((row) => integer(row, "number") === number),
    );
    for (const migration of missing) await apply(transaction, migration, now);
    return missing.length;
  });
}

function refuseForeign(applied: readonly Row[], migrations: readonly Migration[]): void {
  for (const row of applied) {
    const number = integer(row, "number");
    const known = migrations.find((one) => one.number === number);
    if (known === undefined) {
      throw new LedgerMismatch(`${text(row, "name")} was applied by a newer release; start that one`);
    }
    if (checksumOf(known) !== text(row, "checksum")) {
      throw new LedgerMismatch(`${known.name} was applied with another text than this release has`);
    }
  }
}

async function apply(transaction: Transaction, migration: Migration, now: Instant): Promise<void> {
  for (const statement of statementsOf(migration.text)) await transaction.run(statement);
  const { number, name } = migration;
  await transaction.run`
    INSERT INTO schema_migrations (number, name, checksum, applied_at)
    VALUES (${number}, ${name}, ${checksumOf(migration)}, ${now})`;
}

function checksumOf({ text: content }: Migration): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Statements end with a semicolon at the end of a line; comments are lines of their own. */
function statementsOf(content: string): readonly string[] {
  return content
    .replace(/^--.*$/gm, "")
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
}
