/** Who may run a job right now. The epoch rises with every holder: what an earlier one still tries is refused by it. */

import type { Instant } from "#domain/time/day.ts";

export interface Lease {
  readonly name: string;
  readonly holder: string;
  readonly epoch: number;
  /** By the ledger's own clock. */
  readonly expiresAt: Instant;
}
