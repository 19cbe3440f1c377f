/** Opens the database of the ledger: refuses what is lost or damaged, and applies the missing migrations. */

import { createHash } from "node:crypto";
import { join } from "node:path";
import { LedgerMismatch } from "#domain/account/ledger.ts";
import type { Instant } from "#domain/time/day.ts";
import type { Clock } from "#ports.ts";
import type { Emit } from "#telemetry.ts";
import tables from "./0001-tables.sql" with { type: "text" };
import type { Engine, NewId, Transaction } from "./engine.ts";
import { type CheckedEngine, portError, postgresDamage, sqliteDamage, watchOutages } from "./faults.ts";
import { expectedId, keepId, lostLedger, refuseOther } from "./installation.ts";
import { openPostgres } from "./postgres.ts";
import { integer, type Row, text } from "./rows.ts";
import { checkFile, openSqlite, patiently, refuseLogAlone, stateOfFile } from "./sqlite.ts";

export type LedgerPlace =
  /** The directory DATA_DIR, with the file `ledger.sqlite`. */
  | { readonly directory: string }
  /** A postgres:// address. `markedIn` is the directory with the id of the expected ledger; by default any ledger is accepted. */
  | { readonly url: string; readonly markedIn?: string };

export interface EngineOptions {
  readonly emit: Emit;
  readonly newId: NewId;
  /** Dates the migrations. */
  readonly clock: Clock;
  /** The operator permits a new ledger although the directory expects another; false by default. */
  readonly newLedger?: boolean;
  readonly migrations?: readonly Migration[];
}

const CONNECTIONS = 10;
/** Long enough to migrate large tables, and to wait for the migrations of another replica. */
const MIGRATION_MILLISECONDS = 15 * 60_000;
export const LEDGER_FILE = "ledger.sqlite";

/** Rejects with LedgerUnavailable (damage is one), LedgerMismatch or LedgerLost. */
export async function openEngine(
  place: LedgerPlace,
  { emit, newId, clock, newLedger = false, migrations = MIGRATIONS }: EngineOptions,
): Promise<CheckedEngine> {
  const directory = "directory" in place ? place.directory : place.markedIn;
  const path = "directory" in place ? join(place.directory, LEDGER_FILE) : undefined;
  const name = path ?? "the database of DATABASE_URL";
  const damage = path === undefined ? postgresDamage : sqliteDamage(path);
  const opened: Engine[] = [];
  try {
    // Read before the file: another process writes the id after it has made the ledger.
    const expected = directory === undefined ? null : expectedId(directory);
    const { engine, migrating, first, check } =
      "url" in place ? openServer(place.url) : await openFile(name, expected === null || newLedger);
    opened.push(engine, migrating);
    // A database that does not answer fails soon; only migrations have the long deadline.
    await engine.read.rows("SELECT 1 AS one");
    // Compared within the transaction that makes the tables: no other process makes them meanwhile.
    const applied = await migrate(migrating, first, migrations, clock.now(), async (transaction, isNew) => {
      if (newLedger || expected === null) return;
      if (isNew) throw lostLedger(name, "empty");
      await refuseOther(transaction, name, expected);
    });
    const id = directory === undefined ? null : await keepId(engine, directory, newId);
    if (newLedger && id !== null) {
      if (applied === migrations.length) emit({ kind: "ledger_begun", ledger: name });
      else if (id === expected) emit({ kind: "new_ledger_ignored", ledger: name });
    }
    if (migrating !== engine) await migrating.close();
    return watchOutages(engine, damage, emit, check);
  } catch (fault) {
    for (const engine of new Set(opened)) await engine.close();
    throw portError(fault, damage, path);
  }
}

interface OpenedDatabase {
  readonly engine: Engine;
  /** The engine of the migrations. */
  readonly migrating: Engine;
  /** The first statements of a migration, which make it exclusive and the table that it is noted in. */
  readonly first: readonly string[];
  readonly check: CheckedEngine["check"];
}

async function openFile(path: string, mayBegin: boolean): Promise<OpenedDatabase> {
  const state = await patiently(() => stateOfFile(path));
  if (state !== "there") {
    if (!mayBegin) throw lostLedger(path, state);
    refuseLogAlone(path);
  }
  const engine = await openSqlite(path);
  return {
    engine,
    migrating: engine,
    first: [TABLE_OF_MIGRATIONS],
    check: () => patiently(() => checkFile(path)),
  };
}

function openServer(url: string): OpenedDatabase {
  const engine = openPostgres({ url, connections: CONNECTIONS });
  const migrating = openPostgres({ url, connections: 1, deadlineMilliseconds: MIGRATION_MILLISECONDS });
  // Postgres has its own checks.
  return { engine, migrating, first: POSTGRES_FIRST, check: async () => {} };
}

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly text: string;
}

/** In order. A file that was released is never edited again. */
export const MIGRATIONS: readonly Migration[] = [{ number: 1, name: "0001-tables", text: tables }];

const TABLE_OF_MIGRATIONS = `CREATE TABLE IF NOT EXISTS schema_migrations (
  number INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at BIGINT NOT NULL)`;
/**
 * Makes a migration exclusive, without a time limit: replicas wait for each other. No other program uses the number. While it takes no
 * writes, and from a user without the right, Postgres refuses IF NOT EXISTS of a table that is there, too.
 */
const POSTGRES_FIRST = [
  "SET LOCAL statement_timeout = 0",
  "SET LOCAL lock_timeout = 0",
  "SELECT pg_advisory_xact_lock(7091530627)",
  `DO $$ BEGIN
    IF to_regclass(quote_ident(current_schema()) || '.schema_migrations') IS NULL THEN ${TABLE_OF_MIGRATIONS}; END IF;
  END $$`,
];

/**
 * Applies all missing migrations in one transaction, or none; resolves with their number. Rejects with LedgerMismatch when the database
 * has a migration that this release does not know, or has with another text. `admit` may refuse the database by throwing; `isNew` means
 * that it has no tables yet.
 */
async function migrate(
  engine: Engine,
  first: readonly string[],
  migrations: readonly Migration[],
  now: Instant,
  admit: (transaction: Transaction, isNew: boolean) => Promise<void>,
): Promise<number> {
  return await engine.write(async (transaction) => {
    for (const statement of first) await transaction.rows(statement);
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
    const migration = migrations.find((one) => one.number === number);
    if (migration === undefined) {
      throw new LedgerMismatch(`${text(row, "name")} was applied by a newer release; start that one`);
    }
    if (checksumOf(migration) !== text(row, "checksum")) {
      throw new LedgerMismatch(
        `${migration.name} was applied with another text than this release has: start the version that made the ledger, or begin another one with a DATA_DIR or DATABASE_URL of its own`,
      );
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
