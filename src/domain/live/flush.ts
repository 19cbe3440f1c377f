/** When live quotes go from the journal into the lake's files. */

import type { Instant } from "#domain/time/day.ts";

/** Every so many minutes of the hour. */
export const FLUSH_MINUTES = 5;

/** The first flush after an instant. */
export function nextFlush(now: Instant): Instant {
  const step = FLUSH_MINUTES * 60_000;
  return (Math.floor(now / step) + 1) * step;
}
