/** What a document's versions of one figure add to what is already known of it: order, repetition and lagging files. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { Figure, Observation, Provenance } from "#domain/history/observation.ts";
import type { Day, Instant } from "#domain/time/day.ts";

/** An observation that no longer stands, with what ended it. */
export interface SupersededObservation extends Observation {
  /** Retrieval time of the document that ended it. */
  readonly supersededAt: Instant;
  readonly why: "revised" | "withdrawn";
  /** Address of the document that ended it. */
  readonly supersededBy: string;
}

/** Identity of one figure within its source. */
export interface FigureKey {
  readonly date: Day;
  readonly base: CurrencyCode;
  readonly quote: CurrencyCode;
}

/** One step in the life of a figure as a document tells it: a printed value, or its withdrawal (`figure` null). */
export interface VersionEvent extends Provenance, FigureKey {
  readonly figure: Figure | null;
  /** Value without trailing zeros, e.g. "366.9"; "" for a withdrawal. */
  readonly value: string;
  readonly publishedAt: Instant | null;
}

/** What stands now for the key. */
export interface Standing {
  readonly value: string;
  readonly publishedAt: Instant | null;
}

/**
 * The events of one route on one day that are news, in order. The caller has found that the route's last word differs from what
 * it said before, or that it is not known to have said anything. The rules:
 * - Events up to and including the last one that describes the standing value are known. With publication
 *   instants the document's own order decides.
 * - Where nothing matches, versions published no later than the standing one are known, and so are versions
 *   and withdrawals already in the superseded table.
 * - A value without a publication instant that equals a superseded one is a copy that lags, however old the correction is,
 *   unless the same route said something else before (`changed`): then it means it.
 */
export function newEvents(
  events: readonly VersionEvent[],
  standing: Standing | null,
  past: readonly SupersededObservation[],
  valueIn: (observation: SupersededObservation) => string,
  changed: boolean,
): readonly VersionEvent[] {
  const known = events.findLastIndex((event) => describes(event, standing, past));
  if (known >= 0) return events.slice(known + 1);
  return events.filter((event) => {
    if (standing !== null && standing.publishedAt !== null && event.publishedAt !== null) {
      if (event.publishedAt <= standing.publishedAt) return false;
    }
    return !past.some((old) => repeats(event, old, valueIn(old), changed));
  });
}

function describes(
  event: VersionEvent,
  standing: Standing | null,
  past: readonly SupersededObservation[],
): boolean {
  if (standing === null) {
    const last = past.at(-1);
    return (
      event.figure === null &&
      last?.why === "withdrawn" &&
      event.publishedAt !== null &&
      event.publishedAt <= last.supersededAt
    );
  }
  if (event.figure === null || event.value !== standing.value) return false;
  return (
    event.publishedAt === null || standing.publishedAt === null || event.publishedAt === standing.publishedAt
  );
}

function repeats(
  event: VersionEvent,
  old: SupersededObservation,
  oldValue: string,
  changed: boolean,
): boolean {
  if (event.figure === null) {
    return old.why === "withdrawn" && (event.publishedAt ?? event.retrievedAt) <= old.supersededAt;
  }
  if (event.value !== oldValue) return false;
  if (event.publishedAt !== null) {
    return old.publishedAt === null
      ? event.publishedAt <= old.supersededAt
      : event.publishedAt === old.publishedAt;
  }
  return !changed;
}
