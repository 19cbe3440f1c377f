/** What collecting the daily sources leaves behind besides figures: what was held back, how far it got, how it went. */

import type { DailySource } from "#domain/currency/source.ts";
import type { Day, Instant } from "#domain/time/day.ts";
import type { Figure, Provenance } from "./observation.ts";

/** A figure that acceptance held back: visible, never served, until released or confirmed. */
export interface HeldFigure extends Figure, Provenance {
  /** Name of the rule that held it, e.g. "implausible_jump". */
  readonly rule: string;
  /** One sentence with the numbers that made the rule fire. */
  readonly reason: string;
}

/** How far a source's documents have spoken, and when that was last seen. */
export interface Coverage {
  readonly source: DailySource;
  readonly coveredThrough: Day;
  readonly retrievedAt: Instant;
}

/** How the last collection of a source went; kept in memory, shown by /status. */
export interface CollectionState {
  readonly source: DailySource;
  readonly lastAttemptAt: Instant | null;
  /** Last attempt in which a route read an intact document, whether or not it held anything new. */
  readonly lastSuccessAt: Instant | null;
  readonly outcome: "never" | "figures" | "unchanged" | "holiday" | "empty" | "failed";
  /** Why the last attempt failed or was empty, one sentence; null when there is nothing to say. */
  readonly detail: string | null;
}
