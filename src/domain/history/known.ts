/** The rule of point-in-time answers: from when until when a revision counts as known. */

import type { DailySource } from "#domain/currency/source.ts";
import type { Day, Instant } from "#domain/time/day.ts";
import { scheduledPublication } from "./schedule.ts";

/** published: when the world could know it. retrieved: when this server held it. The first is the default. */
export const AS_OF_BASES = ["published", "retrieved"] as const;
export type AsOfBasis = (typeof AS_OF_BASES)[number];

/** An instant, itself included, whose knowledge an answer is limited to. */
export interface AsOf {
  readonly instant: Instant;
  readonly basis: AsOfBasis;
}

/** The times of one revision that the rule uses. */
export interface RevisionTimes {
  readonly source: DailySource;
  readonly date: Day;
  readonly revision: number;
  /** As the authority's document states it; null where none does. */
  readonly publishedAt: Instant | null;
  readonly retrievedAt: Instant;
}

/**
 * The first instant at which a revision is known.
 *
 * `retrieved`: its retrieval. `published`: the publication instant that the authority's document states; where none
 * does, for the first revision the scheduled publication of its day, for a later one its retrieval. What this server
 * held was public by then, so on either basis a revision is known at the latest from its retrieval on.
 */
export function knownFrom(times: RevisionTimes, basis: AsOfBasis): Instant {
  const { source, date, revision, publishedAt, retrievedAt } = times;
  if (basis === "retrieved") return retrievedAt;
  if (publishedAt !== null) return Math.min(publishedAt, retrievedAt);
  return revision === 1 ? Math.min(scheduledPublication(source, date), retrievedAt) : retrievedAt;
}

/**
 * The instant from which a revision is no longer what is known: a later revision of the figure is known, or the
 * revision was ended. `supersededAt` is Infinity for one in force; `laterKnown` are the first instants of the
 * later revisions. At most one revision of a figure is known at any instant: the highest, unless it was taken back.
 */
export function knownUntil(supersededAt: Instant, laterKnown: readonly Instant[]): Instant {
  return Math.min(supersededAt, ...laterKnown);
}
