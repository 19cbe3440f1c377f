/** The immutable data behind daily answers. Ingest replaces it as a whole. */

import type { SupersededObservation } from "#domain/acceptance/judgement.ts";
import type { CacheBudget } from "#domain/cache/budget.ts";
import type { DailySource } from "#domain/currency/source.ts";
import type { DamagedFigures } from "#domain/history/damage.ts";
import type { History } from "#domain/history/history.ts";
import type { AsOf } from "#domain/history/observation.ts";
import type { PendingSource } from "#domain/intake/pending-sources.ts";
import type { Day, Instant } from "#domain/time/day.ts";

/** What point-in-time answers know beyond the observations in force. */
export interface Revisions {
  /** Publication instants beside the history's observations; NaN where unknown. */
  readonly publishedAt: Float64Array;
  /** Every observation that was replaced or withdrawn. */
  readonly superseded: readonly SupersededObservation[];
}

export interface Dataset {
  readonly history: History;
  /** How far each source's documents have spoken; absent before the first collection. */
  readonly coveredThrough: Readonly<Partial<Record<DailySource, Day>>>;
  /** True in the demo: figures are simulated, but for those of `realThrough`. */
  readonly simulated: boolean;
  /** In a demo that began with the ECB's own history: its last day; through it the ECB's figures are real. Absent or null: no figure is. */
  readonly realThrough?: Day | null;
  /** Absent where nothing was ever revised and no publication instant is known. */
  readonly revisions?: Revisions;
  /** Files whose figures are missing here because they are damaged; absent where everything is intact. */
  readonly damaged?: readonly DamagedFigures[];
  /** Sources of which nothing was ever collected; absent where there is none. */
  readonly pending?: readonly PendingSource[];
  /** Bounds what is computed from this dataset and cached; absent where little is, as in commands. */
  readonly caches?: CacheBudget;
  /** Present on a dataset that was put back to an instant: see datasetAsOf. */
  readonly asOf?: AsOf;
}

/** What a rates use case needs: the current dataset, or null before the first ingest, and the instant of the request. */
export interface View {
  readonly dataset: Dataset;
  readonly now: Instant;
}
