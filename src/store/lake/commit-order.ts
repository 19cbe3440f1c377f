/** The order of commits, written into the times of retrieval: they never go back, whatever a clock said. */

import type { Instant } from "#domain/time/day.ts";
import type { LakeChange, LakeRecord } from "#ports.ts";

/**
 * The change with every retrieval after all that the lake has: at least a millisecond later than its newest one. Times of
 * retrieval thus say which commit came first, to those who keep copies, too. Collections run side by side, and a clock can be
 * wrong: both would otherwise put a new row before one that a copy has already. Neither was any figure retrieved before the instant
 * that it describes. A publication instant that is the time at which a figure was first seen goes along.
 */
export function inCommitOrder(record: LakeRecord, change: LakeChange | null): LakeChange | null {
  if (change === null) return null;
  const earliest = newestRetrieval(record) + 1;
  return {
    ...change,
    accepted: change.accepted.map((row) => {
      const retrievedAt = Math.max(row.retrievedAt, row.observedAt, earliest);
      if (retrievedAt === row.retrievedAt) return row;
      const isFirstSeen = row.publishedAt === row.retrievedAt;
      return { ...row, retrievedAt, publishedAt: isFirstSeen ? retrievedAt : row.publishedAt };
    }),
    withdrawn: change.withdrawn.map((row) => ({
      ...row,
      retrievedAt: Math.max(row.retrievedAt, earliest),
    })),
  };
}

/** The latest instant at which a row came or ended; -Infinity in a lake without rows. */
function newestRetrieval({ observations, superseded }: LakeRecord): Instant {
  let newest = Number.NEGATIVE_INFINITY;
  for (const retrievedAt of observations.retrievedAt) newest = Math.max(newest, retrievedAt);
  for (const { supersededAt } of superseded) newest = Math.max(newest, supersededAt);
  return newest;
}
