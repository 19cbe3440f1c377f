/** How many attempts this process makes at once. A slow attempt leaves its slot, so that quick ones take turns. And faults logged once. Part of deliver.ts. */

import { LedgerUnavailable } from "#domain/account/ledger.ts";
import type { Emit } from "#telemetry.ts";

/** Deliveries of one claim, so that its transaction is short. */
const MOST_CLAIMED = 32;
/** Attempts that began a moment ago. */
const MOST_QUICK = 128;
/** All attempts, with those that wait for a receiver: each is a socket and a timer. */
const MOST_UNDER_WAY = 512;
/** A receiver that takes longer is slow: the others do not wait for it. */
const QUICK_MILLISECONDS = 500;

/** `freed` is called when a slot has become free. */
export function openSlots(later: (milliseconds: number, run: () => void) => () => void, freed: () => void) {
  const underWay = new Set<Promise<void>>();
  let quick = 0;
  return {
    /** How many deliveries may be claimed now. */
    free: () => Math.min(MOST_QUICK - quick, MOST_UNDER_WAY - underWay.size, MOST_CLAIMED),
    taken: () => underWay.size,
    /** An attempt, which never rejects, has a slot until it ends. */
    take: (attempt: Promise<void>): void => {
      let isQuick = true;
      quick += 1;
      const leave = () => {
        if (isQuick) quick -= 1;
        isQuick = false;
      };
      const callOff = later(QUICK_MILLISECONDS, () => {
        leave();
        freed();
      });
      const made = attempt.then(() => {
        callOff();
        leave();
        underWay.delete(made);
        freed();
      });
      underWay.add(made);
    },
    /** Resolves when the attempts under way have ended. */
    ended: () => Promise.all(underWay),
  };
}

/** The last fault of this many endpoints is known. */
const MOST_REMEMBERED = 1_000;

/** Logs a fault when it appears, not each second while it lasts. The ledger logs its own unavailability. */
export function logOnce(emit: Emit) {
  const last = new Map<string, string>();
  return {
    succeeded: (what: string): void => void last.delete(what),
    failed: (what: string, step: string, fault: unknown): void => {
      if (fault instanceof LedgerUnavailable) return;
      const error = `${what}, ${step}: ${fault instanceof Error ? fault.message : String(fault)}`;
      if (last.get(what) === error) return;
      if (last.size >= MOST_REMEMBERED) last.clear();
      last.set(what, error);
      emit({ kind: "job_failed", job: "webhook-deliveries", error });
    },
  };
}
