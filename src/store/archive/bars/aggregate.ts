/** A date's values of a pair into bars. */

import type { Bar } from "#domain/history/bars.ts";
import { type Day, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import type { Series } from "./legs.ts";

interface Span {
  readonly from: number;
  readonly to: number;
  readonly widthSeconds: number;
}

/**
 * Bars of the ticks from `from` up to, not including, `to`, ascending; an interval without a tick has none. Values of
 * a bar in which any tick was computed are rounded, and so is every mean, which never leaves the range of its bar.
 */
export function barsOf(date: Day, series: Series, { from, to, widthSeconds }: Span): Bar[] {
  const start = date * MILLISECONDS_PER_DAY;
  const width = widthSeconds * 1000;
  const { observed, value, isDelivered } = series;
  const bars: Bar[] = [];
  let at = firstAtOrAfter(observed, from - start);
  const end = firstAtOrAfter(observed, to - start);
  while (at < end) {
    const opening = Math.floor((observed[at] as number) / width) * width;
    const first = at;
    let [low, high, sum, rest, delivered] = [Infinity, 0, 0, 0, 1];
    for (; at < end && (observed[at] as number) < opening + width; at++) {
      const next = value[at] as number;
      if (next < low) low = next;
      if (next > high) high = next;
      delivered &= isDelivered[at] as number;
      // Two-sum: sum + rest is the exact sum, so that no order of adding could give another.
      const total = sum + next;
      const part = total - sum;
      rest += sum - (total - part) + (next - part);
      sum = total;
    }
    const ticks = at - first;
    const price = delivered === 1 ? asDelivered : roundPrice;
    const open = price(value[first] as number);
    if (ticks === 1) {
      bars.push({ start: start + opening, open, high: open, low: open, close: open, mean: open, ticks });
      continue;
    }
    const [lowest, highest] = [price(low), price(high)];
    bars.push({
      start: start + opening,
      open,
      high: highest,
      low: lowest,
      close: price(value[at - 1] as number),
      mean: Math.max(lowest, Math.min(highest, roundPrice((sum + rest) / ticks))),
      ticks,
    });
  }
  return bars;
}

function asDelivered(price: number): number {
  return price;
}

function firstAtOrAfter(ascending: Int32Array, bound: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] as number) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Significant digits of a computed price (as of every inverse and cross of the product). */
const PRICE_DIGITS = 10;

const TENS: readonly number[] = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/** A positive double rounded half-even to PRICE_DIGITS significant digits (fewer below 1e-13; whole numbers above 1e9). */
function roundPrice(value: number): number {
  let scale = Math.min(22, Math.max(0, PRICE_DIGITS - 1 - Math.floor(Math.log10(value))));
  // Near a power of ten the logarithm may err by one.
  const guess = value * (TENS[scale] as number);
  if (guess >= 1e10 && scale > 0) scale -= 1;
  else if (guess < 1e9 && scale < 22) scale += 1;
  const power = TENS[scale] as number;
  return halfEven(value * power) / power;
}

/** Quotients of short decimals often lie exactly between two: their doubles miss the tie by less than this. */
const TIE_WIDTH = 1e-5;

function halfEven(value: number): number {
  const whole = Math.floor(value);
  const rest = value - whole;
  if (Math.abs(rest - 0.5) < TIE_WIDTH) return whole % 2 === 0 ? whole : whole + 1;
  return rest > 0.5 ? whole + 1 : whole;
}
