/** What the walk over a series writes down: observations, held figures, and a document's statements as version events. */

import { canonicalPrinted } from "./canonical.ts";
import type { Held, HeldCommand, Saying, SeriesCase } from "./judgement.ts";
import type { Figure, Observation, Provenance } from "./observation.ts";
import type { Objection } from "./plausibility.ts";
import type { FigureKey, VersionEvent } from "./revision.ts";

export function observationOf(
  series: SeriesCase,
  figure: Figure,
  provenance: Provenance,
  revision: number,
): Observation {
  return { ...figureOnly(figure), revision, ...provenanceOf(series, provenance) };
}

export function heldOf(
  series: SeriesCase,
  figure: Figure,
  provenance: Provenance,
  { rule, reason }: Objection,
): Held {
  return { ...figureOnly(figure), ...provenanceOf(series, provenance), rule, reason };
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

/** Figures arrive with more members when they were held before; only the figure's own are stored. */
function figureOnly({ date, base, quote, printed, decimals, observedAt, publishedAt }: Figure): Figure {
  return { date, base, quote, printed, decimals, observedAt, publishedAt };
}

function provenanceOf(series: SeriesCase, { document, documentSha256, retrievedAt }: Provenance): Provenance {
  return { source: series.source, document, documentSha256, retrievedAt };
}
