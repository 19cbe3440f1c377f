/** The fencing token of a collector: goes into its commits, so that one that another has replaced cannot commit any more. */

export interface FencingToken {
  /** Names the ledger that gave the epoch: those of two ledgers cannot be compared. */
  readonly ledger: string;
  /** Of the lease; rises with every new holder. */
  readonly epoch: number;
}

/** Reads the token of now; null in a process that has never collected, such as a command. */
export type Fencing = () => FencingToken | null;
