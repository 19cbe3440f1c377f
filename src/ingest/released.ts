/** Counts released figures from their release, not from their retrieval: they were not served before. */

import type { DailySource } from "#domain/currency/source.ts";
import { figureText, type Observation } from "#domain/history/observation.ts";
import type { HeldFigure } from "#domain/intake/reading.ts";
import type { Instant } from "#domain/time/day.ts";
import type { Emit } from "#telemetry.ts";

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

/** More figures that are released at once are one event. */
const MOST_EVENTS = 20;

/** Reports released figures; of more than 20 one event with their count. */
export function emitReleased(
  emit: Emit,
  source: DailySource,
  released: readonly HeldFigure[],
  by: string,
): void {
  const isMany = released.length > MOST_EVENTS;
  for (const figure of isMany ? released.slice(0, 1) : released) {
    const count = isMany ? released.length : 1;
    emit({ kind: "figure_released", source, figure: figureText(figure), by, count });
  }
}
