/** What stands of a series, read out of the columns for its judgement; and whether a new figure came late. Used by acceptance only. */

import type { Row } from "#domain/history/history.ts";
import { scheduledPublication } from "#domain/point-in-time/schedule.ts";
import type { Day, Instant } from "#domain/time/day.ts";
import { canonicalOf } from "./canonical.ts";
import type { KnownRates, SeriesCase } from "./judgement.ts";
import type { Neighbour } from "./plausibility.ts";
import type { StandingDays } from "./series-losses.ts";
import { NOTHING_STATED, type Stated } from "./statements.ts";

/** What stands for the day being judged, as the walk goes through a document's versions. */
export interface Current extends Neighbour {
  readonly units: number;
  readonly scale: number;
  /** As the authority's document states it; null where none did. */
  readonly publishedAt: number | null;
  /** True where the lake has the instant at which it was first seen in the place of a stated one. */
  readonly firstSeen: boolean;
  readonly revision: number;
  /** When its document was retrieved. */
  readonly retrievedAt: Instant;
}

export function standingAt({ observations, publishedAt }: KnownRates, row: Row): Current {
  const units = observations.units[row] as number;
  const scale = observations.scale[row] as number;
  const published = publishedAt[row] as number;
  const firstSeen = published === observations.retrievedAt[row];
  return {
    day: observations.date[row] as Day,
    value: units / 10 ** scale,
    units,
    scale,
    publishedAt: Number.isNaN(published) || firstSeen ? null : published,
    firstSeen,
    revision: observations.revision[row] as number,
    retrievedAt: observations.retrievedAt[row] as Instant,
  };
}

/** A standing value as a route would state it. */
export function statedOf(standing: Pick<Current, "units" | "scale"> | null): Stated {
  if (standing === null) return NOTHING_STATED;
  const { units, scale } = standing;
  return { value: canonicalOf(units, scale), printed: (units / 10 ** scale).toFixed(scale) };
}

export function standingDays({ observations }: KnownRates, rows: readonly Row[]): StandingDays {
  return {
    count: rows.length,
    dayAt: (index) => observations.date[rows[index] as Row] as Day,
    statedAt: (index) => {
      const row = rows[index] as Row;
      return statedOf({ units: observations.units[row] as number, scale: observations.scale[row] as number });
    },
  };
}

/**
 * Whether a new figure without a publication instant came late: after its scheduled publication this server had looked where it
 * would have been, and it was not there. Of a series of which nothing was known no such look tells anything.
 */
export function latenessIn({ looks }: KnownRates, { source, rows }: SeriesCase): (day: Day) => boolean {
  const own = rows.length === 0 ? [] : looks.filter((look) => look.source === source);
  if (own.length === 0) return () => false;
  return (day) => own.some(({ from, at }) => from <= day && at >= scheduledPublication(source, day));
}
