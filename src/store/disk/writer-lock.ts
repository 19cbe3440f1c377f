/** One writer across processes, many readers, by SQLite's file locks. The system drops a lock when its process dies, also by kill -9. */

import { Database } from "bun:sqlite";
import { existsSync, statSync } from "node:fs";
import pLimit from "p-limit";
import { DiskFull, diskFullIn } from "#domain/faults/errors.ts";

export class LakeBusy extends Error {
  constructor(path: string, waitedSeconds: number) {
    super(`the lake is in use by another process: ${path} was still locked after ${waitedSeconds} s`);
    this.name = "LakeBusy";
  }
}

class LockDamaged extends Error {
  constructor(path: string, cause: unknown) {
    super(
      `${path} is damaged. It has no data, only the lock: stop every process that uses this directory, delete the file, and start again`,
      { cause },
    );
    this.name = "LockDamaged";
  }
}

export type WriterLock = ReturnType<typeof openLock>;

const POLL_MILLISECONDS = 15;

const WAIT_SECONDS = 30;

/**
 * `waitSeconds` bounds the wait for other processes; calls within this process queue. Any number of processes may have a shared lock, while none
 * has it alone. Throws LockDamaged.
 */
export function openLock(path: string, waitSeconds = WAIT_SECONDS, isShared = false) {
  if (!existsSync(path) || statSync(path).size === 0) writeFirstPage(path);
  const database = opened(path);
  const inTurn = pLimit(1);

  function take(): boolean {
    try {
      database.run(isShared ? "BEGIN" : "BEGIN EXCLUSIVE");
      // The first read takes the shared lock.
      if (isShared) database.query("SELECT count(*) FROM sqlite_schema").get();
      return true;
    } catch (error) {
      if (isDamage(error)) throw new LockDamaged(path, error);
      // SQLite writes the first page of an empty file when it locks it.
      if (diskFullIn(error) !== null) throw new DiskFull(path, error);
      if (!String((error as { code?: unknown }).code).startsWith("SQLITE_BUSY")) throw error;
      if (database.inTransaction) database.run("ROLLBACK");
      return false;
    }
  }
  async function acquire(): Promise<void> {
    for (let waited = 0; !take(); waited += POLL_MILLISECONDS) {
      if (waited >= waitSeconds * 1000) throw new LakeBusy(path, waitSeconds);
      // A synchronous busy timeout would stop the whole process from answering.
      await Bun.sleep(POLL_MILLISECONDS);
    }
  }

  return {
    /** Runs `work` exclusively: no other process writes meanwhile. Rejects with LakeBusy or DiskFull. */
    exclusive: <T>(work: () => Promise<T>): Promise<T> =>
      inTurn(async () => {
        await acquire();
        try {
          return await work();
        } finally {
          database.run("ROLLBACK");
        }
      }),
    /** Takes the lock until `close`; false while another has it. Throws DiskFull. */
    take,
    /** Takes the lock until `close`. Rejects as `exclusive`. */
    keep: (): Promise<void> => inTurn(acquire),
    /** Waits for the running work of this process. SQLite ends the lock with the handle. */
    close: (): Promise<void> => inTurn(() => database.close()),
  };
}

function opened(path: string): Database {
  try {
    const database = new Database(path, { create: true });
    database.run("PRAGMA busy_timeout = 0");
    return database;
  } catch (fault) {
    if (diskFullIn(fault) !== null) throw new DiskFull(path, fault);
    throw isDamage(fault) ? new LockDamaged(path, fault) : fault;
  }
}

function isDamage(fault: unknown): boolean {
  return /^SQLITE_(NOTADB|CORRUPT)/.test(String((fault as { code?: unknown }).code));
}

/** Writes the first page, once: SQLite would do it with the first lock, and could not on a full disk. */
function writeFirstPage(path: string): void {
  const database = new Database(path, { create: true });
  try {
    database.run("PRAGMA user_version = 1");
  } catch {
    // Another process does the same, or there is no room: taking the lock then fails.
  } finally {
    database.close();
  }
}

const COMMAND_WAIT_SECONDS = 5;

/** Runs `work` exclusively for an operator's command; opens and closes the lock. Rejects with LakeBusy or DiskFull. */
export async function underLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = openLock(path, COMMAND_WAIT_SECONDS);
  try {
    return await lock.exclusive(work);
  } finally {
    await lock.close();
  }
}

export type Claim = Awaited<ReturnType<typeof claim>>;

/** Resolves when this process has the lock. Rejects with LakeBusy after the wait, or DiskFull. */
export async function claim(path: string, waitSeconds?: number, isShared?: boolean) {
  const lock = openLock(path, waitSeconds, isShared);
  try {
    await lock.keep();
  } catch (fault) {
    await lock.close();
    throw fault;
  }
  return { release: lock.close };
}
