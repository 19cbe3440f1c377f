/** A writer lock whose file is made ready when it is opened. */

import { Database } from "bun:sqlite";
import { existsSync, statSync } from "node:fs";
import { openWriterLock, type WriterLock } from "./writer-lock.ts";

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
