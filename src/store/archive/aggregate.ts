/** A date's values of a pair into bars. */

import type { Bar } from "#domain/history/bars.ts";
import { type Day, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import type { Series } from "./legs.ts";
import { roundPrice } from "./round.ts";

export interface Span {
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
