/** The rates of one pair over all days, as printed digits: computed once per dataset and pair, when first asked for, then sliced by pages and exports. */

import { crossRate, isUnfilled } from "./cross.ts";
import type { CurrencyIndex } from "./currency.ts";
import type { Day, Instant } from "./day.ts";
import type { History } from "./history.ts";
import { leastFreshRow, speakingRow } from "./provenance.ts";

/** Columns over the calendar days from `firstDay`; `text` is undefined where the pair has no value. */
export interface Series {
  readonly from: CurrencyIndex;
  readonly to: CurrencyIndex;
  readonly firstDay: Day;
  readonly text: readonly (string | undefined)[];
  /** Position in DAILY_SOURCES of the least fresh leg. */
  readonly source: Uint8Array;
  /** Position in DAILY_SOURCES of the currency's own observation (a pivot's: of the least fresh leg). */
  readonly ownSource: Uint8Array;
  /** Observation time of the least fresh leg. */
  readonly observedAt: Float64Array;
  /** Bit 1: derived. Bit 2: at least one leg was observed on an earlier day. */
  readonly flags: Uint8Array;
}

export const DERIVED = 1;
export const FILLED = 2;

/** none: only days on which every leg was published. previous: every calendar day, forward-filled. */
export type Fill = "none" | "previous";

/** Days that are computed at once: a page touches two or three blocks, not the whole history. */
const BLOCK_DAYS = 256;

/** A series whose days are computed when they are first asked for. */
interface GrowingSeries extends Series {
  readonly text: (string | undefined)[];
  readonly built: Uint8Array;
}

function emptySeries(history: History, from: CurrencyIndex, to: CurrencyIndex, lastDay: Day): GrowingSeries {
  const days = Math.max(0, lastDay - history.firstDay + 1);
  return {
    from,
    to,
    firstDay: history.firstDay,
    text: new Array(days).fill(undefined),
    source: new Uint8Array(days),
    ownSource: new Uint8Array(days),
    observedAt: new Float64Array(days),
    flags: new Uint8Array(days),
    built: new Uint8Array(Math.ceil(days / BLOCK_DAYS)),
  };
}

/** Computes every block that the days from `first` to `last` touch. A currency against itself is 1 wherever it is known. */
function grow(history: History, series: GrowingSeries, fill: Fill, first: Day, last: Day): void {
  const { text, built, firstDay } = series;
  const from = Math.max(0, Math.floor((first - firstDay) / BLOCK_DAYS));
  const to = Math.min(built.length - 1, Math.floor((last - firstDay) / BLOCK_DAYS));
  for (let block = from; block <= to; block++) {
    if (built[block] === 1) continue;
    const end = Math.min(text.length, (block + 1) * BLOCK_DAYS);
    for (let at = block * BLOCK_DAYS; at < end; at++) fillDay(history, series, fill, at);
    built[block] = 1;
  }
}

function fillDay(history: History, series: GrowingSeries, fill: Fill, at: number): void {
  const day = history.firstDay + at;
  const cross = crossRate(history, day, series.from, series.to);
  if (cross === null) return;
  const unfilled = isUnfilled(history, day, cross);
  if (fill === "none" && !unfilled) return;
  const row = leastFreshRow(history, cross.rows);
  series.text[at] = cross.text;
  series.flags[at] = (cross.derived ? DERIVED : 0) | (unfilled ? 0 : FILLED);
  series.source[at] = history.observations.source[row] as number;
  series.ownSource[at] = history.observations.source[
    speakingRow(history, day, series.to, cross.rows)
  ] as number;
  series.observedAt[at] = history.observations.observedAt[row] as Instant;
}

/**
 * Keeps the most recently used series of one dataset; a new dataset starts it anew. `capacity` bounds the memory:
 * a full history of one pair is about half a megabyte.
 */
export class SeriesShelf {
  readonly #capacity: number;
  #history: History | null = null;
  #lastDay: Day = 0;
  readonly #shelf = new Map<number, GrowingSeries>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The pair's series up to `lastDay`, computed at least from `first` to `last`. */
  take(
    history: History,
    [from, to]: readonly [CurrencyIndex, CurrencyIndex],
    fill: Fill,
    lastDay: Day,
    [first, last]: readonly [Day, Day],
  ): Series {
    if (this.#history !== history || this.#lastDay !== lastDay) {
      this.#shelf.clear();
      this.#history = history;
      this.#lastDay = lastDay;
    }
    const key = (from * 64 + to) * 2 + (fill === "previous" ? 1 : 0);
    const known = this.#shelf.get(key);
    const series = known ?? emptySeries(history, from, to, lastDay);
    grow(history, series, fill, first, last);
    this.#shelf.delete(key);
    this.#shelf.set(key, series);
    if (this.#shelf.size > this.#capacity) this.#shelf.delete(this.#shelf.keys().next().value as number);
    return series;
  }
}
