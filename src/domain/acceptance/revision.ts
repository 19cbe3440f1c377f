/** Decides which versions of a figure in a document are new: handles order, repetition, and files that lag. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { Figure, Observation, Provenance } from "#domain/history/observation.ts";
import type { Day, Instant } from "#domain/time/day.ts";

/** An observation that was replaced or withdrawn, and the document that ended it. */
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

/** One version of a figure in a document: a printed value, or its withdrawal (`figure` null). */
export interface VersionEvent extends Provenance, FigureKey {
  readonly figure: Figure | null;
  /** Value without trailing zeros, e.g. "366.9"; "" for a withdrawal. */
  readonly value: string;
  readonly publishedAt: Instant | null;
}

/** The current value of a figure. */
export interface CurrentValue {
  readonly value: string;
  readonly publishedAt: Instant | null;
}

/**
 * The events of one route on one day that are new, in order. The caller has found that the route's last statement differs from its
 * earlier one, or that no earlier one is known. The rules:
 * - Events up to and including the last one that describes the current value are known. With publication instants the order of the
 *   document decides.
 * - Where none matches, versions published no later than the current one are known, and so are versions and withdrawals that are
 *   already in the superseded table.
 * - A value without a publication instant that equals a superseded one comes from a copy that lags, however old the correction is,
 *   unless the same route stated something else in between (`changed`): then it is a correction back.
 */
export function newEvents(
  events: readonly VersionEvent[],
  current: CurrentValue | null,
  past: readonly SupersededObservation[],
  valueIn: (observation: SupersededObservation) => string,
  changed: boolean,
): readonly VersionEvent[] {
  const known = events.findLastIndex((event) => describes(event, current, past));
  if (known >= 0) return events.slice(known + 1);
  return events.filter((event) => {
    if (current !== null && current.publishedAt !== null && event.publishedAt !== null) {
      if (event.publishedAt <= current.publishedAt) return false;
    }
    return !past.some((old) => repeats(event, old, valueIn(old), changed));
  });
}

function describes(
  event: VersionEvent,
  current: CurrentValue | null,
  past: readonly SupersededObservation[],
): boolean {
  if (current === null) {
    const last = past.at(-1);
    return (
      event.figure === null &&
      last?.why === "withdrawn" &&
      event.publishedAt !== null &&
      event.publishedAt <= last.supersededAt
    );
  }
  if (event.figure === null || event.value !== current.value) return false;
  return (
    event.publishedAt === null || current.publishedAt === null || event.publishedAt === current.publishedAt
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
