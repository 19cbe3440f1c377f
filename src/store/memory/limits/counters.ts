/**
 * Calls counted in bounded memory: by a single process, or as a replica's fallback while Redis is away. No count is dropped while a
 * limit depends on it.
 */

import { randomBytes } from "node:crypto";
import {
  type Allowance,
  type Caller,
  type Counts,
  chargedCounts,
  laterMonth,
  monthAt,
  monthDay,
  NO_COUNTS,
  refundedCounts,
  rolledCounts,
  rolledMonth,
  WIDTHS,
} from "#domain/limits/counts.ts";
import {
  countedAs,
  fits,
  granted,
  type Moment,
  neverTaken,
  ofNetwork,
  refused,
  type Taken,
  tighter,
  type Unavailable,
} from "#domain/limits/quota-status.ts";
import type { Instant } from "#domain/time/day.ts";
import type { Counters, MonthUsed } from "#ports/ledger.ts";
import type { Clock } from "#ports.ts";

export interface MemoryCountersDeps {
  readonly clock: Clock;
  readonly monthUsed: MonthUsed;
  readonly addresses?: number;
  /** How often a month is read from the ledger. Absent: once, because every call is counted here. */
  readonly refreshMilliseconds?: number;
}

/** The counters of a single process: `take` waits only for a month that is not known yet. */
export function memoryCounters(deps: MemoryCountersDeps): Counters {
  const { clock, monthUsed, addresses, refreshMilliseconds = Number.POSITIVE_INFINITY } = deps;
  const callers = callerTable({ now: clock.now, addresses, create: () => new LocalRecord() });
  const moment = () => {
    const now = clock.now();
    return { now, wall: now };
  };
  const local = localCounts({ moment, replicas: 1, refreshMilliseconds, monthUsed });
  let closed = false;

  return {
    take: (caller, cost) => {
      if (closed) return CLOSED;
      return neverTaken(caller.allowance, cost) ?? local.take(callers.of(caller), caller, cost, callers.of);
    },
    refund: (caller, { cost, at }) => {
      for (const counted of countedAs(caller)) local.refund(callers.of(counted), cost, at);
    },
    state: () => ({ kind: "memory", status: "ok", detail: null, ...callers.state() }),
    close: async () => {
      closed = true;
    },
  };
}

export class LocalRecord {
  /** What this process granted in the sliding windows, and the last known figure of the month. */
  counts: Counts = NO_COUNTS;
  /** When the ledger was last asked for the month, and the request that it has not answered yet. */
  monthAskedAt: Instant = Number.NEGATIVE_INFINITY;
  asking: Promise<void> | null = null;
}

export interface LocalCountsDeps {
  readonly moment: () => Moment;
  /** Processes among which every sliding window is divided; each of them grants at least one call. */
  readonly replicas: number;
  /** The ledger is asked for a month again after this long: other replicas write there what they grant. */
  readonly refreshMilliseconds: number;
  readonly monthUsed: MonthUsed;
}

export function localCounts({ moment, replicas, refreshMilliseconds, monthUsed }: LocalCountsDeps) {
  let fault = "";

  /** Grants or refuses by this process's own counts. `cost` is not above a limit of the caller. */
  const take = (
    record: LocalRecord,
    caller: Caller,
    cost: number,
    recordOf: (caller: Caller) => LocalRecord,
  ): Taken | Promise<Taken> => {
    const at = moment();
    const counted = countedAs(caller);
    if (counted.length > 1) {
      const records = counted.map((one, nth) => (nth === 0 ? record : recordOf(one)));
      return decideTogether(records, counted, cost, at);
    }
    const month = record.counts.month && rolledMonth(record.counts.month, at.now);
    if (month !== record.counts.month) record.counts = { ...record.counts, month };
    const isDue = month === null || Math.abs(at.now - record.monthAskedAt) >= refreshMilliseconds;
    if (caller.allowance.month === null || !isDue) return decide(record, caller, cost, at);
    // With a known figure the first call of an interval asks the ledger, and no call waits. Without one all calls wait for the same
    // answer.
    record.monthAskedAt = at.now;
    const asking = refreshMonth(record, caller.id);
    if (month !== null) return decide(record, caller, cost, at);
    return asking.then(() =>
      record.counts.month === null ? unknownMonth() : decide(record, caller, cost, moment()),
    );
  };

  const decide = (record: LocalRecord, { allowance }: Caller, cost: number, at: Moment): Taken => {
    const share = replicas === 1 ? allowance : shareOf(allowance, replicas);
    if (share !== allowance && neverTaken(share, cost) !== null) return TOO_LARGE;
    const counts = rolledCounts(record.counts, at.now);
    const isGranted = fits(counts, share, cost, at.now);
    record.counts = isGranted && cost > 0 ? chargedCounts(counts, share, cost) : counts;
    const taken = isGranted
      ? granted(record.counts, share, cost, at, "process")
      : refused(counts, share, cost, at);
    if (share === allowance) return taken;
    const { quota } = taken;
    return { ...taken, quota: { ...quota, limit: allowance[quota.window] ?? quota.limit } };
  };

  /** Charges all records or, when one of them refuses, no record. Nothing runs in between. */
  const decideTogether = (
    records: readonly LocalRecord[],
    counted: readonly Caller[],
    cost: number,
    at: Moment,
  ): Taken => {
    const before = records.map(({ counts }) => rolledCounts(counts, at.now));
    const outcome = records
      .map((record, nth) => ofNetwork(decide(record, counted[nth] as Caller, cost, at), counted, nth))
      .reduce(tighter);
    if (outcome.outcome !== "granted")
      for (const [nth, record] of records.entries()) record.counts = before[nth] as Counts;
    return outcome;
  };

  /** Brings the month of the record to the larger of the ledger's figure and the last known one; it stays null while neither is known. */
  const refreshMonth = (record: LocalRecord, ownerId: string): Promise<void> => {
    record.asking ??= readMonth(record, ownerId).finally(() => {
      record.asking = null;
    });
    return record.asking;
  };

  const readMonth = async (record: LocalRecord, ownerId: string): Promise<void> => {
    const month = monthAt(moment().now);
    try {
      const used = await monthUsed(ownerId, monthDay(month));
      if (!Number.isSafeInteger(used) || used < 0) throw new Error(`not a number of calls: ${used}`);
      record.counts = { ...record.counts, month: laterMonth(record.counts.month, { ...month, used }) };
    } catch (reason) {
      fault = reason instanceof Error ? reason.message : String(reason);
    }
  };

  const unknownMonth = () => unavailable(`the ledger: ${fault}`);
  const refund = (record: LocalRecord, cost: number, at: Instant) => {
    record.counts = refundedCounts(record.counts, cost, at);
  };
  return { take, refund, refreshMonth, unknownMonth };
}

