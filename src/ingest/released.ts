/** Counts released figures from their release, not from their retrieval: they were not served before. */

import type { Observation } from "#domain/history/observation.ts";
import type { HeldFigure } from "#domain/intake/reading.ts";
import type { Instant } from "#domain/time/day.ts";

/**
 * The accepted observations, those that had been held with the instant of their release in place of their retrieval: a copy that
 * is kept up to date by that instant then gets them, and no past state shows them before they were served.
 */
export function countFromRelease(
  accepted: readonly Observation[],
  released: readonly HeldFigure[],
  at: Instant,
): readonly Observation[] {
  if (released.length === 0) return accepted;
  const keyOf = ({ date, base, quote, documentSha256 }: HeldFigure | Observation) =>
    `${date} ${base} ${quote} ${documentSha256}`;
  const keys = new Set(released.map(keyOf));
  return accepted.map((observation) =>
    keys.has(keyOf(observation))
      ? { ...observation, retrievedAt: Math.max(observation.retrievedAt, at) }
      : observation,
  );
}
