/** The rates of one pair over all days, as printed digits: computed once per dataset and pair, then sliced by pages and exports. */

import { crossRate, derivationBound, isUnfilled } from "./cross.ts";
import type { CurrencyIndex } from "./currency.ts";
import type { Day, Instant } from "./day.ts";
import type { History } from "./history.ts";
import { leastFreshRow } from "./provenance.ts";

/** Columns over the calendar days from `firstDay`; `text` is undefined where the pair has no value. */
export interface Series {
  readonly from: CurrencyIndex;
  readonly to: CurrencyIndex;
  readonly firstDay: Day;
  readonly text: readonly (string | undefined)[];
  /** Position in DAILY_SOURCES of the least fresh leg. */
  readonly source: Uint8Array;
  /** Observation time of the least fresh leg. */
  readonly observedAt: Float64Array;
  /** Bit 1: derived. Bit 2: at least one leg was observed on an earlier day. */
  readonly flags: Uint8Array;
}

export const DERIVED = 1;
export const FILLED = 2;

/** none: only days on which every leg was published. previous: every calendar day, forward-filled. */
export type Fill = "none" | "previous";

/** Builds one pair's series up to and including `lastDay`. A currency against itself is 1 wherever it is known. */
export function buildSeries(
  history: History,
  from: CurrencyIndex,
  to: CurrencyIndex,
  fill: Fill,
  lastDay: Day,
): Series {
  const days = Math.max(0, lastDay - history.firstDay + 1);
  const text: (string | undefined)[] = new Array(days).fill(undefined);
  const source = new Uint8Array(days);
  const observedAt = new Float64Array(days);
  const flags = new Uint8Array(days);
  for (let at = 0; at < days; at++) {
    const day = history.firstDay + at;
    const cross = crossRate(history, day, from, to);
    if (cross === null) continue;
    const unfilled = isUnfilled(history, day, cross);
    if (fill === "none" && !unfilled) continue;
    text[at] = cross.text;
    flags[at] = (cross.derived ? DERIVED : 0) | (unfilled ? 0 : FILLED);
    const row = leastFreshRow(history, cross.rows);
    source[at] = history.observations.source[row] as number;
    observedAt[at] = history.observations.observedAt[row] as Instant;
  }
  return { from, to, firstDay: history.firstDay, text, source, observedAt, flags };
}

/** Error bound of the pair on one day; see `derivationBound`. */
export function seriesBound(history: History, series: Series, day: Day): number | null {
  const cross = crossRate(history, day, series.from, series.to);
  return cross === null ? null : derivationBound(history, cross);
}

/**
 * Keeps the most recently used series of one dataset; a new dataset starts it anew. `capacity` bounds the memory:
 * a full history of one pair is about half a megabyte.
 */
export class SeriesShelf {
  readonly #capacity: number;
  #history: History | null = null;
  #lastDay: Day = 0;
  readonly #shelf = new Map<number, Series>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  take(history: History, from: CurrencyIndex, to: CurrencyIndex, fill: Fill, lastDay: Day): Series {
    if (this.#history !== history || this.#lastDay !== lastDay) {
      this.#shelf.clear();
      this.#history = history;
      this.#lastDay = lastDay;
    }
    const key = (from * 64 + to) * 2 + (fill === "previous" ? 1 : 0);
    const known = this.#shelf.get(key);
    const series = known ?? buildSeries(history, from, to, fill, lastDay);
    this.#shelf.delete(key);
    this.#shelf.set(key, series);
    if (this.#shelf.size > this.#capacity) this.#shelf.delete(this.#shelf.keys().next().value as number);
    return series;
  }
}
