/** Processes the notices of one customer one at a time, across replicas. Otherwise an older reading could overwrite a newer one. */

import type { Lease } from "#domain/account/ledger.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { BillingNoticeDeps } from "./notice-deps.ts";

/** Longer than a reading takes unless the provider is half dead; then the turn is lost, and nothing is written. */
const TURN_MILLISECONDS = 30_000;
/** Shorter than the provider waits for an answer to its notice. */
const LONGEST_WAIT_MILLISECONDS = 8_000;
const FIRST_PAUSE_MILLISECONDS = 20;
const LONGEST_PAUSE_MILLISECONDS = 250;
/** Customers share these, so that the table of leases does not grow with them. */
const LANES = 64;

type TurnDeps = Pick<BillingNoticeDeps, "replica" | "pause"> & {
  readonly ledger: Pick<BillingNoticeDeps["ledger"], "leases">;
};

/**
 * Does the work while no other process works for that customer. `keep` is awaited right before what was read is written:
 * the turn is prolonged then, or was lost. Failure `service_unavailable` when it was, or is not had within 8 seconds.
 */
export async function inTurn<T>(
  deps: TurnDeps,
  customerId: string,
  work: (keep: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const { leases } = deps.ledger;
  const lease = await turnOf(deps, `billing-${laneOf(customerId)}`);
  try {
    return await work(async () => {
      if ((await leases.renew(lease, TURN_MILLISECONDS)) === null) throw busy();
    });
  } finally {
    // Not worth a failure: it expires by itself.
    await leases.release(lease).catch(() => {});
  }
}

async function turnOf({ ledger, replica, pause }: TurnDeps, name: string): Promise<Lease> {
  let wait = FIRST_PAUSE_MILLISECONDS;
  for (let waited = 0; ; waited += wait, wait = Math.min(2 * wait, LONGEST_PAUSE_MILLISECONDS)) {
    const lease = await ledger.leases.acquire(name, replica, TURN_MILLISECONDS);
    if (lease !== null) return lease;
    if (waited >= LONGEST_WAIT_MILLISECONDS) throw busy();
    await pause(wait);
  }
}

function busy(): Failure {
  return new Failure("service_unavailable", {
    reason: "the subscription is being read already; send it again",
  });
}

/** Any spreading will do, as long as all replicas agree. */
function laneOf(customerId: string): number {
  let sum = 0;
  for (const character of customerId) sum = (31 * sum + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return sum % LANES;
}
