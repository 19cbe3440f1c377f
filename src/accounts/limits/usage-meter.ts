/** Counts the calls of organizations and writes them to the ledger in batches. A crash loses at most a fraction of a second. */

import { sumIncrements, type UsageIncrement } from "#domain/account/organization.ts";
import type { Window } from "#domain/limits/caller.ts";
import { type Day, dayAt, firstDayOfMonth, type Instant } from "#domain/time/day.ts";
import type { UsageCounts } from "#ports/ledger.ts";
import type { Clock } from "#ports.ts";
import type { Emit } from "#telemetry.ts";

export interface UsageMeterDeps {
  readonly usage: Pick<UsageCounts, "apply">;
  readonly clock: Clock;
  readonly emit: Emit;
  /** A new id for a batch, never used before. */
  readonly newBatchId: () => string;
  /** Waits, then calls; returns how to call it off. */
  readonly later: (milliseconds: number, run: () => void) => () => void;
}

export interface UsageMeter {
  /** A served call of this cost, of an organization and its owner. */
  served(organizationId: string, ownerId: string, cost: number): void;
  /** A call that the limit of this window refused. */
  limited(organizationId: string, ownerId: string, window: Window): void;
  /** Not yet in the ledger. */
  pending(organizationId: string): readonly UsageIncrement[];
  /** Calls of an identity in a month (given by its first day) that are not yet in the ledger. */
  pendingCalls(ownerId: string, month: Day): number;
  /** Calls, served or refused by a limit, that are not yet in the ledger, and since when: null where there are none. */
  waiting(): { readonly calls: number; readonly since: Instant | null };
  /** Writes what there is; resolves when it is written, or the ledger could not be reached. */
  flush(): Promise<void>;
  /** Writes what there is; after this nothing is written any more. */
  close(): Promise<void>;
}

/**
 * From the first call of a batch to its writing. A tenth of what may be lost: the write takes its time, behind others' and on a
 * slow disk; but not so often that a busy server does little else.
 */
const FLUSH_MILLISECONDS = 100;
/** While the ledger cannot be reached. */
const RETRY_MILLISECONDS = 1_000;

interface Batch {
  readonly id: string;
  /** Of the oldest call in it. */
  readonly since: Instant;
  readonly increments: readonly UsageIncrement[];
}

export function openUsageMeter({ usage, clock, emit, newBatchId, later }: UsageMeterDeps): UsageMeter {
  let counting = new Map<string, Counting>();
  let calls = 0;
  /** When the first of them was counted. */
  let since: Instant = 0;
  /** Closed and not yet acknowledged, oldest first: repeated under their own ids until they are. */
  let batches: Batch[] = [];
  let flushing: Promise<void> | null = null;
  let isFailing = false;
  let closed = false;
  /** Calls off the next flush; null where none is planned. */
  let planned: (() => void) | null = null;

  const countOf = (organizationId: string, ownerId: string, now: Instant): Count => {
    let known = counting.get(organizationId);
    if (known === undefined) {
      known = { ownerId, days: new Map() };
      counting.set(organizationId, known);
    }
    const { days } = known;
    const day = dayAt(now);
    let count = days.get(day);
    if (count === undefined) {
      count = { served: 0, rateLimited: 0, quotaExceeded: 0, calls: 0 };
      days.set(day, count);
    }
    return count;
  };
  const counted = (now: Instant) => {
    calls += 1;
    if (calls === 1) {
      since = now;
      plan();
    }
    // Under load a timer comes late, and calls do not.
    else if (now - since >= FLUSH_MILLISECONDS && !isFailing) void flush();
  };
  const plan = () => {
    if (closed) return;
    planned ??= later(isFailing ? RETRY_MILLISECONDS : FLUSH_MILLISECONDS, () => void flush());
  };
  const closeBatch = () => {
    const increments = incrementsOf(counting);
    counting = new Map();
    calls = 0;
    if (increments.length === 0) return;
    // The first may have been written although no confirmation came, so that it must stay as it is; others can grow.
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
    planned?.();
    planned = null;
    closeBatch();
    flushing ??= writeAll()
      .then(() => {
        isFailing = false;
      })
      .catch((fault: unknown) => {
        // Batches stay, and go with the next flush; one line an outage.
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
      [...batches.flatMap(({ increments }) => increments), ...incrementsOf(counting)].filter(isMeant),
    );

  return {
    served: (organizationId, ownerId, cost) => {
      const now = clock.now();
      const count = countOf(organizationId, ownerId, now);
      count.served += 1;
      count.calls += cost;
      counted(now);
    },
    limited: (organizationId, ownerId, window) => {
      const now = clock.now();
      const count = countOf(organizationId, ownerId, now);
      count.rateLimited += 1;
      if (window === "month") count.quotaExceeded += 1;
      counted(now);
    },
    pending: (organizationId) => pending((one) => one.organizationId === organizationId),
    pendingCalls: (ownerId, month) =>
      pending((one) => one.ownerId === ownerId && firstDayOfMonth(one.day) === month).reduce(
        (sum, { calls }) => sum + calls,
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
      closed = true;
      await flush();
      // What came in while the last one was under way, or at its very end.
      if (counting.size > 0 || batches.length > 0) await flush();
    },
  };
}

interface Count {
  served: number;
  rateLimited: number;
  quotaExceeded: number;
  calls: number;
}

/** Of one organization. */
interface Counting {
  readonly ownerId: string;
  readonly days: Map<Day, Count>;
}

function incrementsOf(counting: ReadonlyMap<string, Counting>): UsageIncrement[] {
  return [...counting].flatMap(([organizationId, { ownerId, days }]) =>
    [...days].map(([day, count]) => ({ organizationId, ownerId, day, ...count })),
  );
}
