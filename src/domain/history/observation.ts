/** One figure as an authority published it, never an inverse, never a cross; and the rule from when until when a revision counts as known. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { DailySource } from "#domain/currency/source.ts";
import { type Day, formatDay, type Instant } from "#domain/time/day.ts";
import { scheduledPublication } from "./schedule.ts";

/** What a parser reads out of an upstream document, before acceptance. */
export interface Figure {
  readonly date: Day;
  /** The figure states: 1 `base` = `printed` `quote`. */
  readonly base: CurrencyCode;
  readonly quote: CurrencyCode;
  /** The digits as printed, trailing zeros included, e.g. "0.85670". Not yet known to be a number. */
  readonly printed: string;
  /** Decimals the authority publishes for this figure; more than `printed` has where a format strips zeros. */
  readonly decimals: number;
  /** Instant the figure describes: 14:15 Frankfurt for the ECB, noon New York for H.10. */
  readonly observedAt: Instant;
  /** When the authority published it, where the document states it; else null. */
  readonly publishedAt: Instant | null;
}

/** Where a figure was read: enough to find the same bytes again. */
export interface Provenance {
  readonly source: DailySource;
  /** Address of the document as requested, without credentials. */
  readonly document: string;
  /** Lower-case hex SHA-256 of the document's bytes as received (after transfer decoding). */
  readonly documentSha256: string;
  readonly retrievedAt: Instant;
}

/** An accepted figure, as the lake stores it. (source, date, base, quote, revision) is its key. */
export interface Observation extends Figure, Provenance {
  /** 1 for the first value seen; a changed value is a new revision, the old one stays readable. */
  readonly revision: number;
}

/** `2026-04-13 EUR/NOK 11.5829`. */
export function figureText({ date, base, quote, printed }: Figure): string {
  return `${formatDay(date)} ${base}/${quote} ${printed}`;
}

/** published: when the world could know it. retrieved: when this server held it. The first is the default. */
export const AS_OF_BASES = ["published", "retrieved"] as const;
export type AsOfBasis = (typeof AS_OF_BASES)[number];

/** Limits an answer to the figures that were known at this instant, itself included, on this basis. */
export interface AsOf {
  readonly instant: Instant;
  readonly basis: AsOfBasis;
}

export type RevisionTimes = Pick<Observation, "source" | "date" | "revision" | "publishedAt" | "retrievedAt">;

/**
 * The first instant at which a revision is known. `retrieved`: its retrieval. `published`: the publication instant in the authority's
 * document; without one, the scheduled publication for a first revision, and the retrieval for a later one. What this server held was
 * public by then: on either basis a revision is known from its retrieval at the latest.
 */
export function knownFrom(times: RevisionTimes, basis: AsOfBasis): Instant {
  const { source, date, revision, publishedAt, retrievedAt } = times;
  if (basis === "retrieved") return retrievedAt;
  if (publishedAt !== null) return Math.min(publishedAt, retrievedAt);
  return revision === 1 ? Math.min(scheduledPublication(source, date), retrievedAt) : retrievedAt;
}
