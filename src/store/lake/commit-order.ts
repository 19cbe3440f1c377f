/** The order of commits, written into the times of retrieval: they never go back, whatever a clock said. */

import type { Instant } from "#domain/time/day.ts";
import type { LakeChange, LakeRecord } from "#ports.ts";

/**
 * The change with every retrieval after all that the lake has: at least a millisecond later than its newest one. Times of
 * retrieval thus say which commit came first, to those who keep copies, too. Collections run side by side, and a clock can be
 * wrong: both would otherwise put a new row before one that a copy has already. A publication instant that is the time at
 * which a figure was first seen goes along.
 */
export function inCommitOrder(record: LakeRecord, change: LakeChange | null): LakeChange | null {
  if (change === null) return null;
  const earliest = newestRetrieval(record) + 1;
  const { accepted, withdrawn } = change;
  if (![...accepted, ...withdrawn].some(({ retrievedAt }) => retrievedAt < earliest)) return change;
  return {
    ...change,
    accepted: accepted.map((row) => ({
      ...row,
      retrievedAt: Math.max(row.retrievedAt, earliest),
      publishedAt:
        row.publishedAt === row.retrievedAt ? Math.max(row.publishedAt, earliest) : row.publishedAt,
    })),
    withdrawn: withdrawn.map((row) => ({ ...row, retrievedAt: Math.max(row.retrievedAt, earliest) })),
  };
}

/** The latest instant at which a row came or ended; -Infinity in a lake without rows. */
function newestRetrieval({ observations, superseded }: LakeRecord): Instant {
  let newest = Number.NEGATIVE_INFINITY;
  for (const retrievedAt of observations.retrievedAt) newest = Math.max(newest, retrievedAt);
  for (const { supersededAt } of superseded) newest = Math.max(newest, supersededAt);
  return newest;
}
