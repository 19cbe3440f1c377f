/** The ledger on SQLite: one file in WAL mode, one handle that writes, one that reads. Several processes may share it. The file is checked before it is opened, and page by page at night. */

import { Database } from "bun:sqlite";
import { closeSync, existsSync, openSync } from "node:fs";
import { dirname } from "node:path";
import pLimit from "p-limit";
import { LedgerUnavailable } from "#domain/account/ledger.ts";
import { makeFolder, syncPath } from "#store/disk/durable.ts";
import { DEADLINE_MILLISECONDS, type Durability, type Engine, type Statements } from "./engine.ts";
import { bytesOf, meaningOf, sqliteDamage } from "./faults.ts";
import { checkParams, type Row, raw, sqlOf } from "./rows.ts";

/** This module waits for other processes itself: SQLite's own waiting would block the event loop. */
const SHORTEST_WAIT_MILLISECONDS = 1;
const LONGEST_WAIT_MILLISECONDS = 16;
const LONGEST_HOLD_MILLISECONDS = 1;

/** The cache of each of the two handles. SQLite's own would be 2,000 and stay allocated; the system caches the file as well. */
const CACHE_KIBIBYTES = 512;

const TIME = raw("CAST(unixepoch('subsec') * 1000 AS INTEGER)");
const NO_LOCK = { forUpdate: raw(""), forUpdateSkipLocked: raw("") };

/** Opens the file; a new one is readable by its owner only. Rejects with SQLite's errors. */
export async function openSqlite(path: string): Promise<Engine> {
  makeFolder(dirname(path));
  closeSync(openSync(path, "a", 0o600));
  syncPath(dirname(path));
  // A path would end at its first question mark: what follows is read as options.
  const filename = Bun.pathToFileURL(path);
  const writer = new Bun.SQL({ adapter: "sqlite", filename });
  const reader = new Bun.SQL({ adapter: "sqlite", filename });
  try {
    for (const sql of [writer, reader]) {
      await setPragma(sql, "busy_timeout = 0");
      await setPragma(sql, `cache_size = -${CACHE_KIBIBYTES}`);
    }
    await setPragma(writer, "journal_mode = WAL");
    await setPragma(writer, "foreign_keys = ON");
    // What names a person must not stay in the file once it is deleted.
    await setPragma(writer, "secure_delete = ON");
    await setPragma(reader, "query_only = ON");
  } catch (fault) {
    await Promise.all([reader.close(), writer.close()]);
    throw fault;
  }

  const read = statementsOf(reader);
  const write = statementsOf(writer);
  let synchronous: Durability | null = null;
  const inTurn = pLimit(1);

  const begin = async (durability: Durability): Promise<void> => {
    if (synchronous !== durability) {
      await setPragma(writer, `synchronous = ${durability === "full" ? "FULL" : "NORMAL"}`);
      synchronous = durability;
    }
    await patiently(() => writer.unsafe("BEGIN IMMEDIATE"));
  };

  return {
    read: { rows: (...statement) => patiently(() => read.rows(...statement)) },
    // One after the other: the handle has one transaction, and its statements must not mix with another's.
    write: (work, durability = "full") =>
      inTurn(async () => {
        await begin(durability);
        try {
          const result = await work({ ...breathing(write), ...NO_LOCK });
          await patiently(() => writer.unsafe("COMMIT"));
          return result;
        } catch (fault) {
          // On a full disk SQLite has rolled back already, and this fails.
          await writer.unsafe("ROLLBACK").catch(() => {});
          throw fault;
        }
      }),
    time: TIME,
    close: async () => {
      await inTurn(async () => {
        // The writer closes last: the last handle to close merges the log into the file and removes it.
        await reader.close();
        await writer.close();
      });
    },
  };
}

/** A pragma may read the schema, which another process can keep locked while it begins or ends. */
async function setPragma(sql: Bun.SQL, pragma: string): Promise<void> {
  await patiently(() => sql.unsafe(`PRAGMA ${pragma}`));
}

