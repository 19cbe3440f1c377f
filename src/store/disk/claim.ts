/** A lock that a process holds for as long as it likes; the system drops it when the process dies, also by kill -9. */

import { openLock } from "./writer-lock.ts";

export interface Claim {
  release(): Promise<void>;
}

/** Resolves once the lock is this process's. Throws LakeBusy when it is another's for longer than the wait, DiskFull. */
export async function claim(path: string, waitSeconds: number): Promise<Claim> {
  const lock = openLock(path, waitSeconds);
  const ended = Promise.withResolvers<void>();
  let held: Promise<void> = Promise.resolve();
  try {
    await new Promise<void>((acquired, refused) => {
      held = lock.exclusive(async () => {
        acquired();
        await ended.promise;
      });
      held.catch(refused);
    });
  } catch (fault) {
    await lock.close();
    throw fault;
  }
  return {
    release: async () => {
      ended.resolve();
      await held;
      await lock.close();
    },
  };
}
