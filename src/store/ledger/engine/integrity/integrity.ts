/** Checks the embedded file page by page, on a thread of its own after a start, and reports damage. */

import { constants, Database } from "bun:sqlite";
import { LedgerDamaged } from "#domain/account/ledger.ts";
import { bytesOf, meaningOf, sqliteDamage } from "#store/ledger/engine/faults.ts";
import type { Emit } from "#telemetry.ts";

/** Up to this size the whole file is checked before it is opened: 8 MB take some 25 ms. A larger one is checked by a thread meanwhile. */
const AT_THE_START_BYTES = 8 * 1024 * 1024;

/** SQLite lists every fault; the first says enough. */
const MOST_CHARACTERS = 200;

export interface FileCheck {
  /** Whether it has tables at all. */
  readonly isEmpty: boolean;
  /** Whether every page was read. */
  readonly isWhole: boolean;
}

/**
 * Checks the file at this path, as far as fits into a start. Throws LedgerDamaged: no database, cut off, pages
 * that contradict each other, a log of another database. Throws SQLite's own error where it cannot be opened.
 */
export function checkFile(path: string): FileCheck {
  const isWhole = bytesOf(path) + bytesOf(`${path}-wal`) <= AT_THE_START_BYTES;
  const tables = query(path, (database) => {
    if (isWhole) refuseFaults(path, faultsOf(database));
    return database.query("SELECT count(*) AS tables FROM sqlite_schema").get() as { tables: number };
  });
  return { isEmpty: tables.tables === 0, isWhole };
}

/** The damage of a file of any size; null when it has none. It stops its thread for about 6 ms a megabyte. */
export function damageIn(path: string): LedgerDamaged | null {
  try {
    query(path, (database) => {
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

function query<T>(path: string, read: (database: Database) => T): T {
  let database: Database | null = null;
  try {
    // Of a handle that only reads, SQLite takes no log into the file when it is closed.
    database = new Database(path, { readonly: true });
    return read(database);
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
  return text === "ok" ? null : text.slice(0, MOST_CHARACTERS);
}

/** With a log beside it, the file is checked without the log: whether it is whole shows which of the two is at fault. */
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

/** Sent to the thread (`thread.ts`), and what it answers. */
export interface IntegrityRequest {
  readonly path: string;
}
export type IntegrityAnswer =
  | { readonly kind: "whole" }
  | { readonly kind: "damaged"; readonly message: string }
  | { readonly kind: "failed"; readonly reason: string };

/**
 * Checks on a thread; `report` gets damage, and a check that did not finish is a failed job. The returned function ends the
 * thread, which keeps no process alive.
 */
export function checkFileLater(
  path: string,
  report: (damage: LedgerDamaged) => void,
  emit: Emit,
): () => void {
  const thread = new Worker(new URL("./thread.ts", import.meta.url), {
    smol: true,
    ref: false,
  });
  const failed = (error: string) => emit({ kind: "job_failed", job: "ledger-integrity", error });
  thread.addEventListener("message", ({ data }: MessageEvent<IntegrityAnswer>) => {
    thread.terminate();
    if (data.kind === "damaged") report(new LedgerDamaged(data.message));
    if (data.kind === "failed") failed(data.reason);
  });
  thread.addEventListener("error", ({ message }) => failed(message));
  thread.postMessage({ path } satisfies IntegrityRequest);
  return () => thread.terminate();
}
