/** What organizations call, counted here and written to the ledger in batches: at most the last second can be lost. */

import { sumIncrements, type UsageIncrement } from "#domain/account/usage-day.ts";
import { type Day, dayAt, type Instant } from "#domain/day.ts";
import { firstDayOfMonth } from "#domain/limits/month.ts";
import type { UsageCounts } from "#ports/ledger.ts";
import type { Clock } from "#ports.ts";
import type { Tell } from "#telemetry.ts";

export interface UsageMeterDeps {
  readonly usage: Pick<UsageCounts, "apply">;
  readonly clock: Clock;
  readonly tell: Tell;
  /** A new id for a batch, never used before. */
  readonly newBatchId: () => string;
  readonly every: (milliseconds: number, run: () => void) => () => void;
}

export interface UsageMeter {
  /** A served call of this cost. */
  served(organizationId: string, cost: number): void;
  /** A call that a limit refused. */
  limited(organizationId: string): void;
  /** Not yet in the ledger. */
  pending(organizationId: string): readonly UsageIncrement[];
  /** Calls of a month (given by its first day) that are not yet in the ledger. */
  pendingCalls(organizationId: string, month: Day): number;
  /** Calls, served or refused by a limit, that are not yet in the ledger, and since when: null where there are none. */
  waiting(): { readonly calls: number; readonly since: Instant | null };
  /** Writes what there is; resolves when it is written, or the ledger could not be reached. */
  flush(): Promise<void>;
  /** Stops the beat and writes what there is. */
  close(): Promise<void>;
}

const FLUSH_MILLISECONDS = 1_000;
/** Written before the second is over; but not so often that a busy server does little else. */
const FLUSH_CALLS = 1_000;
const FLUSHED_APART_MILLISECONDS = 100;

interface Batch {
  readonly id: string;
  /** Of the oldest call in it. */
  readonly since: Instant;
  readonly increments: readonly UsageIncrement[];
}

export function openUsageMeter({ usage, clock, tell, newBatchId, every }: UsageMeterDeps): UsageMeter {
  let counting = new Map<string, Map<Day, Count>>();
  let calls = 0;
  /** When the first of them was counted. */
  let since: Instant = 0;
  /** Closed and not yet acknowledged, oldest first: repeated under their own ids until they are. */
  let batches: Batch[] = [];
  let flushing: Promise<void> | null = null;
  let flushedAt: Instant = Number.NEGATIVE_INFINITY;
  let isFailing = false;

  const countOf = (organizationId: string): Count => {
    let days = counting.get(organizationId);
    if (days === undefined) {
      days = new Map();
      counting.set(organizationId, days);
    }
    const day = dayAt(clock.now());
    let count = days.get(day);
    if (count === undefined) {
      count = { served: 0, rateLimited: 0, calls: 0 };
      days.set(day, count);
    }
    return count;
  };
  const counted = () => {
    if (calls === 0) since = clock.now();
    calls += 1;
    if (calls >= FLUSH_CALLS && clock.now() - flushedAt >= FLUSHED_APART_MILLISECONDS) void flush();
  };
  const closeBatch = () => {
    const increments = incrementsOf(counting);
    counting = new Map();
    calls = 0;
    if (increments.length === 0) return;
    // The first may have been written although nobody heard of it, so that it must stay as it is; others can grow.
    const [first, second] = batches;
    if (first === undefined || second === undefined) batches.push({ id: newBatchId(), since, increments });
    else batches = [first, { ...second, increments: sumIncrements([...second.increments, ...increments]) }];
  };
  const writeAll = async () => {
    for (let batch = batches[0]; batch !== undefined; batch = batches[0]) {
      await usage.apply(batch.id, batch.increments, clock.now());
      batches = batches.slice(1);
    }
  };
  const flush = (): Promise<void> => {
    flushedAt = clock.now();
    closeBatch();
    flushing ??= writeAll()
      .then(() => {
        isFailing = false;
      })
      .catch((fault: unknown) => {
        // Batches stay, and go with the next flush; one line an outage.
        if (!isFailing) tell({ kind: "job_failed", job: "usage", error: String(fault) });
        isFailing = true;
      })
      .finally(() => {
        flushing = null;
      });
    return flushing;
  };
  const stop = every(FLUSH_MILLISECONDS, () => void flush());
  const pending = (organizationId: string): readonly UsageIncrement[] =>
    sumIncrements([...batches.flatMap(({ increments }) => increments), ...incrementsOf(counting)]).filter(
      (one) => one.organizationId === organizationId,
    );

  return {
    served: (organizationId, cost) => {
      const count = countOf(organizationId);
      count.served += 1;
      count.calls += cost;
      counted();
    },
    limited: (organizationId) => {
      countOf(organizationId).rateLimited += 1;
      counted();
    },
    pending,
    pendingCalls: (organizationId, month) =>
      pending(organizationId).reduce(
        (sum, one) => sum + (firstDayOfMonth(one.day) === month ? one.calls : 0),
        0,
      ),
    waiting: () => {
      const closed = batches.flatMap(({ increments }) => increments);
      return {
        calls: closed.reduce((sum, { served, rateLimited }) => sum + served + rateLimited, calls),
        since: batches[0]?.since ?? (calls === 0 ? null : since),
      };
    },
    flush,
    close: async () => {
      stop();
      await flush();
      // What came in while the last one was under way, or at its very end.
      if (counting.size > 0 || batches.length > 0) await flush();
    },
  };
}

interface Count {
  served: number;
  rateLimited: number;
  calls: number;
}

function incrementsOf(counting: ReadonlyMap<string, ReadonlyMap<Day, Count>>): UsageIncrement[] {
  return [...counting].flatMap(([organizationId, days]) =>
    [...days].map(([day, count]) => ({ organizationId, day, ...count })),
  );
}
