/** Limits and quotas of a single process: every call is counted here, and answered without waiting but for a month not yet known. */

import { type Caller, HOUR_MILLISECONDS, impossibleIn } from "#domain/limits/caller.ts";
import {
  type Counts,
  chargedCounts,
  fits,
  NO_COUNTS,
  refundedCounts,
  rolledCounts,
} from "#domain/limits/counts.ts";
import { monthAt, monthDay } from "#domain/limits/month.ts";
import { granted, refused } from "#domain/limits/standing.ts";
import type { Granted, Taken } from "#domain/limits/taken.ts";
import type { Counters, MonthUsed } from "#ports/counters.ts";
import type { Clock } from "#ports.ts";
import { callerTable } from "./caller-table.ts";
import { monthFigures } from "./month-figures.ts";

export interface MemoryCountersDeps {
  readonly clock: Clock;
  readonly monthUsed: MonthUsed;
  /** Waits, then calls; returns how to call it off. */
  readonly later: (milliseconds: number, run: () => void) => () => void;
  /** Client addresses that are told apart; some 300 bytes each. */
  readonly addresses?: number;
}

export const MOST_ADDRESSES = 250_000;
/** After a pause of two of the longest sliding windows nothing is left, and the ledger knows the month. */
const IDLE_MILLISECONDS = 2 * HOUR_MILLISECONDS;
const RETRY_SECONDS = 5;

interface Known {
  counts: Counts;
  usedAt: number;
}

export function memoryCounters(deps: MemoryCountersDeps): Counters {
  const { clock, addresses = MOST_ADDRESSES } = deps;
  const table = (capacity: number) =>
    callerTable<Known>({
      capacity,
      create: () => ({ counts: NO_COUNTS, usedAt: clock.now() }),
      isIdle: ({ usedAt }) => clock.now() - usedAt >= IDLE_MILLISECONDS,
    });
  // Organizations are as many as the ledger has: only addresses can be made up.
  const [orgs, others] = [table(Number.POSITIVE_INFINITY), table(addresses)];
  const months = monthFigures(deps.monthUsed, deps.later);
  let closed = false;

  const takeKnown = (known: Known, caller: Caller, cost: number): Taken => {
    const now = clock.now();
    const counts = rolledCounts(known.counts, now);
    const { allowance } = caller;
    known.usedAt = now;
    if (cost > 0 && !fits(counts, allowance, cost, now)) {
      known.counts = counts;
      return refused(counts, allowance, cost, { now, wall: now });
    }
    known.counts = cost > 0 ? chargedCounts(counts, allowance, cost) : counts;
    return granted(known.counts, allowance, cost, { now, wall: now }, "process");
  };

  const takeUnknown = async (known: Known, caller: Caller, cost: number): Promise<Taken> => {
    const month = monthAt(clock.now());
    const used = await months.ask(caller.id, monthDay(month));
    if (closed) return CLOSED;
    // Of several who waited the first one sets the figure, the others find it with what was charged since.
    if (known.counts.month === null) {
      if (used === null) return unavailable(`the ledger: ${months.fault()}`);
      known.counts = { ...known.counts, month: { ...month, used } };
    }
    return takeKnown(known, caller, cost);
  };

  return {
    take: (caller, cost) => {
      if (closed) return CLOSED;
      const impossible = impossibleIn(caller.allowance, cost);
      if (impossible !== null) {
        const limit = caller.allowance[impossible] ?? 0;
        return { outcome: "never", window: impossible, limit, cost };
      }
      const known = (caller.kind === "org" ? orgs : others).of(caller.id);
      if (caller.allowance.month !== null && known.counts.month === null)
        return takeUnknown(known, caller, cost);
      return takeKnown(known, caller, cost);
    },
    refund: (caller, { cost, at }: Granted) => {
      const known = (caller.kind === "org" ? orgs : others).of(caller.id);
      known.counts = refundedCounts(known.counts, cost, at);
    },
    state: () => ({
      kind: "memory",
      status: "ok",
      detail: null,
      lastSeenAt: null,
      callers: orgs.size + others.size,
      crowded: others.crowded,
    }),
    close: async () => {
      closed = true;
    },
  };
}

const CLOSED = unavailable("the counters are closed");

function unavailable(reason: string): Taken {
  return { outcome: "unavailable", reason, retryAfterSeconds: RETRY_SECONDS };
}
