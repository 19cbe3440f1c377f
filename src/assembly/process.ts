/** What all parts of one process share: timers, its name in leases, the token of its commits, how it asks upstreams and reports faults. */

import type { Config } from "#config.ts";
import { randomText } from "#domain/account/key.ts";
import { systemRandom } from "#gateways/random.ts";
import type { Clock } from "#ports.ts";
import { openClockWatch } from "#sources/fetch/clock-watch.ts";
import type { FencingToken } from "#store/delta/storage.ts";
import type { Emit } from "#telemetry.ts";

/** Waits, then calls; the returned function calls it off. */
export function later(milliseconds: number, run: () => void): () => void {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
}

/** Calls again and again; the returned function ends it. */
export function every(milliseconds: number, run: () => void): () => void {
  const timer = setInterval(run, milliseconds);
  return () => clearInterval(timer);
}

/** Opens at the first call; every call resolves with the same. `opened` does not open: null before that call. */
export function once<T>(open: () => Promise<T>) {
  let opening: Promise<T> | null = null;
  return {
    get: (): Promise<T> => {
      opening ??= open();
      return opening;
    },
    opened: (): Promise<T> | null => opening,
  };
}

/** Logs the fault of a job. */
export const failedJob = (emit: Emit, job: string) => (fault: unknown) =>
  emit({ kind: "job_failed", job, error: fault instanceof Error ? fault.message : String(fault) });

/** A new, random id, as rows of the ledger and processes in leases have it. */
export const newId = (prefix: string) => `${prefix}${randomText(systemRandom, 20)}`;

/** A name for this process, as leases have it. */
export const newHolder = () => newId("prc_");

export interface LeaseIdentity {
  readonly holder: string;
  /** Whether the process that held a lease before is known to be dead, read when collection starts. */
  readonly isHolderDead: () => boolean;
}

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

/** What all clients of upstreams share. `watch` is absent where the clock was set on purpose (NOW, the demo): it differs from every host's. */
export function upstreamOf({ upstreamBase }: Pick<Config, "upstreamBase">, clock: Clock, version: string) {
  return {
    clock,
    base: upstreamBase,
    userAgent: `crossrate/${version} (self-hosted reference rates)`,
    ...(clock.now === Date.now && { watch: openClockWatch(clock) }),
  };
}
