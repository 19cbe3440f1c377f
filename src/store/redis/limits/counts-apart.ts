/** Calls while the shared counters are away: shares of the windows, and the month as the ledger knows it. */

import type { Caller } from "#domain/limits/caller.ts";
import { monthAt, monthDay } from "#domain/limits/month.ts";
import type { Taken } from "#domain/limits/taken.ts";
import type { Clock } from "#ports.ts";
import type { MonthFigures } from "#store/memory/limits/month-figures.ts";
import { aloneOf, type CallerRecord, takeAlone } from "./counts-caller.ts";
import type { Link } from "./counts-link.ts";

/** The ledger is asked again for a month after this long: other replicas flush there what they grant. */
const MONTH_REFRESH_MILLISECONDS = 1000;
const RETRY_SECONDS = 5;

export interface ApartDeps {
  readonly clock: Clock;
  readonly replicas: number;
  readonly months: MonthFigures;
  readonly link: () => Link;
  readonly isClosed: () => boolean;
  readonly takeShared: (record: CallerRecord, caller: Caller, cost: number) => Promise<Taken>;
}

export function apartTaker({ clock, replicas, months, link, isClosed, takeShared }: ApartDeps) {
  /** Those that have granted something alone. */
  const owing = new Set<CallerRecord>();

  const take = (record: CallerRecord, caller: Caller, cost: number): Taken | Promise<Taken> => {
    if (isClosed()) return CLOSED;
    const joining = link().joining();
    if (joining !== null) return joining.then(() => takeShared(record, caller, cost));
    const now = link().sharedNow();
    const alone = aloneOf(record, now);
    owing.add(record);
    if (caller.allowance.month === null || now - alone.askedAt < MONTH_REFRESH_MILLISECONDS)
      return decide(record, caller, cost);
    const asking = refreshMonth(record, caller);
    if (alone.total.month !== null) return decide(record, caller, cost);
    return asking.then(() => decide(record, caller, cost));
  };

  /** The ledger's figure where it is the higher one; it has what other replicas granted, and what this one did. */
  const refreshMonth = async (record: CallerRecord, caller: Caller): Promise<void> => {
    const month = monthAt(link().sharedNow());
    const before = record.alone;
    // Without a figure everybody asks, together; with one, the first of a second.
    if (before !== null && before.total.month !== null) before.askedAt = link().sharedNow();
    const used = await months.ask(caller.id, monthDay(month));
    const { alone } = record;
    if (used === null || alone === null) return;
    alone.askedAt = link().sharedNow();
    const counted = alone.total.month?.start === month.start ? alone.total.month.used : 0;
    alone.total = { ...alone.total, month: { ...month, used: Math.max(counted, used) } };
  };

  const decide = (record: CallerRecord, caller: Caller, cost: number): Taken | Promise<Taken> => {
    if (isClosed()) return CLOSED;
    // The store may have come back while the ledger was asked.
    if (link().isLinked() || link().joining() !== null) return takeShared(record, caller, cost);
    const moment = { now: link().sharedNow(), wall: clock.now() };
    const alone = aloneOf(record, moment.now);
    owing.add(record);
    if (caller.allowance.month !== null && alone.total.month === null)
      return unavailable(`Redis is away, and the ledger: ${months.fault()}`);
    return takeAlone(alone, caller, cost, replicas, moment);
  };

  return {
    take,
    owing: (): readonly CallerRecord[] => [...owing],
    /** The store knows all of it. */
    over: () => {
      for (const record of owing) record.alone = null;
      owing.clear();
    },
  };
}

export const CLOSED = unavailable("the counters are closed");

export function unavailable(reason: string): Taken {
  return { outcome: "unavailable", reason, retryAfterSeconds: RETRY_SECONDS };
}
