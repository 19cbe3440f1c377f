/** The embedded file before it is opened for writing, and its check page by page. Nothing is written here. */

import { constants, Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import type { LedgerDamaged } from "#domain/account/ledger.ts";
import { bytesOf, meaningOf, sqliteDamage } from "./faults.ts";

/** Up to this size the whole file is checked before it is opened. A larger one is checked at night, and by `crossrate doctor`. */
const AT_THE_START_BYTES = 8 * 1024 * 1024;

/** SQLite lists every fault; the first says enough. */
const MOST_CHARACTERS = 200;

/**
 * What is at this path. Throws LedgerDamaged: not a database, cut off, pages that contradict each other, a log of another
 * database. Throws SQLite's own error where it cannot be opened.
 */
export function stateOfFile(path: string): "missing" | "empty" | "there" {
  const bytes = bytesOf(path);
  if (bytes === 0) return existsSync(path) ? "empty" : "missing";
  return reading(path, (database) => {
    if (bytes + bytesOf(`${path}-wal`) <= AT_THE_START_BYTES) refuseFaults(path, faultsOf(database));
    return tablesOf(database).length === 0 ? "empty" : "there";
  });
}

/** A log without its file would be taken into the next database of this name. */
export function refuseLogAlone(path: string): void {
  if (bytesOf(path) > 0 || bytesOf(`${path}-wal`) === 0) return;
  throw sqliteDamage(path, "log alone")("its log is there, and the file is not");
}

/** Reads all pages, a table at a time: in between, requests are answered. Rejects with LedgerDamaged. */
export async function checkFile(path: string): Promise<void> {
  const tables = reading(path, tablesOf);
  for (const table of tables) {
    reading(path, (database) => refuseFaults(path, faultsOf(database, table)));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function tablesOf(database: Database): readonly string[] {
  const rows = database.query("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  return (rows as { name: string }[]).map(({ name }) => name);
}

function reading<T>(path: string, read: (database: Database) => T): T {
  let database: Database | null = null;
  try {
    // Of a handle that only reads, SQLite takes no log into the file when it is closed.
    database = new Database(path, { readonly: true });
    return read(database);
  } catch (fault) {
    if (meaningOf(fault) !== "damaged") throw fault;
    const { code, message } = fault as { code?: unknown; message?: unknown };
    throw damaged(path, `${code}: ${message}`, fault);
  } finally {
    database?.close();
  }
}

function refuseFaults(path: string, faults: string | null): void {
  if (faults !== null) throw damaged(path, faults);
}

/** What SQLite finds: in all pages, and in indexes that miss rows; or in the pages of a table alone. Null when it finds nothing. */
function faultsOf(database: Database, table: string | null = null): string | null {
  const check = table === null ? "integrity_check(10)" : `quick_check('${table}')`;
  const rows = database.query(`PRAGMA ${check}`).values() as [string][];
  const text = rows.map(([fault]) => fault.replace(/\s+/g, " ")).join("; ");
  return text === "ok" ? null : text.slice(0, MOST_CHARACTERS);
}

/** With a log beside it, the file is checked without the log: whether it is whole shows which of the two is at fault. */
function damaged(path: string, faults: string, cause?: unknown): LedgerDamaged {
  const isLogAtFault = bytesOf(`${path}-wal`) > 0 && isWholeAlone(path);
  return sqliteDamage(path, isLogAtFault ? "log" : "file")(faults, cause);
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
