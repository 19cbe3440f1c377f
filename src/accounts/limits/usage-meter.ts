/** Counts the calls of organizations and writes them to the ledger in batches. A crash loses at most a fraction of a second. */

import { sumIncrements, type UsageIncrement } from "#domain/account/organization.ts";
import type { Window } from "#domain/limits/counts.ts";
import type { Granted } from "#domain/limits/quota-status.ts";
import { type Day, dayAt, firstDayOfMonth, type Instant } from "#domain/time/day.ts";
import type { UsageCounts } from "#ports/ledger.ts";
import type { Clock } from "#ports.ts";
import type { Emit } from "#telemetry.ts";

export interface UsageMeterDeps {
  readonly usage: Pick<UsageCounts, "apply">;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly newBatchId: () => string;
  readonly later: (milliseconds: number, run: () => void) => () => void;
}

/** A crash loses the calls of this time and of the write. More frequent writes would burden a busy server. */
const FLUSH_MILLISECONDS = 100;
const RETRY_MILLISECONDS = 1_000;

interface Batch {
  readonly id: string;
  readonly since: Instant;
  readonly increments: readonly UsageIncrement[];
}

export type UsageMeter = ReturnType<typeof openUsageMeter>;

export function openUsageMeter({ usage, clock, emit, newBatchId, later }: UsageMeterDeps) {
  /** Counts of each organization, by day. */
  let counting = new Map<string, readonly Count[]>();
  let calls = 0;
  /** When the first of `calls` was counted. */
  let since: Instant = 0;
  /** Batches that are not acknowledged, oldest first. A retry keeps the batch's id. */
  let batches: Batch[] = [];
  let flushing: Promise<void> | null = null;
  /** Running queries of `read`. */
  const queries = new Set<Promise<unknown>>();
  let isFailing = false;
  let closed = false;
  let planned: (() => void) | null = null;

  const countOf = (organizationId: string, ownerId: string, at: Instant): Count => {
    const day = dayAt(at);
    const days = counting.get(organizationId) ?? [];
    const ofDay = days.find((count) => count.day === day);
    if (ofDay !== undefined) return ofDay;
    const count = { organizationId, ownerId, day, served: 0, rateLimited: 0, quotaExceeded: 0, calls: 0 };
    counting.set(organizationId, [...days, count]);
    return count;
  };
  const counted = (now: Instant) => {
    calls += 1;
    if (calls === 1) {
      since = now;
      plan();
    }
    // Under load timers are late.
    else if (now - since >= FLUSH_MILLISECONDS && !isFailing) void flush();
  };
  const plan = () => {
    if (closed) return;
    planned ??= later(isFailing ? RETRY_MILLISECONDS : FLUSH_MILLISECONDS, () => void flush());
  };
  const closeBatch = () => {
    const increments = [...counting.values()].flat();
    counting = new Map();
    calls = 0;
    if (increments.length === 0) return;
    // The first batch may be in the ledger without a confirmation: it must not change. The second can grow.
    const [first, second] = batches;
    if (first === undefined || second === undefined) batches.push({ id: newBatchId(), since, increments });
    else batches = [first, { ...second, increments: sumIncrements([...second.increments, ...increments]) }];
  };
  const writeAll = async () => {
    if (queries.size > 0) await Promise.allSettled(queries);
    for (let batch = batches[0]; batch !== undefined; batch = batches[0]) {
      await usage.apply(batch.id, batch.increments, clock.now());
      batches = batches.slice(1);
    }
  };
  const flush = (): Promise<void> => {
    planned?.();
    planned = null;
    closeBatch();
    flushing ??= writeAll()
      .then(() => {
        isFailing = false;
      })
      .catch((fault: unknown) => {
        // The next flush retries the batches. One line for each outage.
        if (!isFailing) emit({ kind: "job_failed", job: "usage", error: String(fault) });
        isFailing = true;
      })
      .finally(() => {
        flushing = null;
        if (batches.length > 0) plan();
      });
    return flushing;
  };
  const pending = (isMeant: (one: UsageIncrement) => boolean): readonly UsageIncrement[] =>
    sumIncrements(
      [...batches.flatMap(({ increments }) => increments), ...[...counting.values()].flat()].filter(isMeant),
    );

  /** Calls, served or refused, that are not in the ledger yet, and since when. */
  const waiting = (): { readonly calls: number; readonly since: Instant | null } => {
    const closed = batches.flatMap(({ increments }) => increments);
    return {
      calls: closed.reduce((sum, { served, rateLimited }) => sum + served + rateLimited, calls),
      since: batches[0]?.since ?? (calls === 0 ? null : since),
    };
  };

  return {
    /** Runs a query of the ledger while nothing is written: a call is then either in its answer or pending, never both or neither. */
    read: async <T>(query: () => Promise<T>): Promise<T> => {
      while (flushing !== null) await flushing;
      const running = query();
      queries.add(running);
      return await running.finally(() => queries.delete(running));
    },
    /** A call belongs to the day, and so to the month, in which it was charged, however late its answer is. */
    served: (
      organizationId: string,
      ownerId: string,
      { cost, wall }: Pick<Granted, "cost" | "wall">,
    ): void => {
      const count = countOf(organizationId, ownerId, wall);
      count.served += 1;
      count.calls += cost;
      counted(clock.now());
    },
    /** A call that the limit of this window refused. */
    limited: (organizationId: string, ownerId: string, window: Window): void => {
      const now = clock.now();
      const count = countOf(organizationId, ownerId, now);
      count.rateLimited += 1;
      if (window === "month") count.quotaExceeded += 1;
      counted(now);
    },
    pending: (organizationId: string) => pending((one) => one.organizationId === organizationId),
    /** Calls of an identity that are not in the ledger yet, in the month with this first day. */
    pendingCalls: (ownerId: string, month: Day): number =>
      pending((one) => one.ownerId === ownerId && firstDayOfMonth(one.day) === month).reduce(
        (sum, { calls }) => sum + calls,
        0,
      ),
    waiting,
    /** Writes all counts; resolves when they are written, or the ledger could not be reached. */
    flush,
    close: async (): Promise<void> => {
      closed = true;
      await flush();
      // Counts that came in during the last flush.
      if (counting.size > 0 || batches.length > 0) await flush();
      const lost = waiting().calls;
      if (lost > 0) emit({ kind: "usage_lost", calls: lost });
    },
  };
}

type Count = { -readonly [member in keyof UsageIncrement]: UsageIncrement[member] };