function statementsOf(sql: Bun.SQL): Statements {
  // SQLite counts $1, $2 as names, in order of occurrence; ?1, ?2 are positions.
  const ask = (...statement: Parameters<typeof sqlOf>) => {
    const { text, params } = sqlOf(...statement);
    return sql.unsafe(text.replace(/\$(\d+)/g, "?$1"), checkParams(params));
  };
  return {
    rows: async (...statement) => (await ask(...statement)) as unknown as readonly Row[],
    run: async (...statement) => (await ask(...statement)).count as number,
  };
}

/** Statements run on this thread: a long transaction lets requests run in between. Other writes wait for their turn. */
function breathing(statements: Statements): Statements {
  let begun = performance.now();
  const breathe = async <T>(result: T): Promise<T> => {
    if (performance.now() - begun > LONGEST_HOLD_MILLISECONDS) {
      await new Promise((resolve) => setImmediate(resolve));
      begun = performance.now();
    }
    return result;
  };
  return {
    rows: (...statement) => statements.rows(...statement).then(breathe),
    run: (...statement) => statements.run(...statement).then(breathe),
  };
}

/** Repeats an attempt while another process has the lock. Rejects with LedgerUnavailable when that lasts too long. */
export async function patiently<T>(attempt: () => Promise<T> | T): Promise<T> {
  const end = performance.now() + DEADLINE_MILLISECONDS;
  for (let wait = SHORTEST_WAIT_MILLISECONDS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MILLISECONDS)) {
    try {
      return await attempt();
    } catch (fault) {
      if (meaningOf(fault) !== "busy") throw fault;
      if (performance.now() > end) throw new LedgerUnavailable("another process keeps it locked", fault);
    }
    await Bun.sleep(wait);
  }
}

/** Up to this size the whole file is checked before it is opened. A larger one is checked at night, and by `crossrate doctor`. */
const AT_THE_START_BYTES = 8 * 1024 * 1024;

/** SQLite lists every fault; the first says enough. */
const MOST_CHARACTERS = 200;

/**
 * Returns what is at this path. Throws LedgerDamaged when it is no database, cut off or contradictory, or has the log of another
 * database. Throws SQLite's own error when it cannot be opened.
 */
export function stateOfFile(path: string): "missing" | "empty" | "there" {
  const bytes = bytesOf(path);
  if (bytes === 0) return existsSync(path) ? "empty" : "missing";
  return reading(path, (database) => {
    if (bytes + bytesOf(`${path}-wal`) <= AT_THE_START_BYTES) refuseFaults(path, database);
    return tablesOf(database).length === 0 ? "empty" : "there";
  });
}

/** Throws LedgerDamaged for a log without its file: the next database of this name would take it in. */
export function refuseLogAlone(path: string): void {
  if (bytesOf(path) > 0 || bytesOf(`${path}-wal`) === 0) return;
  throw sqliteDamage(path)("its log is there, and the file is not");
}

/** Reads all pages, a table at a time: in between, requests are answered. Rejects with LedgerDamaged. */
export async function checkFile(path: string): Promise<void> {
  const tables = reading(path, tablesOf);
  for (const table of tables) {
    reading(path, (database) => refuseFaults(path, database, table));
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
    if (bytesOf(`${path}-journal`) > 0) rollBack(path);
    // SQLite does not merge the log into the file when a read-only handle is closed.
    database = new Database(path, { readonly: true });
    return read(database);
  } catch (fault) {
    if (meaningOf(fault) !== "damaged") throw fault;
    const { code, message } = fault as { code?: unknown; message?: unknown };
    throw sqliteDamage(path)(`${code}: ${message}`, fault);
  } finally {
    database?.close();
  }
}

/** Undoes what a crash cut off while a new or restored file got its write-ahead log. A read-only handle cannot, and would be refused. */
function rollBack(path: string): void {
  const database = new Database(path, { readwrite: true });
  try {
    tablesOf(database);
  } finally {
    database.close();
  }
}

/** Throws LedgerDamaged for what SQLite finds wrong in all pages and indexes, or in the pages of one table. */
function refuseFaults(path: string, database: Database, table: string | null = null): void {
  const check = table === null ? "integrity_check(10)" : `quick_check('${table}')`;
  const rows = database.query(`PRAGMA ${check}`).values() as [string][];
  const text = rows.map(([fault]) => fault.replace(/\s+/g, " ")).join("; ");
  if (text !== "ok") throw sqliteDamage(path)(text.slice(0, MOST_CHARACTERS));
}
