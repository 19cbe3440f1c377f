/** The rates of one pair by blocks of days, as printed digits. A block is computed on first use; pages are slices of it. */

import type { Cache, CacheBudget } from "#domain/cache/budget.ts";
import type { CurrencyIndex } from "#domain/currency/currency.ts";
import { currencyRow, leastFreshRow } from "#domain/history/history.ts";
import type { Day, Instant } from "#domain/time/day.ts";
import { crossRate, isUnfilled } from "./cross.ts";
import type { History } from "./history.ts";

/**
 * Columns over the calendar days from `firstDay`, an element a day. Digits are bytes instead of strings: a string takes
 * seven times the memory, and a range of all currencies has a quarter of a million.
 */
export interface Series {
  readonly from: CurrencyIndex;
  readonly to: CurrencyIndex;
  readonly firstDay: Day;
  /** Printed digits of all days one after the other, ASCII. */
  readonly digits: Buffer;
  /** The digits of element i are those from `ends[i]` to before `ends[i + 1]`; none where the pair has no value. */
  readonly ends: Uint16Array;
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

/** Days of a block: a page of trading days touches three. */
export const BLOCK_DAYS = 256;

/** Whether the pair has a value in element `at`. */
export function hasValue({ ends }: Series, at: number): boolean {
  return (ends[at + 1] as number) > (ends[at] as number);
}

/** The printed digits of element `at`; empty where the pair has no value. */
export function textAt({ digits, ends }: Series, at: number): string {
  return digits.toString("latin1", ends[at], ends[at + 1]);
}

/** Number of the block that holds a day. */
export function blockOf({ firstDay }: History, day: Day): number {
  return Math.floor((day - firstDay) / BLOCK_DAYS);
}

/** Days of a block, first and last, none after `lastDay`. */
export function daysOfBlock({ firstDay }: History, block: number, lastDay: Day): readonly [Day, Day] {
  const first = firstDay + block * BLOCK_DAYS;
  return [first, Math.min(lastDay, first + BLOCK_DAYS - 1)];
}

/** A currency against itself is 1 wherever it is known. */
function buildSeries(
  history: History,
  [from, to]: readonly [CurrencyIndex, CurrencyIndex],
  fill: Fill,
  [first, last]: readonly [Day, Day],
): Series {
  const days = Math.max(0, last - first + 1);
  const texts: string[] = [];
  const series = {
    from,
    to,
    firstDay: first,
    ends: new Uint16Array(days + 1),
    source: new Uint8Array(days),
    ownSource: new Uint8Array(days),
    observedAt: new Float64Array(days),
    flags: new Uint8Array(days),
  };
  const { observations } = history;
  for (let at = 0; at < days; at++) {
    series.ends[at + 1] = series.ends[at] as number;
    const cross = crossRate(history, first + at, from, to);
    if (cross === null) continue;
    const unfilled = isUnfilled(history, first + at, cross);
    if (fill === "none" && !unfilled) continue;
    const row = leastFreshRow(history, cross.rows);
    texts.push(cross.text);
    series.ends[at + 1] = (series.ends[at] as number) + cross.text.length;
    series.flags[at] = (cross.derived ? DERIVED : 0) | (unfilled ? 0 : FILLED);
    series.source[at] = observations.source[row] as number;
    series.ownSource[at] = observations.source[currencyRow(history, to, cross.rows)] as number;
    series.observedAt[at] = observations.observedAt[row] as Instant;
  }
  // Not out of the shared pool: the bytes are counted, and go when the series goes.
  const digits = Buffer.allocUnsafeSlow(series.ends[days] as number);
  digits.write(texts.join(""), "latin1");
  return { ...series, digits };
}

/** Objects around the arrays of a series. */
const OBJECT_BYTES = 700;

/** Memory of a series, about. */
export function bytesOf({ digits, ends, source, ownSource, observedAt, flags }: Series): number {
  return [digits, ends, source, ownSource, observedAt, flags].reduce(
    (sum, { byteLength }) => sum + byteLength,
    OBJECT_BYTES,
  );
}

/** The series of pairs, block by block; a block of one pair is about 6 kB. */
export class SeriesCache {
  readonly #blocks: Cache<string, Series>;

  /** `share`: of the budget, see CacheOptions. */
  constructor(budget: CacheBudget, name: string, share: number) {
    this.#blocks = budget.cache(name, { share });
  }

  /** The block of a pair's series that holds `day`. `lastDay` is the last day that any series has. */
  take(
    history: History,
    pair: readonly [CurrencyIndex, CurrencyIndex],
    fill: Fill,
    lastDay: Day,
    day: Day,
  ): Series {
    const block = blockOf(history, day);
    const key = `${history.version} ${lastDay} ${fill} ${pair[0]} ${pair[1]} ${block}`;
    let series = this.#blocks.get(key);
    if (series === undefined) {
      series = buildSeries(history, pair, fill, daysOfBlock(history, block, lastDay));
      this.#blocks.set(key, series, bytesOf(series));
    }
    return series;
  }
}