/** The month is not divided: the ledger counts the calls of the other replicas. */
function shareOf({ minute, hour, month }: Allowance, replicas: number): Allowance {
  const part = (limit: number) => Math.max(1, Math.floor(limit / replicas));
  return { minute: part(minute), hour: hour === null ? null : part(hour), month };
}

function unavailable(reason: string): Unavailable {
  return { outcome: "unavailable", reason, retryAfterSeconds: 5 };
}

export const CLOSED = unavailable("the counters are closed");
const TOO_LARGE = unavailable("a batch of this size is larger than a replica's share while Redis is away");

interface CallerTableOptions<T> {
  readonly now: () => Instant;
  /** The largest number of addresses counted separately. Organizations need no bound: only addresses can be made up. */
  readonly addresses?: number | undefined;
  readonly create: () => T;
}

/** Some 500 bytes each. */
const MOST_ADDRESSES = 100_000;
const SHARED_PLACES = 65_536;
/** After two of the longest sliding windows without a call no count is left, and the ledger knows the month. */
const IDLE_MILLISECONDS = 2 * WIDTHS.hour;

/**
 * A call moves its caller's record to the recent ones. Every two hours these become the older ones, and what was older is
 * dropped: a caller is forgotten between two and four hours after the last call. Without room for another address, the
 * address is counted with others of the same hash: a flood of addresses makes limits narrower, never wider.
 */
export function callerTable<T extends object>({
  now,
  addresses = MOST_ADDRESSES,
  create,
}: CallerTableOptions<T>) {
  const empty = () => ({ org: new Map<string, T>(), address: new Map<string, T>() });
  let [recent, older] = [empty(), empty()];
  const shared = new Map<number, T>();
  /** Secret: no client can choose addresses that collide. */
  const seed = randomBytes(8).readBigUInt64LE();
  let turnedAt = now();
  let crowded = 0;

  const turn = (elapsed: number) => {
    [recent, older] = [empty(), elapsed < 2 * IDLE_MILLISECONDS ? recent : empty()];
    turnedAt += elapsed;
  };
  const sharedRecord = (address: string): T => {
    crowded += 1;
    const place = Number(Bun.hash.wyhash(address, seed) % BigInt(SHARED_PLACES));
    const record = shared.get(place) ?? create();
    shared.set(place, record);
    return record;
  };

  return {
    of: ({ kind, id }: Pick<Caller, "kind" | "id">): T => {
      const elapsed = now() - turnedAt;
      // Also after the clock was set back. The callers are new then: the ledger knows what they used of the month.
      if (Math.abs(elapsed) >= IDLE_MILLISECONDS) turn(elapsed);
      const present = recent[kind].get(id);
      if (present !== undefined) return present;
      const idle = older[kind].get(id);
      const isFull = kind === "address" && recent.address.size + older.address.size >= addresses;
      if (idle === undefined && isFull) return sharedRecord(id);
      const record = idle ?? create();
      older[kind].delete(id);
      recent[kind].set(id, record);
      return record;
    },
    /** Returns the number of callers that are counted separately, and of calls from addresses that had to share a record. */
    state: () => ({
      callers: [recent, older].reduce((sum, { org, address }) => sum + org.size + address.size, 0),
      crowded,
    }),
  };
}
