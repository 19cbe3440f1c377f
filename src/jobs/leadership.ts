/** One of several processes does what must not be done by two: the one that holds a lease of the ledger, until it no longer does. */

import type { Lease } from "#domain/account/lease.ts";
import type { Leases } from "#ports/ledger.ts";
import type { Tell } from "#telemetry.ts";

export interface LeadershipDeps {
  readonly leases: Leases;
  /** Of the lease; the same in every process. */
  readonly name: string;
  /** This process. */
  readonly holder: string;
  readonly tell: Tell;
  /** Calls again and again; the returned function ends it. */
  readonly every: (milliseconds: number, run: () => void) => () => void;
}

export interface Leadership {
  /** Asks the ledger whether this process still leads: right before what must not be done by two. */
  holds(): Promise<boolean>;
  /** Resolves when every attempt to begin or go on that is under way has ended. */
  beaten(): Promise<void>;
  /** Stops leading and lets the next process in at once. */
  stop(): Promise<void>;
}

const BEAT_MILLISECONDS = 10_000;
/** A process that hangs or dies is followed by another one after so long. */
const LEASE_MILLISECONDS = 40_000;

/** Calls `lead` whenever this process begins to lead, and what that returns when it ends. Tries from now on. */
export function startLeadership(deps: LeadershipDeps, lead: () => () => void): Leadership {
  const { leases, name, holder } = deps;
  let lease: Lease | null = null;
  let stopLeading = () => {};
  let stopped = false;
  let beating: Promise<void> = Promise.resolve();

  const beat = async () => {
    const held = lease;
    const next =
      held === null
        ? await leases.acquire(name, holder, LEASE_MILLISECONDS)
        : await leases.renew(held, LEASE_MILLISECONDS);
    lease = next;
    if (held === null && next !== null && !stopped) stopLeading = lead();
    if (held !== null && next === null) stopLeading();
  };
  // A ledger out of reach has nothing published either; whether the lease outlived that is seen when it is back.
  const beatOnce = () => {
    if (stopped) return;
    beating = beating.then(beat).catch((fault: unknown) => {
      deps.tell({
        kind: "job_failed",
        job: name,
        error: fault instanceof Error ? fault.message : `${fault}`,
      });
    });
  };
  beatOnce();
  const stopBeat = deps.every(BEAT_MILLISECONDS, beatOnce);

  return {
    holds: async () => {
      await beating;
      return lease !== null && (await leases.holds(lease));
    },
    beaten: () => beating,
    stop: async () => {
      stopped = true;
      stopBeat();
      await beating;
      stopLeading();
      if (lease !== null) await leases.release(lease).catch(() => {});
      lease = null;
    },
  };
}
