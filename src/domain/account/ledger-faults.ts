/** What can be wrong with the ledger, named: out of reach for now, or not a ledger that this release may use. */

/**
 * The ledger gave no answer, or could not write. It heals by itself; a caller answers 503. A write that failed so may
 * have happened all the same (the answer was lost): everything that writes is safe to repeat.
 */
export class LedgerUnavailable extends Error {
  constructor(reason: string, cause?: unknown) {
    super(`the ledger is unavailable: ${reason}`, cause === undefined ? undefined : { cause });
    this.name = "LedgerUnavailable";
  }
}

/** The database was migrated by a newer release, or by files that differ from this release's: it is left alone. */
export class LedgerMismatch extends Error {
  constructor(reason: string) {
    super(`the ledger does not fit this release: ${reason}`);
    this.name = "LedgerMismatch";
  }
}
