/**
 * One of several processes does what must not be done twice: the one that holds a lease of the ledger, for as long as
 * it holds it.
 */

import type { Lease } from "#domain/account/ledger.ts";
import type { Leases } from "#ports/ledger.ts";
import type { Emit } from "#telemetry.ts";

interface LeadershipDeps {
  readonly leases: Leases;
  /** Of the lease; the same in every process. */
  readonly name: string;
  /** This process. */
  readonly holder: string;
  readonly emit: Emit;
  /** Calls repeatedly; the returned function ends it. */
  readonly every: (milliseconds: number, run: () => void) => () => void;
}

export type Leadership = ReturnType<typeof startLeadership>;

const BEAT_MILLISECONDS = 10_000;
/** A process that hangs or dies is followed by another one after so long. */
const LEASE_MILLISECONDS = 40_000;

/** Calls `lead` whenever this process begins to lead, and what that returns when it ends. Tries from now on. */
export function startLeadership(deps: LeadershipDeps, lead: () => () => void) {
  const { leases, name, holder } = deps;
  let lease: Lease | null = null;
  let stopLeading = () => {};
  let stopped = false;
  let heartbeats: Promise<void> = Promise.resolve();

  const heartbeat = async () => {
    const held = lease;
    const next =
      held === null
        ? await leases.acquire(name, holder, LEASE_MILLISECONDS)
        : await leases.renew(held, LEASE_MILLISECONDS);
    lease = next;
    if (held === null && next !== null && !stopped) stopLeading = lead();
    if (held !== null && next === null) stopLeading();
  };
  // While the ledger is unreachable nothing is published; whether the lease is still held is seen when it is back.
  const beatOnce = () => {
    if (stopped) return;
    heartbeats = heartbeats.then(heartbeat).catch((fault: unknown) => {
      deps.emit({
        kind: "job_failed",
        job: name,
        error: fault instanceof Error ? fault.message : `${fault}`,
      });
    });
  };
  beatOnce();
  const stopBeat = deps.every(BEAT_MILLISECONDS, beatOnce);

  return {
    /** Checks in the ledger whether this process still leads, right before what must not be done twice. */
    holds: async () => {
      await heartbeats;
      return lease !== null && (await leases.holds(lease));
    },
    /** Resolves when every attempt to begin or go on that is under way has ended. */
    settled: () => heartbeats,
    /** Stops leading and lets the next process in at once. */
    stop: async () => {
      stopped = true;
      stopBeat();
      await heartbeats;
      stopLeading();
      if (lease !== null) await leases.release(lease).catch(() => {});
      lease = null;
    },
  };
}
