/** Reads the current values of a series out of the columns, and says whether a new figure came late. */

import type { Row } from "#domain/history/history.ts";
import { scheduledPublication } from "#domain/history/schedule.ts";
import type { Day, Instant } from "#domain/time/day.ts";
import type { KnownRates, SeriesCase } from "./judgement.ts";
import type { Neighbour } from "./plausibility.ts";
import { canonicalOf } from "./printed.ts";
import type { CurrentValue } from "./revision.ts";
import { NOTHING_STATED, type Stated } from "./statements.ts";

/** The current value of the day that is judged, as its reports change it. */
export interface Current extends Neighbour {
  readonly units: number;
  readonly scale: number;
  /** As the authority's document states it; null where none did. */
  readonly publishedAt: number | null;
  /** True where the lake has the instant at which it was first seen instead of a stated one. */
  readonly firstSeen: boolean;
  readonly revision: number;
  /** When its document was retrieved. */
  readonly retrievedAt: Instant;
}

export function currentAt({ observations, publishedAt }: KnownRates, row: Row): Current {
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

export function currentValueOf({ units, scale, publishedAt, retrievedAt }: Current): CurrentValue {
  return { value: canonicalOf(units, scale), publishedAt, since: retrievedAt };
}

/** A current value as a route would state it. */
export function statedOf(current: Pick<Current, "units" | "scale"> | null): Stated {
  if (current === null) return NOTHING_STATED;
  const { units, scale } = current;
  return { value: canonicalOf(units, scale), printed: (units / 10 ** scale).toFixed(scale) };
}

/**
 * Whether a new figure without a publication instant came late: this server retrieved the source's documents after the scheduled
 * publication, and they did not have it. A series of which nothing was known is never late.
 */
export function latenessIn({ retrievals }: KnownRates, { source, rows }: SeriesCase): (day: Day) => boolean {
  const own = rows.length === 0 ? [] : retrievals.filter((retrieval) => retrieval.source === source);
  if (own.length === 0) return () => false;
  return (day) => own.some(({ from, at }) => from <= day && at >= scheduledPublication(source, day));
}
