/** Versions of a figure in one document, and which of them the document itself dates after the current value. */

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

/** What is current for a figure: its value ("" after a withdrawal), and since when it is. */
export interface CurrentValue {
  readonly value: string;
  readonly publishedAt: Instant | null;
  /** Retrieval of the document that made it current. */
  readonly since: Instant;
}

/**
 * The versions that their document dates after the current value, in order: those after the last one that describes it, else those
 * published after it was published or retrieved. Empty where the document does not say when it published its versions.
 */
export function versionsAfter(
  events: readonly VersionEvent[],
  current: CurrentValue,
): readonly VersionEvent[] {
  const describing = events.findLastIndex(
    ({ value, publishedAt }) =>
      value === current.value &&
      (publishedAt === null || current.publishedAt === null || publishedAt === current.publishedAt),
  );
  const dated = events.filter(({ publishedAt }, at) => publishedAt !== null && at > describing);
  if (describing >= 0) return dated;
  return dated.filter(({ publishedAt }) => (publishedAt as Instant) > (current.publishedAt ?? current.since));
}
