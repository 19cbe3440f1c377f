/** What this process is in leases: its name, what it knows of others, and the token that its commits carry. */

import { randomText } from "#domain/account/key-format.ts";
import { systemRandom } from "#gateways/random.ts";
import type { FencingToken } from "#ports/fencing.ts";

/** A name for this process, as leases have it. */
export const newHolder = () => `prc_${randomText(systemRandom, 20)}`;

/** The token that this process's commits carry: that of its newest lease, also after it has lost that. */
export function newFencing() {
  let token: FencingToken | null = null;
  return {
    token: () => token,
    set: (next: FencingToken) => {
      token = next;
    },
  };
}

/** Of this process, in leases. */
export interface LeaseIdentity {
  readonly holder: string;
  /** Whether the process that held a lease before is known to be dead, read when collection starts. */
  readonly isHolderDead: () => boolean;
}
