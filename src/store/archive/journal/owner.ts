/** Who owns the journal: one process, for as long as it lives; the system drops the claim when it dies. */

import { type Claim, claim } from "#store/disk/claim.ts";
import { LakeBusy } from "#store/disk/writer-lock.ts";

/** Another process is appending to the journal of this archive. */
export class JournalOwned extends Error {
  constructor(path: string) {
    super(
      `another process writes the intraday archive and holds ${path}: stop it first, or open the archive for reading`,
    );
    this.name = "JournalOwned";
  }
}

/** Resolves once the claim is this process's. Throws JournalOwned when it is another's for longer than the wait. */
export async function ownJournal(path: string, waitSeconds: number): Promise<Claim> {
  return await claim(path, waitSeconds).catch((fault: unknown) => {
    throw fault instanceof LakeBusy ? new JournalOwned(path) : fault;
  });
}
