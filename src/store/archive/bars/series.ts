/** Turns the ticks of a date into values of a pair (delivered, inverted, or crossed through the dollar), and these into bars. */

import type { Bar } from "#domain/history/periods.ts";
import { firstNot } from "#domain/number/search.ts";
import { type Day, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { IMPORTED, type Ticks, ticksWhere } from "./ticks.ts";

/** Values of one pair in the order of their ticks. */
export interface Series {
  /** Milliseconds from the start of the date, ascending. */
  readonly observed: Int32Array;
  /** `observed` of the oldest tick in each value. */
  readonly since: Int32Array;
  readonly value: Float64Array;
  /** 1 for a delivered value, 0 for a computed one. */
  readonly isDelivered: Uint8Array;
  /** 1 for a value from an imported file, and for a cross with an imported leg. */
  readonly isImported: Uint8Array;
}

const MINUTE = 60_000;

/** A leg older than this at the other leg's tick makes no cross. */
export const LEG_AGE_MILLISECONDS = 15 * 60_000;

/** Returns the values per dollar, or inverted: in dollars per unit of the currency. */
export function seriesOf(ticks: Ticks, isInverted: boolean): Series {
  const { observed, feed, isInverse, price } = withoutReplaced(ticks);
  const isImported = feed.includes(IMPORTED)
    ? feed.map((position) => (position === IMPORTED ? 1 : 0))
    : new Uint8Array(price.length);
  // Nearly always all ticks have one direction, and cached ones are searched much faster than mapped.
  if (!isInverse.includes(isInverted ? 0 : 1))
    return {
      observed,
      since: observed,
      value: price,
      isDelivered: new Uint8Array(price.length).fill(1),
      isImported,
    };
  const isDelivered = isInverted ? isInverse : isInverse.map((one) => 1 - one);
  const value = price.map((one, at) => (isDelivered[at] === 1 ? one : 1 / one));
  return { observed, since: observed, value, isDelivered, isImported };
}

/** Leaves out imported ticks of minutes in which a live feed has a tick of the same currency. */
function withoutReplaced(ticks: Ticks): Ticks {
  const { observed, feed } = ticks;
  if (!feed.includes(IMPORTED)) return ticks;
  const minuteOf = (at: number) => Math.floor((observed[at] as number) / MINUTE);
  const live = new Set<number>();
  for (const [at, position] of feed.entries()) if (position !== IMPORTED) live.add(minuteOf(at));
  return live.size === 0
    ? ticks
    : ticksWhere(ticks, (at) => feed[at] !== IMPORTED || !live.has(minuteOf(at)));
}

/** A cross's leg on one date, and on the date before it, which gives its last value only. */
interface Leg {
  readonly today: Series;
  readonly before: Series;
}

/**
 * Returns units of the symbol per unit of the base; both legs are given per dollar. Each tick of one leg makes a value when the other
 * leg's latest tick is at most LEG_AGE_MILLISECONDS old. The last tick of an instant counts.
 */
export function crossOf(base: Leg, symbol: Leg): Series {
  const [a, b] = [cursorOf(base), cursorOf(symbol)];
  const observed: number[] = [];
  const since: number[] = [];
  const value: number[] = [];
  const imported: number[] = [];
  while (a.next() < Infinity || b.next() < Infinity) {
    const now = Math.min(a.next(), b.next());
    a.advance(now);
    b.advance(now);
    if (now - a.at() > LEG_AGE_MILLISECONDS || now - b.at() > LEG_AGE_MILLISECONDS) continue;
    observed.push(now);
    since.push(Math.min(a.at(), b.at()));
    value.push(b.value() / a.value());
    imported.push(a.imported() | b.imported());
  }
  return {
    observed: Int32Array.from(observed),
    since: Int32Array.from(since),
    value: Float64Array.from(value),
    isDelivered: new Uint8Array(value.length),
    isImported: Uint8Array.from(imported),
  };
}

function cursorOf({ today, before }: Leg) {
  const { observed, value, isImported } = today;
  const last = before.value.length - 1;
  let at = last < 0 ? -Infinity : (before.observed[last] as number) - MILLISECONDS_PER_DAY;
  let current = last < 0 ? Number.NaN : (before.value[last] as number);
  let imported = before.isImported[last] ?? 0;
  let upcoming = 0;
  return {
    at: () => at,
    value: () => current,
    imported: () => imported,
    next: () => (upcoming < observed.length ? (observed[upcoming] as number) : Infinity),
    advance: (now: number) => {
      for (; upcoming < observed.length && (observed[upcoming] as number) <= now; upcoming++) {
        at = observed[upcoming] as number;
        current = value[upcoming] as number;
        imported = isImported[upcoming] as number;
      }
    },
  };
}

interface Span {
  readonly from: number;
  readonly to: number;
  readonly widthSeconds: number;
}

/**
 * Returns the bars of the ticks in [from, to), ascending; an interval without a tick has no bar. A bar with a computed
 * tick has rounded values. Every mean is rounded, and never leaves the range of its bar.
 */
export function barsOf(date: Day, series: Series, { from, to, widthSeconds }: Span): Bar[] {
  const start = date * MILLISECONDS_PER_DAY;
  const width = widthSeconds * 1000;
  const { observed, since, value, isDelivered, isImported } = series;
  const bars: Bar[] = [];
  let at = firstAtOrAfter(observed, from - start);
  const end = firstAtOrAfter(observed, to - start);
  while (at < end) {
    const opening = Math.floor((observed[at] as number) / width) * width;
    const first = at;
    let [low, high, sum, rest, delivered, imported] = [Infinity, 0, 0, 0, 1, 0];
    for (; at < end && (observed[at] as number) < opening + width; at++) {
      const next = value[at] as number;
      if (next < low) low = next;
      if (next > high) high = next;
      delivered &= isDelivered[at] as number;
      imported |= isImported[at] as number;
      // Two-sum: sum + rest is the exact sum, whatever the order of adding.
      const total = sum + next;
      const part = total - sum;
      rest += sum - (total - part) + (next - part);
      sum = total;
    }
    const ticks = at - first;
    const origin = imported === 1 ? ({ imported: true } as const) : null;
    const price = delivered === 1 ? asDelivered : roundPrice;
    const [lowest, highest] = [price(low), price(high)];
    bars.push({
      start: start + opening,
      since: start + (since[first] as number),
      open: price(value[first] as number),
      high: highest,
      low: lowest,
      close: price(value[at - 1] as number),
      mean: Math.max(lowest, Math.min(highest, roundPrice((sum + rest) / ticks))),
      ticks,
      ...origin,
    });
  }
  return bars;
}

function asDelivered(price: number): number {
  return price;
}

function firstAtOrAfter(ascending: Int32Array, bound: number): number {
  return firstNot(ascending.length, (at) => (ascending[at] as number) < bound);
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

/** Quotients of short decimals are often ties. Their doubles miss the tie by less than this. */
const TIE_WIDTH = 1e-5;

function halfEven(value: number): number {
  const whole = Math.floor(value);
  const rest = value - whole;
  if (Math.abs(rest - 0.5) < TIE_WIDTH) return whole % 2 === 0 ? whole : whole + 1;
  return rest > 0.5 ? whole + 1 : whole;
}
