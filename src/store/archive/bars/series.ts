/** Turns the ticks of a date into values of a pair (delivered, inverted, or crossed through the dollar), and these into bars. */

import type { Bar } from "#domain/history/periods.ts";
import type { Instant } from "#domain/time/day.ts";
import { compareTicks, IMPORTED, type Tick, type Ticks } from "./ticks.ts";

interface Value {
  readonly at: Instant;
  readonly value: number;
  /** False for a computed value. */
  readonly isDelivered: boolean;
  /** Of a file of quotes; of a cross also where one leg is. */
  readonly isImported: boolean;
}

/** Values of one pair in the order of their ticks. */
export type Series = readonly Value[];

const MINUTE = 60_000;

/** A leg older than this at the other leg's tick makes no cross. */
export const LEG_AGE_MILLISECONDS = 15 * 60_000;

/** Ticks of one pair; the value is the price or its reciprocal. */
export interface Part {
  readonly ticks: Ticks;
  readonly isInverse: boolean;
}

/** Merges the ticks of all parts, in order of observation, retrieval, feed, then part. */
export function seriesOf(parts: readonly Part[]): Series {
  return parts
    .flatMap(({ ticks, isInverse }) => ticks.map((tick) => ({ tick, isInverse })))
    .filter(notReplaced(parts))
    .sort((a, b) => compareTicks(a.tick, b.tick))
    .map(({ tick: { observedAt, price, feed }, isInverse }) => ({
      at: observedAt,
      value: isInverse ? 1 / price : price,
      isDelivered: !isInverse,
      isImported: feed === IMPORTED,
    }));
}

/** Leaves out imported ticks of minutes in which a live feed has a tick of the same currency: what it said counts. */
function notReplaced(parts: readonly Part[]): (one: { readonly tick: Tick }) => boolean {
  if (!parts.some(({ ticks }) => ticks.some(({ feed }) => feed === IMPORTED))) return () => true;
  const minuteOf = ({ observedAt }: Tick) => Math.floor(observedAt / MINUTE);
  const live = parts.flatMap(({ ticks }) => ticks.filter(({ feed }) => feed !== IMPORTED));
  const minutes = new Set(live.map(minuteOf));
  return ({ tick }) => tick.feed !== IMPORTED || !minutes.has(minuteOf(tick));
}

/** One date of a cross's leg, and the date before it. */
interface Leg {
  readonly today: Series;
  readonly before: Series;
}

/**
 * Returns units of the symbol per unit of the base, both given per dollar, at each instant at which one has a tick and
 * the other's latest is at most LEG_AGE_MILLISECONDS old. The last tick of an instant counts.
 */
export function crossOf(base: Leg, symbol: Leg): Series {
  const [baseUntil, symbolUntil] = [lastUntil(base), lastUntil(symbol)];
  const instants = new Set([...base.today, ...symbol.today].map(({ at }) => at));
  return [...instants]
    .sort((a, b) => a - b)
    .flatMap((at) => {
      const [a, b] = [baseUntil(at), symbolUntil(at)];
      if (a === undefined || b === undefined || at - Math.min(a.at, b.at) > LEG_AGE_MILLISECONDS) return [];
      const isImported = a.isImported || b.isImported;
      return [{ at, value: b.value / a.value, isDelivered: false, isImported }];
    });
}

/** Finds the last value up to an instant. The instants of its calls ascend. */
function lastUntil({ today, before }: Leg): (at: Instant) => Value | undefined {
  let last = before.at(-1);
  let upcoming = 0;
  return (at) => {
    for (let next = today[upcoming]; next !== undefined && next.at <= at; next = today[upcoming]) {
      last = next;
      upcoming += 1;
    }
    return last;
  };
}

interface Span {
  readonly from: Instant;
  readonly to: Instant;
  /** Divides a day. */
  readonly widthSeconds: number;
}

/**
 * Returns the bars of the ticks in [from, to), ascending; an interval without a tick has no bar. A bar with a computed
 * tick has rounded values. Every mean is rounded, and never leaves the range of its bar.
 */
export function barsOf(series: Series, { from, to, widthSeconds }: Span): Bar[] {
  const width = widthSeconds * 1000;
  const byStart = Map.groupBy(
    series.filter(({ at }) => at >= from && at < to),
    ({ at }) => Math.floor(at / width) * width,
  );
  return [...byStart].map(([start, values]) => {
    let [low, high, sum, rest] = [Infinity, 0, 0, 0];
    for (const { value } of values) {
      if (value < low) low = value;
      if (value > high) high = value;
      // Two-sum: sum + rest is the exact sum, whatever the order of adding.
      const total = sum + value;
      const part = total - sum;
      rest += sum - (total - part) + (value - part);
      sum = total;
    }
    const isDelivered = values.every((one) => one.isDelivered);
    const price = (value: number) => (isDelivered ? value : roundPrice(value));
    const [lowest, highest] = [price(low), price(high)];
    return {
      start,
      open: price(values[0]?.value as number),
      high: highest,
      low: lowest,
      close: price(values.at(-1)?.value as number),
      mean: Math.max(lowest, Math.min(highest, roundPrice((sum + rest) / values.length))),
      ticks: values.length,
      ...(values.some(({ isImported }) => isImported) && { imported: true as const }),
    };
  });
}

/** Significant digits of a computed price, as in every inverse and cross of the product. */
const PRICE_DIGITS = 10;

const TENS: readonly number[] = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/** Rounds a positive double half-even to PRICE_DIGITS significant digits (fewer below 1e-13; whole numbers above 1e9). */
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
