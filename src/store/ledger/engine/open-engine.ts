/** Opens the database of the ledger: refuses what is lost or damaged, and applies the missing migrations. */

import { createHash } from "node:crypto";
import { join } from "node:path";
import { LedgerMismatch } from "#domain/account/ledger.ts";
import type { Instant } from "#domain/time/day.ts";
import type { Clock } from "#ports.ts";
import type { Emit } from "#telemetry.ts";
import tables from "./0001-tables.sql" with { type: "text" };
import type { Engine, NewId, Transaction } from "./engine.ts";
import {
  type CheckedEngine,
  type NameDamage,
  portError,
  postgresDamage,
  sqliteDamage,
  watchOutages,
} from "./faults.ts";
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
export async function openEngine(place: LedgerPlace, options: EngineOptions): Promise<CheckedEngine> {
  const isFile = "directory" in place;
  const path = isFile ? join(place.directory, LEDGER_FILE) : undefined;
  const damage = path === undefined ? postgresDamage : sqliteDamage(path);
  try {
    return isFile
      ? await openFile(place.directory, damage, options)
      : await openServer(place, damage, options);
  } catch (fault) {
    throw portError(fault, damage, path);
  }
}

async function openFile(
  directory: string,
  damage: NameDamage,
  options: EngineOptions,
): Promise<CheckedEngine> {
  const path = join(directory, LEDGER_FILE);
  // Read before the file: another process writes the id after it has made the ledger.
  const expected = expectedId(directory);
  const state = await patiently(() => stateOfFile(path));
  if (state !== "there") {
    if (expected !== null && options.newLedger !== true) throw lostLedger(path, state);
    refuseLogAlone(path);
  }
  const engine = await openSqlite(path);
  return await orClosed([engine], async () => {
    await upToDate(engine, [], { directory, name: path, expected }, engine, options);
    return watchOutages(engine, damage, options.emit, () => patiently(() => checkFile(path)));
  });
}

async function openServer(
  { url, markedIn }: Extract<LedgerPlace, { url: string }>,
  damage: NameDamage,
  options: EngineOptions,
): Promise<CheckedEngine> {
  const expected = markedIn === undefined ? null : expectedId(markedIn);
  const engine = openPostgres({ url, connections: CONNECTIONS });
  const patient = openPostgres({ url, connections: 1, deadlineMilliseconds: MIGRATION_MILLISECONDS });
  return await orClosed([engine, patient], async () => {
    // A database that does not answer fails soon; only migrations have the long deadline.
    await engine.read.rows("SELECT 1 AS one");
    const place = { directory: markedIn, name: "the database of DATABASE_URL", expected };
    await upToDate(patient, POSTGRES_LOCK, place, engine, options);
    await patient.close();
    // Postgres has its own checks.
    return watchOutages(engine, damage, options.emit, async () => {});
  });
}

interface Expected {
  /** The directory that also has the ledger's id; undefined when ids are not compared. */
  readonly directory: string | undefined;
  readonly name: string;
  /** The id of the directory's ledger; null accepts any ledger. */
  readonly expected: string | null;
}

async function upToDate(
  migrating: Engine,
  lock: readonly string[],
  { directory, name, expected }: Expected,
  engine: Engine,
  { emit, newId, clock, newLedger = false, migrations = MIGRATIONS }: EngineOptions,
): Promise<void> {
  // Compared within the transaction that makes the tables: no other process makes them meanwhile.
  const applied = await migrate(migrating, lock, migrations, clock.now(), async (transaction, isNew) => {
    if (newLedger || expected === null) return;
    if (isNew) throw lostLedger(name, "empty");
    await refuseOther(transaction, name, expected);
  });
  if (directory === undefined) return;
  const id = await keepId(engine, directory, newId);
  if (!newLedger) return;
  if (applied === migrations.length) emit({ kind: "ledger_begun", ledger: name });
  else if (id === expected) emit({ kind: "new_ledger_ignored", ledger: name });
}

async function orClosed<T>(engines: readonly Engine[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (fault) {
    for (const engine of engines) await engine.close();
    throw fault;
  }
}

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly text: string;
}

/** In order. A file that was released is never edited again. */
export const MIGRATIONS: readonly Migration[] = [{ number: 1, name: "0001-tables", text: tables }];

/** Makes a migration exclusive, without a time limit: replicas wait for each other. No other program uses the number. */
const POSTGRES_LOCK = [
  "SET LOCAL statement_timeout = 0",
  "SET LOCAL lock_timeout = 0",
  "SELECT pg_advisory_xact_lock(7091530627)",
];

/**
 * Applies all missing migrations in one transaction, or none; resolves with their number. Rejects with LedgerMismatch when the database
 * has a migration that this release does not know, or has with another text. `admit` may refuse the database by throwing; `isNew` means
 * that it has no tables yet.
 */
async function migrate(
  engine: Engine,
  lock: readonly string[],
  migrations: readonly Migration[],
  now: Instant,
  admit: (transaction: Transaction, isNew: boolean) => Promise<void>,
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
