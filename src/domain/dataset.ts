/** One consistent, immutable view of everything that daily answers are made of; swapped as a whole after ingest. */

import type { Day, Instant } from "./day.ts";
import type { History } from "./history.ts";
import type { DailySource } from "./source.ts";

export interface Dataset {
  readonly history: History;
  /** How far each source's documents have spoken; absent before the first collection. */
  readonly coveredThrough: Readonly<Partial<Record<DailySource, Day>>>;
  /** True for the demo's made-up world; every answer then says so. */
  readonly simulated: boolean;
}

/** What a rates use case needs: the current dataset, or null before the first ingest, and the instant of the request. */
export interface View {
  readonly dataset: Dataset;
  readonly now: Instant;
}
