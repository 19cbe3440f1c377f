/** The input and output of acceptance (documents and known rates, a judgement), the versions of a figure in one document, and the working state for one series. */

import type { DailySource } from "#domain/currency/source.ts";
import type { ObservationColumns, Row } from "#domain/history/history.ts";
import type { Figure, Observation, Provenance } from "#domain/history/observation.ts";
import type { HeldFigure, Withdrawal } from "#domain/intake/reading.ts";
import type { Day, Instant } from "#domain/time/day.ts";
import { canonicalPrinted, type Objection, WITNESS_RULES } from "./printed.ts";
import type { Retrieval, RouteMemory, Statement } from "./statements.ts";

interface AppliedWithdrawal extends Withdrawal, Provenance {
  readonly revision: number;
}

export interface KnownRates {
  readonly observations: ObservationColumns;
  /** Publication instants beside `observations`; NaN where unknown. */
  readonly publishedAt: Float64Array;
  /** Ordered by revision within a figure. */
  readonly superseded: readonly SupersededObservation[];
  readonly held: readonly HeldFigure[];
  /** Routes' statements that differ from the current values, of all sources, and the days that the routes covered. */
  readonly statements: readonly Statement[];
  readonly retrievals: readonly Retrieval[];
}

export interface DocumentReading {
  readonly provenance: Provenance;
  readonly route: string;
  readonly figures: readonly Figure[];
  readonly withdrawals: readonly Withdrawal[];
  /** True for a copy that is older than one read before: only figures that are not known yet are taken from it. */
  readonly isOldCopy?: boolean;
}

export type Verdict = "release" | "discard";

/**
 * A decision about one held figure, or about all held figures of the document with this SHA-256. For a document, `release` takes the
 * plausible figures that only lack a witness, and `discard` takes all.
 */
export type HeldCommand =
  | (FigureKey & { readonly action: Verdict })
  | { readonly action: Verdict; readonly document: string };

/** The results of a judgement, filled while it runs. */
export interface Tally {
  /** New figures, new revisions, and known revisions that got their publication instant. */
  readonly accepted: Observation[];
  readonly withdrawn: AppliedWithdrawal[];
  /** The complete list after this judgement, other sources' figures included. */
  readonly held: HeldFigure[];
  /** Those of `held` that this judgement added or replaced. */
  readonly newlyHeld: HeldFigure[];
  /** Formerly held figures that are among `accepted` now. */
  readonly released: HeldFigure[];
  readonly revised: Observation[];
  /** Series of which a document lacks too many figures to be believed: these figures are not withdrawn. */
  readonly torn: TornSeries[];
  /** How many of `accepted` only complete a known revision's publication instant. */
  completed: number;
  /** Figures that repeat the record. */
  unchanged: number;
}

export interface Acceptance extends Readonly<Tally> {
  /** The complete list after this judgement, other sources' rows included. */
  readonly statements: readonly Statement[];
  readonly distrusted: readonly DistrustedDocument[];
}

/** A document that is not believed on its own: only those of its figures that another kind of route states are believed. */
export interface DistrustedDocument {
  readonly route: string;
  readonly document: string;
  readonly reason: string;
}

/** A series in a document that lacks more of its route's figures than an authority withdraws at once. */
export interface TornSeries extends Pick<FigureKey, "base" | "quote"> {
  readonly route: string;
  readonly document: string;
  readonly missing: number;
  readonly first: Day;
  readonly last: Day;
}

/** One series (source, base, quote): everything about it, ascending by day. */
export interface SeriesCase extends Pick<FigureKey, "base" | "quote"> {
  readonly source: DailySource;
  /** True when the same currency is already quoted in the opposite direction. */
  reversed: boolean;
  readonly rows: Row[];
  readonly reports: Report[];
  readonly held: HeldFigure[];
  readonly extents: SeriesExtent[];
  memory: RouteMemory;
  readonly past: Map<Day, SupersededObservation[]>;
}

/** A series in one document: the days of its first and its last figure there. */
export interface SeriesExtent {
  readonly provenance: Provenance;
  readonly route: string;
  first: Day;
  last: Day;
  /** False where so many figures are missing between the two days that the document does not count as covering them. */
  isComplete: boolean;
}

/** One report of a document on one figure; `figure` null is a withdrawal. */
export interface Report {
  readonly route: string;
  readonly key: Withdrawal;
  readonly figure: Figure | null;
  readonly provenance: Provenance;
}

/** Written out member by member: this is faster for 180,000 observations, and leaves out a held figure's own members. */
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
): HeldFigure {
  const { revision: _, ...held } = observationOf(series, figure, provenance, 1);
  return { ...held, rule, reason };
}

/** The value that a report states, in canonical form, e.g. "3669e-1" for 366.90; "" for a withdrawal. */
export function valueIn({ figure }: Pick<Report, "figure">): string {
  return figure === null ? "" : canonicalPrinted(figure.printed);
}

export function keyOf({ date, base, quote }: FigureKey): FigureKey {
  return { date, base, quote };
}

export function isAbout(command: HeldCommand, figure: HeldFigure): boolean {
  if ("document" in command)
    return (
      command.document === figure.documentSha256 &&
      (command.action === "discard" || WITNESS_RULES.has(figure.rule))
    );
  return command.date === figure.date && command.base === figure.base && command.quote === figure.quote;
}

export interface SupersededObservation extends Observation {
  /** Retrieval time of the document that ended it. */
  readonly supersededAt: Instant;
  readonly why: "revised" | "withdrawn";
  /** Address of the document that ended it. */
  readonly supersededBy: string;
}

export type FigureKey = Pick<Figure, "date" | "base" | "quote">;

/** The current value of a figure ("" after a withdrawal), and since when it is current. */
export interface CurrentValue {
  readonly value: string;
  readonly publishedAt: Instant | null;
  /** Retrieval of the document that made it current. */
  readonly since: Instant;
}

/**
 * The dated reports that are newer than the current value, in order: those after the last report of the current value; without such
 * a report, those published after its publication instant, or after its retrieval where that instant is unknown.
 */
export function versionsAfter(reports: readonly Report[], current: CurrentValue): readonly Report[] {
  const describing = reports.findLastIndex((report) => {
    const { publishedAt } = report.key;
    const isSameTime =
      publishedAt === null || current.publishedAt === null || publishedAt === current.publishedAt;
    return isSameTime && valueIn(report) === current.value;
  });
  const dated = reports.filter(({ key }, at) => key.publishedAt !== null && at > describing);
  if (describing >= 0) return dated;
  const since = current.publishedAt ?? current.since;
  return dated.filter(({ key }) => (key.publishedAt as Instant) > since);
}
