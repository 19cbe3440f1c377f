/** What acceptance takes and gives: documents and known rates in, a judgement out; and its working notes for one series. */

import type { DailySource } from "#domain/currency/source.ts";
import type { ObservationColumns, Row } from "#domain/history/history.ts";
import type { Figure, Observation, Provenance } from "#domain/history/observation.ts";
import type { Day, Instant } from "#domain/time/day.ts";
import type { FigureKey, SupersededObservation } from "./revision.ts";
import type { RouteMemory } from "./route-memory.ts";
import type { Look, Statement } from "./statements.ts";

/** A figure that a rule held back: kept and shown, never served. */
export interface Held extends Figure, Provenance {
  readonly rule: string;
  readonly reason: string;
}

/** An authority's word that a figure no longer holds, without a replacement. */
export interface Withdrawn extends FigureKey {
  readonly publishedAt: Instant | null;
}

/** A withdrawal that applies, with the revision it ends and the document that said so. */
export interface AppliedWithdrawal extends Withdrawn, Provenance {
  readonly revision: number;
}

/** Everything the lake knows that a judgement may depend on. */
export interface KnownRates {
  readonly observations: ObservationColumns;
  /** Publication instants beside `observations`; NaN where unknown. */
  readonly publishedAt: Float64Array;
  /** Ordered by revision within a figure. */
  readonly superseded: readonly SupersededObservation[];
  readonly held: readonly Held[];
  /** What routes said where it differs from what stands, and the days they spoke of; of all sources. */
  readonly statements: readonly Statement[];
  readonly looks: readonly Look[];
}

/** What one document says, with where it was read. */
export interface DocumentReading {
  readonly provenance: Provenance;
  /** Name of the route that the document belongs to. */
  readonly route: string;
  readonly figures: readonly Figure[];
  readonly withdrawals: readonly Withdrawn[];
}

/** An operator's word on one held figure: believe it, or forget it. */
export interface HeldCommand extends FigureKey {
  readonly action: "release" | "discard";
}

export interface Acceptance {
  /** New figures, new revisions, and known revisions whose publication instant became known. */
  readonly accepted: readonly Observation[];
  readonly withdrawn: readonly AppliedWithdrawal[];
  /** The complete list after this judgement, other sources' figures included. */
  readonly held: readonly Held[];
  /** Those of `held` that this judgement added or replaced. */
  readonly newlyHeld: readonly Held[];
  /** Formerly held figures that are among `accepted` now. */
  readonly released: readonly Held[];
  /** Accepted observations that replace an earlier value of the same figure. */
  readonly revised: readonly Observation[];
  /** How many of `accepted` only complete a known revision's publication instant. */
  readonly completed: number;
  /** Figures that say what is known already, and routes that repeat themselves. */
  readonly unchanged: number;
  /** The complete list after this judgement, other sources' rows included. */
  readonly statements: readonly Statement[];
  /** Series of documents that lost too many figures to be believed: what they no longer have is kept. */
  readonly torn: readonly TornSeries[];
}

/** A series in a document without more figures that its route had before than an authority takes back at once. */
export interface TornSeries extends Pick<FigureKey, "base" | "quote"> {
  readonly route: string;
  readonly document: string;
  readonly missing: number;
  readonly first: Day;
  readonly last: Day;
}

/** One series (source, base, quote) with everything about it, ascending by day. */
export interface SeriesCase extends Pick<FigureKey, "base" | "quote"> {
  readonly source: DailySource;
  /** True when the same currency is already quoted in the opposite direction. */
  readonly reversed: boolean;
  readonly rows: readonly Row[];
  readonly said: Saying[];
  readonly held: readonly Held[];
  /** What of the documents speaks of the series. */
  readonly spoken: readonly SpokenSeries[];
  readonly memory: RouteMemory;
  /** Superseded rows by day. */
  readonly past: ReadonlyMap<Day, readonly SupersededObservation[]>;
}

/** A series in one document: its first and its last figure there. */
export interface SpokenSeries {
  readonly provenance: Provenance;
  readonly route: string;
  first: Day;
  last: Day;
  /** False where so much is missing between the two that the document does not count as having spoken of it. */
  whole: boolean;
}

/** One statement of a document about one figure; `figure` null is a withdrawal. */
export interface Saying {
  readonly route: string;
  readonly key: Withdrawn;
  readonly figure: Figure | null;
  readonly provenance: Provenance;
}

/** Collects what the walks over the series decide. */
export interface Tally {
  readonly accepted: Observation[];
  readonly withdrawn: AppliedWithdrawal[];
  readonly held: Held[];
  readonly newlyHeld: Held[];
  readonly released: Held[];
  readonly revised: Observation[];
  readonly torn: TornSeries[];
  completed: number;
  unchanged: number;
}
