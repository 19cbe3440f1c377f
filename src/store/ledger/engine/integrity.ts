/** Looks a SQLite ledger through without opening it for writing: a log that is not its own must not be brought into the file. */

import { constants, Database } from "bun:sqlite";
import type { LedgerDamaged } from "#domain/account/ledger-faults.ts";
import { bytesOf, sqliteDamage } from "./damage.ts";
import { meaningOf } from "./faults.ts";

/** Up to here the whole file is looked through before it is opened: 8 MB take some 25 ms. A larger one is by a thread meanwhile. */
const AT_THE_START_BYTES = 8 * 1024 * 1024;

/** SQLite lists every fault; the first says enough. */
const MOST_LETTERS = 200;

export interface LookedThrough {
  /** Whether it has tables at all. */
  readonly isEmpty: boolean;
  /** Whether every page was read. */
  readonly isWhole: boolean;
}

/**
 * What the file at this path is, by a look that fits into a start. Throws LedgerDamaged: no database, cut off, pages
 * that contradict each other, a log of another database. Throws SQLite's own error where it cannot be opened.
 */
export function lookThrough(path: string): LookedThrough {
  const isWhole = bytesOf(path) + bytesOf(`${path}-wal`) <= AT_THE_START_BYTES;
  const tables = asked(path, (database) => {
    if (isWhole) refuseFaults(path, faultsOf(database));
    return database.query("SELECT count(*) AS tables FROM sqlite_schema").get() as { tables: number };
  });
  return { isEmpty: tables.tables === 0, isWhole };
}

/** The damage of a file of any size; null when it has none. It stops its thread for about 6 ms a megabyte. */
export function damageIn(path: string): LedgerDamaged | null {
  try {
    asked(path, (database) => {
      database.run("PRAGMA busy_timeout = 5000");
      refuseFaults(path, faultsOf(database));
    });
    return null;
  } catch (fault) {
    const { name } = fault as { name?: unknown };
    if (name === "LedgerDamaged") return fault as LedgerDamaged;
    throw fault;
  }
}

function asked<T>(path: string, ask: (database: Database) => T): T {
  let database: Database | null = null;
  try {
    // Of a handle that only reads, SQLite takes no log into the file when it is closed.
    database = new Database(path, { readonly: true });
    return ask(database);
  } catch (fault) {
    if (meaningOf(fault) !== "damaged") throw fault;
    const { code, message } = fault as { code?: unknown; message?: unknown };
    throw named(path)(`${code}: ${message}`, fault);
  } finally {
    database?.close();
  }
}

function refuseFaults(path: string, faults: string | null): void {
  if (faults !== null) throw named(path)(faults);
}

/** What SQLite finds when it reads every page and every index; null when it finds nothing. */
function faultsOf(database: Database): string | null {
  const rows = database.query("PRAGMA integrity_check(10)").all() as { integrity_check: string }[];
  const text = rows.map((row) => row.integrity_check.replace(/\s+/g, " ")).join("; ");
  return text === "ok" ? null : text.slice(0, MOST_LETTERS);
}

/** With a log beside it, the file is asked without: whether that is whole says which of the two is at fault. */
function named(path: string) {
  return sqliteDamage(path, bytesOf(`${path}-wal`) > 0 && isWholeAlone(path));
}

function isWholeAlone(path: string): boolean {
  let alone: Database | null = null;
  try {
    const flags = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI;
    alone = new Database(`file:${encodeURI(path).replace(/[?#]/g, encodeURIComponent)}?immutable=1`, flags);
    return faultsOf(alone) === null;
  } catch {
    // Whatever the fault: alone it is not whole either.
    return false;
  } finally {
    alone?.close();
  }
}
