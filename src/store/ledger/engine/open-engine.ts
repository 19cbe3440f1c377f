/** Opens the database of the ledger: refuses what is lost or damaged, brings the tables up to date, and leaves the mark. */

import { join } from "node:path";
import type { Clock } from "#ports.ts";
import type { Emit } from "#telemetry.ts";
import type { Engine, NewId } from "./engine.ts";
import {
  type NameDamage,
  portError,
  postgresDamage,
  sqliteDamage,
  type WatchedEngine,
  watchOutages,
} from "./faults.ts";
import {
  admit,
  type Expected,
  holdsRates,
  INSTALLATION_ID,
  refuseLost,
  traceOf,
} from "./installation/begin.ts";
import { installation } from "./installation/installation.ts";
import { MARK_FILE, type Mark, readMark, writeMark } from "./installation/mark.ts";
import { checkFileLater } from "./integrity/integrity.ts";
import { type MigrationLock, migrate, POSTGRES_LOCK, SQLITE_LOCK } from "./migrate.ts";
import { MIGRATIONS, type Migration } from "./migrations/list.ts";
import { openPostgres } from "./postgres.ts";
import { findFile, makeFile, setAside } from "./sqlite/file.ts";
import { openSqlite } from "./sqlite/sqlite.ts";

export type LedgerPlace =
  /** Of DATA_DIR: the file is `ledger.sqlite` in it. `keyFile`: a file that is there and is made only for a ledger that is. */
  | { readonly directory: string; readonly keyFile?: string | null }
  /**
   * postgres:// address; `connections` at most at once, 10 by default. `markedIn`: the directory whose mark says which
   * ledger is expected; none by default.
   */
  | { readonly url: string; readonly connections?: number; readonly markedIn?: string };

export interface EngineOptions {
  readonly emit: Emit;
  readonly newId: NewId;
  /** Dates the migrations and the mark. */
  readonly clock: Clock;
  /** The operator permits that a ledger begins where there was another; false by default. */
  readonly newLedger?: boolean;
  readonly migrations?: readonly Migration[];
}

const CONNECTIONS = 10;
/** Migrations of large tables, and waiting for those of another replica. */
const MIGRATION_MILLISECONDS = 15 * 60_000;

/** Rejects with LedgerUnavailable (damage is one), LedgerMismatch or LedgerLost. */
export async function openEngine(place: LedgerPlace, options: EngineOptions): Promise<WatchedEngine> {
  const isFile = "directory" in place;
  const damage = isFile ? sqliteDamage(pathOf(place)) : postgresDamage;
  try {
    return isFile ? await openFile(place, damage, options) : await openServer(place, damage, options);
  } catch (fault) {
    throw portError(fault, damage);
  }
}

async function openFile(
  place: Extract<LedgerPlace, { directory: string }>,
  damage: NameDamage,
  options: EngineOptions,
): Promise<WatchedEngine> {
  const { directory, keyFile = null } = place;
  const path = pathOf(place);
  // Before the file: it is written after the file was made, so that the other order would see a mark without a ledger.
  const expected = expectedOf(directory, path, "sqlite", keyFile, options);
  const found = await findFile(path);
  if (found.state !== "there") {
    const left = [
      ...(found.hasLog ? [traceOf.log(`${path}-wal`)] : []),
      ...(found.state === "empty" ? [traceOf.emptyFile] : []),
    ];
    refuseLost({ ...expected, traces: [...expected.traces, ...left] }, found.state);
    if (left.length > 0) setAside(path);
    await makeFile(path, (engine) => upToDate(engine, SQLITE_LOCK, { ...expected, traces: [] }, options));
  }
  const engine = await openSqlite(path);
  return await orClosed([engine], async () => {
    await upToDate(engine, SQLITE_LOCK, expected, options);
    await leaveMark(engine, directory, expected, found.state !== "there", options);
    const watched = watchOutages(engine, damage, options.emit);
    if (found.state !== "there" || found.isWhole) return watched;
    const stop = checkFileLater(path, watched.noteDamage, options.emit);
    const close = async () => {
      stop();
      await watched.close();
    };
    return { ...watched, close };
  });
}

async function openServer(
  { url, connections = CONNECTIONS, markedIn }: Extract<LedgerPlace, { url: string }>,
  damage: NameDamage,
  options: EngineOptions,
): Promise<WatchedEngine> {
  const expected = expectedOf(markedIn, "the database of DATABASE_URL", "postgres", null, options);
  const engine = openPostgres({ url, connections });
  const patient = openPostgres({ url, connections: 1, deadlineMilliseconds: MIGRATION_MILLISECONDS });
  return await orClosed([engine, patient], async () => {
    // Only once it has answered may there be patience.
    await engine.read.rows("SELECT 1 AS one");
    const applied = await upToDate(patient, POSTGRES_LOCK, expected, options);
    await patient.close();
    const isNew = applied === (options.migrations ?? MIGRATIONS).length;
    if (markedIn !== undefined) await leaveMark(engine, markedIn, expected, isNew, options);
    return watchOutages(engine, damage, options.emit);
  });
}

/** Name of the file in DATA_DIR. */
export const LEDGER_FILE = "ledger.sqlite";

function pathOf({ directory }: { readonly directory: string }): string {
  return join(directory, LEDGER_FILE);
}

function expectedOf(
  directory: string | undefined,
  name: string,
  kind: Mark["ledger"],
  keyFile: string | null,
  { newLedger = false }: EngineOptions,
): Expected {
  const traces = keyFile === null ? [] : [traceOf.keyFile(keyFile)];
  return { mark: directory === undefined ? null : readMark(directory), name, kind, traces, newLedger };
}

function upToDate(engine: Engine, lock: MigrationLock, expected: Expected, options: EngineOptions) {
  const { clock, migrations = MIGRATIONS } = options;
  return migrate(engine, lock, migrations, clock.now(), (...what) => admit(expected, ...what));
}

/** The ledger gets its id where it has none, and the directory a mark that names it. */
async function leaveMark(
  engine: Engine,
  directory: string,
  { mark, name, kind, newLedger }: Expected,
  isNew: boolean,
  { emit, newId, clock }: EngineOptions,
): Promise<void> {
  const notes = installation({ engine, newId });
  const known = mark === "damaged" || newLedger ? null : mark;
  const id =
    (await notes.read(INSTALLATION_ID)) ??
    (await notes.keepFirst(INSTALLATION_ID, known?.installation ?? newId("ins_")));
  const isKnown = mark !== null && mark !== "damaged" && mark.installation === id && mark.ledger === kind;
  if (isNew && (newLedger || holdsRates(join(directory, "lake"))))
    emit({ kind: "ledger_begun", ledger: name, asked: newLedger });
  if (!isNew && newLedger && isKnown) emit({ kind: "new_ledger_ignored", ledger: name });
  if (isKnown) return;
  if (mark === "damaged" && !isNew)
    emit({ kind: "installation_file_rewritten", path: join(directory, MARK_FILE) });
  const since = new Date(clock.now()).toISOString();
  await writeMark(directory, { installation: id, ledger: kind, since });
}

/** Closes the engines where the work fails. */
async function orClosed<T>(engines: readonly Engine[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (fault) {
    for (const engine of engines) await engine.close();
    throw fault;
  }
}
