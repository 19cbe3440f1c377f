/** A commit in shared storage, where another machine may have been faster: once more, on what that one has made. */

import { CommitConflict } from "./log.ts";
import type { LakeStorage } from "./storage.ts";

/** Writers on other machines are few, and a commit takes less than a second. */
const MOST_ATTEMPTS = 8;

/**
 * Runs `work` on the newest versions, and again when a commit of it met another one. Without storage the writer's lock rules that
 * out, and it runs once. `work` begins with reading the tables.
 */
export async function onNewest<T>(storage: LakeStorage | null, work: () => Promise<T>): Promise<T> {
  if (storage === null) return await work();
  for (let attempt = 1; ; attempt++) {
    await storage.follow();
    try {
      return await work();
    } catch (fault) {
      if (!(fault instanceof CommitConflict) || attempt >= MOST_ATTEMPTS) throw fault;
    }
  }
}
