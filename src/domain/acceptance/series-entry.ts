/** What the walk over a series writes down: observations, held figures, and a document's statements as version events. */

import type { Figure, Observation, Provenance } from "#domain/history/observation.ts";
import { canonicalPrinted } from "./canonical.ts";
import type { Held, HeldCommand, Saying, SeriesCase } from "./judgement.ts";
import type { Objection } from "./plausibility.ts";
import type { FigureKey, VersionEvent } from "./revision.ts";

/** Written out member by member: a history has 180,000 of them, and figures that were held have members to leave behind. */
export function observationOf(
  { source }: SeriesCase,
  { date, base, quote, printed, decimals, observedAt, publishedAt }: Figure,
  { document, documentSha256, retrievedAt }: Provenance,
  revision: number,
): Observation {
  return {
    date,
    base,
    quote,
    printed,
    decimals,
    observedAt,
    publishedAt,
    source,
    document,
    documentSha256,
    retrievedAt,
    revision,
  };
}

export function heldOf(
  series: SeriesCase,
  figure: Figure,
  provenance: Provenance,
  { rule, reason }: Objection,
): Held {
  const { revision: _, ...held } = observationOf(series, figure, provenance, 1);
  return { ...held, rule, reason };
}

export function eventOf({ key, figure, provenance }: Saying): VersionEvent {
  const value = figure === null ? "" : canonicalPrinted(figure.printed);
  return { ...provenance, ...keyOf(key), figure, value, publishedAt: key.publishedAt };
}

export function keyOf({ date, base, quote }: FigureKey): FigureKey {
  return { date, base, quote };
}

export function isAbout(command: HeldCommand, held: Held): boolean {
  return command.date === held.date && command.base === held.base && command.quote === held.quote;
}
