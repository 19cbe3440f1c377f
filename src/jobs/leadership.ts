/**
 * One of several processes collects: the holder of a lease in the ledger. The lease's epoch rises with every new holder
 * and goes into every write: a process that was paused beyond its lease cannot write any more.
 */

import type { Lease } from "#domain/account/ledger.ts";
import type { Leases } from "#ports/ledger.ts";
import type { Emit } from "#telemetry.ts";

interface LeadershipDeps {
  readonly leases: Leases;
  /** The name of the lease; the same in every process. */
  readonly name: string;
  readonly holder: string;
  readonly emit: Emit;
  /** Calls repeatedly; the returned function ends it. */
  readonly every: (milliseconds: number, run: () => void) => () => void;
}

export type Leadership = ReturnType<typeof startLeadership>;

/** Begins to lead; the returned function stops that, and never rejects. */
type Lead = (lease: Lease) => () => Promise<void> | void;

const BEAT_MILLISECONDS = 1_000;
/** A leader that hangs or dies is replaced within this time plus one heartbeat. */
const LEASE_MILLISECONDS = 5_000;

/**
 * Calls `lead` when this process begins to lead, and the returned function when another process does. Tries each second.
 * An unreachable ledger changes nothing: the leader continues, because its writes are fenced.
 */
export function startLeadership(deps: LeadershipDeps, lead: Lead) {
  const { leases, name, holder, emit } = deps;
  let lease: Lease | null = null;
  let stopLeading: () => Promise<void> | void = () => {};
  let stopped = false;
  let isFailing = false;
  let heartbeats: Promise<void> | null = null;

  const end = async (): Promise<void> => {
    const stopping = stopLeading;
    [lease, stopLeading] = [null, () => {}];
    await stopping();
  };
  const heartbeat = async (): Promise<void> => {
    if (lease !== null) {
      const { epoch } = lease;
      const renewed = await leases.renew(lease, LEASE_MILLISECONDS);
      if (renewed === null) {
        emit({ kind: "leadership_lost", lease: name, epoch });
        await end();
      } else lease = renewed;
      return;
    }
    const acquired = await leases.acquire(name, holder, LEASE_MILLISECONDS);
    if (acquired === null) return;
    lease = acquired;
    if (stopped) return;
    emit({ kind: "leadership_gained", lease: name, epoch: acquired.epoch });
    stopLeading = lead(acquired);
  };
  /** One heartbeat at a time: they must not queue up at a slow ledger. */
  const beatOnce = () => {
    heartbeats ??= heartbeat()
      .then(() => {
        isFailing = false;
      })
      .catch((fault: unknown) => {
        // Once per outage: the ledger's own events report the rest.
        const error = fault instanceof Error ? fault.message : String(fault);
        if (!isFailing) emit({ kind: "job_failed", job: name, error });
        isFailing = true;
      })
      .finally(() => {
        heartbeats = null;
      });
  };
  beatOnce();
  const stopBeat = deps.every(BEAT_MILLISECONDS, beatOnce);
  const settled = async (): Promise<void> => {
    while (heartbeats !== null) await heartbeats;
  };

  return {
    lease: (): Lease | null => lease,
    settled,
    stop: async (): Promise<void> => {
      stopped = true;
      stopBeat();
      await settled();
      const released = lease;
      await end();
      if (released !== null) await leases.release(released).catch(() => {});
    },
  };
}
