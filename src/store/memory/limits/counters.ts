/** Limits and quotas of a single process: every call is counted here, and answered without waiting but for a month not yet known. */

import { HOUR_MILLISECONDS } from "#domain/limits/caller.ts";
import { refundedCounts } from "#domain/limits/counts.ts";
import type { Counters, MonthUsed } from "#ports/counters.ts";
import type { Clock } from "#ports.ts";
import { callerTable, MOST_ADDRESSES } from "./caller-table.ts";
import { CLOSED, localCounts, neverTaken, newLocalRecord } from "./local-counts.ts";

export interface MemoryCountersDeps {
  readonly clock: Clock;
  readonly monthUsed: MonthUsed;
  /** Client addresses that are counted separately; some 300 bytes each. */
  readonly addresses?: number;
}

/** After a pause of two of the longest sliding windows nothing is left, and the ledger knows the month. */
export const IDLE_MILLISECONDS = 2 * HOUR_MILLISECONDS;

export function memoryCounters(deps: MemoryCountersDeps): Counters {
  const { clock, addresses = MOST_ADDRESSES } = deps;
  const callers = callerTable({
    addresses,
    create: () => newLocalRecord(clock.now()),
    isIdle: ({ usedAt }) => clock.now() - usedAt >= IDLE_MILLISECONDS,
  });
  const local = localCounts({
    ...deps,
    countingNow: clock.now,
    wallNow: clock.now,
    replicas: 1,
    // Asked once: from then on every call is counted here.
    monthRefreshMilliseconds: Number.POSITIVE_INFINITY,
  });
  let closed = false;

  return {
    take: (caller, cost) => {
      if (closed) return CLOSED;
      return neverTaken(caller, cost) ?? local.take(callers.of(caller), caller, cost);
    },
    refund: (caller, { cost, at }) => {
      const record = callers.of(caller);
      record.counts = refundedCounts(record.counts, cost, at);
    },
    state: () => ({
      kind: "memory",
      status: "ok",
      detail: null,
      lastSeenAt: null,
      callers: callers.size,
      crowded: callers.crowded,
    }),
    close: async () => {
      closed = true;
    },
  };
}
