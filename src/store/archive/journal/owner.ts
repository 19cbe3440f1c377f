/** Who owns the journal: one process, for as long as it lives; the system drops the claim when it dies. */

import { LakeBusy, openLock } from "#store/disk/writer-lock.ts";

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
