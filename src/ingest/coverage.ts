/** How far a source has spoken, judged from all documents of a route together. */

import type { DailySource } from "#domain/currency/source.ts";
import type { Coverage } from "#domain/history/collection.ts";
import type { Day } from "#domain/time/day.ts";
import type { ReadDocument } from "./route.ts";

/** A series this far behind the newest one has ended: waiting for it would hold all the others back. */
const ENDED_AFTER_DAYS = 31;

/**
 * The day through which every living series was spoken for: per pair the newest day of the documents that hold it,
 * of those the oldest. Documents can be one series each or one year each; null when none says a day.
 */
export function coveredThrough(read: readonly ReadDocument[]): Day | null {
  const byPair = new Map<string, Day>();
  let closed: Day | null = null;
  for (const { said: reading } of read) {
    if (reading.outcome === "holiday") closed = later(closed, reading.coveredThrough);
    if (reading.outcome !== "figures") continue;
    const pairs = new Set(reading.figures.map(({ base, quote }) => base + quote));
    for (const pair of pairs)
      byPair.set(pair, later(byPair.get(pair) ?? null, reading.coveredThrough) as Day);
  }
  if (byPair.size === 0) return closed;
  const newest = Math.max(...byPair.values());
  return Math.min(...[...byPair.values()].filter((day) => day >= newest - ENDED_AFTER_DAYS));
}

/** `recent` reads 90 days back; a coverage older than this could leave a gap before them. */
const RECENT_REACHES_DAYS = 80;

/**
 * `history` where the last 90 days would leave a hole, else `recent`. A coverage begins only with a history that was
 * read whole, so its absence means that the history is missing, whatever figures there are.
 */
export function neededReach(
  coverage: readonly Coverage[],
  source: DailySource,
  today: Day,
): "history" | "recent" {
  const covered = coverage.find((entry) => entry.source === source)?.coveredThrough ?? -Infinity;
  return covered < today - RECENT_REACHES_DAYS ? "history" : "recent";
}

function later(a: Day | null, b: Day | null): Day | null {
  if (a === null || b === null) return a ?? b;
  return Math.max(a, b);
}

/** The list with the source's entry moved forward, or the same list when it would not move: it never goes back. */
export function advanceCoverage(
  coverage: readonly Coverage[],
  source: DailySource,
  day: Day | null,
  retrievedAt: number,
): readonly Coverage[] {
  const known = coverage.find((entry) => entry.source === source);
  if (day === null || (known !== undefined && known.coveredThrough >= day)) return coverage;
  const others = coverage.filter((entry) => entry.source !== source);
  return [...others, { source, coveredThrough: day, retrievedAt }];
}
