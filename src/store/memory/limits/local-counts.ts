/** Calls counted in this process: all there is of a single process, and a replica's fallback while Redis is away. */

import { type Allowance, type Caller, impossibleIn } from "#domain/limits/caller.ts";
import { type Counts, chargedCounts, fits, NO_COUNTS, rolledCounts } from "#domain/limits/counts.ts";
import { laterMonth, type MonthCell, monthAt, monthDay } from "#domain/limits/month.ts";
import { granted, refused } from "#domain/limits/quota-status.ts";
import type { Granted, Never, Refused, Taken, Unavailable } from "#domain/limits/taken.ts";
import type { Day, Instant } from "#domain/time/day.ts";
import type { MonthUsed } from "#ports/counters.ts";

/** What a process has of one caller. */
export interface LocalRecord {
  /** What this process granted in the sliding windows, and the last known figure of the month. */
  counts: Counts;
  /** When the ledger was last asked for the month. */
  monthAskedAt: Instant;
  usedAt: Instant;
}

export function newLocalRecord(now: Instant): LocalRecord {
  return { counts: NO_COUNTS, monthAskedAt: Number.NEGATIVE_INFINITY, usedAt: now };
}

export interface LocalCountsDeps {
  /** The clock that windows and months are counted by, and the one of answers. */
  readonly countingNow: () => Instant;
  readonly wallNow: () => Instant;
  /** Processes among which every sliding window is divided; each of them grants at least one call. */
  readonly replicas: number;
  /** The ledger is asked for a month again after this long: other replicas write there what they grant. */
  readonly monthRefreshMilliseconds: number;
  readonly monthUsed: MonthUsed;
}

export interface LocalCounts {
  /** Grants or refuses by this process's own counts. `cost` is not above a limit of the caller. */
  take(record: LocalRecord, caller: Caller, cost: number): LocalTaken | Promise<LocalTaken>;
  /** Brings the month of the record to the larger of the ledger's figure and the last known one. False while neither is known. */
  refreshMonth(record: LocalRecord, ownerId: string, month: MonthCell): Promise<boolean>;
  /** Why the month is not known. */
  unknownMonth(): Unavailable;
}

export type LocalTaken = Granted | Refused | Unavailable;

export function localCounts(deps: LocalCountsDeps): LocalCounts {
  const { countingNow, wallNow, replicas, monthRefreshMilliseconds, monthUsed } = deps;
  const asking = new Map<string, Promise<number | null>>();
  let fault: string | null = null;

  const take = (record: LocalRecord, caller: Caller, cost: number): LocalTaken | Promise<LocalTaken> => {
    if (caller.allowance.month === null) return decide(record, caller, cost);
    const now = countingNow();
    const { month } = record.counts;
    if (month !== null && now - record.monthAskedAt < monthRefreshMilliseconds)
      return decide(record, caller, cost);
    // With a figure the first call of an interval asks, and none waits; without one all wait for the same answer.
    if (month !== null) record.monthAskedAt = now;
    const refreshing = refreshMonth(record, caller.id, monthAt(now));
    if (month !== null) return decide(record, caller, cost);
    return refreshing.then((isKnown) => (isKnown ? decide(record, caller, cost) : unknownMonth()));
  };

  const decide = (
    record: LocalRecord,
    { allowance }: Caller,
    cost: number,
  ): Granted | Refused | Unavailable => {
    const [now, wall] = [countingNow(), wallNow()];
    const share = replicas === 1 ? allowance : shareOf(allowance, replicas);
    if (impossibleIn(share, cost) !== null) return TOO_LARGE;
    record.usedAt = now;
    const counts = rolledCounts(record.counts, now);
    const isGranted = cost === 0 || fits(counts, share, cost, now);
    record.counts = isGranted && cost > 0 ? chargedCounts(counts, share, cost) : counts;
    const taken = isGranted
      ? granted(record.counts, share, cost, { now, wall }, "process")
      : refused(counts, share, cost, { now, wall });
    if (share === allowance) return taken;
    const { quota } = taken;
    return { ...taken, quota: { ...quota, limit: allowance[quota.window] ?? quota.limit } };
  };

  const refreshMonth = async (record: LocalRecord, ownerId: string, month: MonthCell): Promise<boolean> => {
    const key = `${monthDay(month)} ${ownerId}`;
    const answer = asking.get(key) ?? ask(ownerId, monthDay(month)).finally(() => asking.delete(key));
    asking.set(key, answer);
    const used = await answer;
    if (used !== null) {
      record.monthAskedAt = countingNow();
      record.counts = { ...record.counts, month: laterMonth(record.counts.month, { ...month, used }) };
    }
    return record.counts.month !== null;
  };

  const ask = async (ownerId: string, month: Day): Promise<number | null> => {
    try {
      const used = await monthUsed(ownerId, month);
      if (!Number.isSafeInteger(used) || used < 0) throw new Error(`not a number of calls: ${used}`);
      return used;
    } catch (reason) {
      fault = reason instanceof Error ? reason.message : String(reason);
      return null;
    }
  };

  const unknownMonth = () => unavailable(`the ledger: ${fault}`);
  return { take, refreshMonth, unknownMonth };
}

/** The month is not divided: of it the ledger has what the other replicas grant. */
function shareOf({ minute, hour, month }: Allowance, replicas: number): Allowance {
  const part = (limit: number) => Math.max(1, Math.floor(limit / replicas));
  return { minute: part(minute), hour: hour === null ? null : part(hour), month };
}

const RETRY_SECONDS = 5;

function unavailable(reason: string): Unavailable {
  return { outcome: "unavailable", reason, retryAfterSeconds: RETRY_SECONDS };
}

export const CLOSED: Taken = unavailable("the counters are closed");
const TOO_LARGE = unavailable("a batch of this size is larger than a replica's share while Redis is away");

/** The outcome of a call that can never pass; null for any other. */
export function neverTaken({ allowance }: Caller, cost: number): Never | null {
  const window = impossibleIn(allowance, cost);
  return window === null ? null : { outcome: "never", window, limit: allowance[window] ?? 0, cost };
}
