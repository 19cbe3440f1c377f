/** Faults of sending, reported when they come and not each second while they last. Part of deliver.ts. */

import { LedgerUnavailable } from "#domain/account/ledger-faults.ts";
import type { Tell } from "#telemetry.ts";

/** Of this many endpoints the last fault is known. */
const MOST_REMEMBERED = 1_000;

/** The ledger itself tells that it is out of reach. */
export function sayOnce(tell: Tell) {
  const last = new Map<string, string>();
  return {
    well: (what: string): void => void last.delete(what),
    ill: (what: string, step: string, fault: unknown): void => {
      if (fault instanceof LedgerUnavailable) return;
      const error = `${what}, ${step}: ${fault instanceof Error ? fault.message : String(fault)}`;
      if (last.get(what) === error) return;
      if (last.size >= MOST_REMEMBERED) last.clear();
      last.set(what, error);
      tell({ kind: "job_failed", job: "webhook-deliveries", error });
    },
  };
}
