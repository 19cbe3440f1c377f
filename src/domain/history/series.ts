/** The rates of one pair by blocks of days, as printed digits. A block is computed on first use; pages are slices of it. */

import type { Cache, CacheBudget } from "#domain/cache/budget.ts";
import type { CurrencyIndex } from "#domain/currency/currency.ts";
import type { Day, Instant } from "#domain/time/day.ts";
import { crossRate, figuresOf, isUnfilled } from "./cross.ts";
import { currencyRow, type History, leastFreshRow, ownRow } from "./history.ts";
import type { PrintedDigits } from "./periods.ts";
import { DERIVED, FILLED, type Fill, OF_FIRST_SOURCE } from "./rate-columns.ts";

/**
 * Columns over the calendar days from `firstDay`, one element per day. Digits are bytes, not strings: a string takes seven times the
 * memory, and a range of all currencies has a quarter of a million.
 */
export interface Series {
  readonly from: CurrencyIndex;
  readonly to: CurrencyIndex;
  readonly firstDay: Day;
  /** Printed digits of all days one after the other, ASCII. */
  readonly digits: Buffer;
  /** The digits of element i are the bytes from `ends[i]` up to, not including, `ends[i + 1]`; empty where the pair has no value. */
  readonly ends: Uint16Array;
  /** Position in DAILY_SOURCES of the least fresh leg. */
  readonly source: Uint8Array;
  /** Position in DAILY_SOURCES of the currency's own observation (a pivot's: of the least fresh leg). */
  readonly ownSource: Uint8Array;
  /** Position in DAILY_SOURCES of the base's own observation; -1 where none contributes. */
  readonly baseSource: Int8Array;
  /** Observation time of the least fresh leg. */
  readonly observedAt: Float64Array;
  /** DERIVED, FILLED, OF_FIRST_SOURCE. */
  readonly flags: Uint8Array;
}

/** Days of a block: a page of trading days needs three blocks. */
export const BLOCK_DAYS = 256;

export function hasValue({ ends }: Series, at: number): boolean {
  return (ends[at + 1] as number) > (ends[at] as number);
}

/** The printed digits of element `at`; empty where the pair has no value. */
export function textAt({ digits, ends }: Series, at: number): string {
  return digits.toString("latin1", ends[at], ends[at + 1]);
}

export function blockOf({ firstDay }: History, day: Day): number {
  return Math.floor((day - firstDay) / BLOCK_DAYS);
}

/** The first and the last day of a block, at most `lastDay`. */
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
  const series = {
    from,
    to,
    firstDay: first,
    ends: new Uint16Array(days + 1),
    source: new Uint8Array(days),
    ownSource: new Uint8Array(days),
    baseSource: new Int8Array(days),
    observedAt: new Float64Array(days),
    flags: new Uint8Array(days),
  };
  const { source, observedAt } = history.observations;
  let digits = "";
  for (let day = first; day <= last; day++) {
    const at = day - first;
    const rows = figuresOf(history, day, from, to);
    const isFilled = rows !== null && !isUnfilled(history, day, { rows });
    // Digits are expensive: they are not computed for a day that is left out.
    const cross = rows === null || (isFilled && fill === "none") ? null : crossRate(history, day, from, to);
    if (cross !== null) {
      const least = leastFreshRow(history, cross.rows);
      digits += cross.text;
      let flags = (cross.derived ? DERIVED : 0) | (isFilled ? FILLED : 0);
      for (const row of cross.rows) flags |= OF_FIRST_SOURCE << (source[row] as number);
      series.flags[at] = flags;
      series.source[at] = source[least] as number;
      series.ownSource[at] = source[currencyRow(history, to, cross.rows)] as number;
      series.baseSource[at] = source[ownRow(history, from, cross.rows)] ?? -1;
      series.observedAt[at] = observedAt[least] as Instant;
    }
    series.ends[at + 1] = digits.length;
  }
  // Not from the shared pool: exactly these bytes are counted, and freed with the series.
  const bytes = Buffer.allocUnsafeSlow(digits.length);
  bytes.write(digits, "latin1");
  return { ...series, digits: bytes };
}

/** Objects around the arrays of a series. */
const OBJECT_BYTES = 700;

export function bytesOf({ digits, ends, source, ownSource, baseSource, observedAt, flags }: Series): number {
  return [digits, ends, source, ownSource, baseSource, observedAt, flags].reduce(
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

export interface DatedRate {
  readonly day: Day;
  readonly text: string;
}

interface PairWindow {
  readonly pair: readonly [CurrencyIndex, CurrencyIndex];
  readonly fill: Fill;
  readonly start: Day;
  readonly end: Day;
}

/** The rate of a day in a series: `digits` locates its bytes. */
export interface SeriesRate extends DatedRate {
  readonly digits: PrintedDigits;
  readonly flags: number;
}

/** The rates of a pair from `start` to `end`, oldest first. */
export function* ratesBetween(
  series: SeriesCache,
  history: History,
  { pair, fill, start, end }: PairWindow,
): Generator<SeriesRate> {
  for (let day = history.firstDay; day <= end; day += BLOCK_DAYS) {
    if (day + BLOCK_DAYS <= start) continue;
    const block = series.take(history, pair, fill, end, day);
    for (let at = Math.max(0, start - block.firstDay); at < block.source.length; at++) {
      if (!hasValue(block, at)) continue;
      const digits = {
        bytes: block.digits,
        from: block.ends[at] as number,
        to: block.ends[at + 1] as number,
      };
      const flags = block.flags[at] as number;
      yield { day: block.firstDay + at, text: textAt(block, at), digits, flags };
    }
  }
}
