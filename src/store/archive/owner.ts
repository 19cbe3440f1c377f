/** Who owns the journal: one process, for as long as it lives; the system drops the claim when it dies. */

import { Database } from "bun:sqlite";
import { existsSync, statSync } from "node:fs";
import { LakeBusy, openWriterLock, type WriterLock } from "#store/lake/writer-lock.ts";

/** Another process is appending to the journal of this archive. */
export class JournalOwned extends Error {
  constructor(path: string) {
    super(
      `another process writes the intraday archive and holds ${path}: stop it first, or open the archive for reading`,
    );
    this.name = "JournalOwned";
  }
}

export interface Ownership {
  release(): Promise<void>;
}

/** Resolves once the claim is this process's. Throws JournalOwned when it is another's for longer than the wait. */
export async function ownJournal(path: string, waitSeconds: number): Promise<Ownership> {
  const lock = openLock(path, waitSeconds);
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let held: Promise<void> = Promise.resolve();
  try {
    await new Promise<void>((acquired, refused) => {
      held = lock.exclusive(async () => {
        acquired();
        await ended;
      });
      held.catch(refused);
    });
  } catch (fault) {
    await lock.close();
    throw fault instanceof LakeBusy ? new JournalOwned(path) : fault;
  }
  return {
    release: async () => {
      end();
      await held;
      await lock.close();
    },
  };
}

/**
 * A writer lock that can be taken on a full disk: SQLite writes the first page of an empty file when it locks it, so
 * that page is written here, once, when the file is made.
 */
export function openLock(path: string, waitSeconds: number): WriterLock {
  if (!existsSync(path) || statSync(path).size === 0) {
    const database = new Database(path, { create: true });
    try {
      database.run("PRAGMA user_version = 1");
    } catch {
      // Another process is doing the same, or there is no room: taking the lock will say so.
    } finally {
      database.close();
    }
  }
  return openWriterLock(path, waitSeconds);
}
