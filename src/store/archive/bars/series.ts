/** Turns the ticks of a date into values of a pair (delivered, inverted, or crossed through the dollar), and these into bars. */

import type { Bar } from "#domain/history/periods.ts";
import { powerOfTen } from "#domain/number/decimal.ts";
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
  /** The value without the error of a double. */
  readonly exact: (at: number) => Ratio;
  /** 1 for a delivered value, 0 for a computed one. */
  readonly isDelivered: Uint8Array;
  /** 1 for a value from an imported file, and for a cross with an imported leg. */
  readonly isImported: Uint8Array;
}

/** Numerator and denominator. */
type Ratio = readonly [bigint, bigint];

const MINUTE = 60_000;

/** A leg older than this at the other leg's tick makes no cross. */
export const LEG_AGE_MILLISECONDS = 15 * 60_000;

/** Returns the values per dollar, or inverted: in dollars per unit of the currency. */
export function seriesOf(ticks: Ticks, isInverted: boolean): Series {
  const { observed, feed, isInverse, price } = withoutReplaced(ticks);
  const exact = (at: number): Ratio => {
    const [top, bottom] = ratioOf(price[at] as number);
    return (isInverse[at] === 1) === isInverted ? [top, bottom] : [bottom, top];
  };
  const isImported = feed.includes(IMPORTED)
    ? feed.map((position) => (position === IMPORTED ? 1 : 0))
    : new Uint8Array(price.length);
  // Nearly always all ticks have this direction. Cached arrays are used as they are: mapped copies are searched more slowly.
  if (!isInverse.includes(isInverted ? 0 : 1))
    return {
      observed,
      since: observed,
      value: price,
      exact,
      isDelivered: new Uint8Array(price.length).fill(1),
      isImported,
    };
  const isDelivered = isInverted ? isInverse : isInverse.map((one) => 1 - one);
  const value = price.map((one, at) => (isDelivered[at] === 1 ? one : 1 / one));
  return { observed, since: observed, value, exact, isDelivered, isImported };
}

/** A delivered price: its double has the digits of one decimal of at most 15. */
function ratioOf(price: number): Ratio {
  const [digits = "", exponent] = price.toExponential(14).replace(".", "").split("e");
  const scale = 14 - Number(exponent);
  return [BigInt(digits) * powerOfTen(Math.max(0, -scale)), powerOfTen(Math.max(0, scale))];
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
    exact: (at) => {
      const [[over, under], [top, bottom]] = [base, symbol].map((leg) =>
        exactUpTo(leg, observed[at] as number),
      ) as [Ratio, Ratio];
      return [top * under, bottom * over];
    },
    isDelivered: new Uint8Array(value.length),
    isImported: Uint8Array.from(imported),
  };
}

/** The leg's value at an instant of its date. */
function exactUpTo({ today, before }: Leg, now: number): Ratio {
  const at = firstAtOrAfter(today.observed, now + 1) - 1;
  return at >= 0 ? today.exact(at) : before.exact(before.value.length - 1);
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
  const { observed, since, value, exact, isDelivered, isImported } = series;
  const bars: Bar[] = [];
  let at = firstAtOrAfter(observed, from - start);
  const end = firstAtOrAfter(observed, to - start);
  while (at < end) {
    const opening = Math.floor((observed[at] as number) / width) * width;
    const first = at;
    let [low, high, sum, rest, delivered, imported] = [at, at, 0, 0, 1, 0];
    for (; at < end && (observed[at] as number) < opening + width; at++) {
      const next = value[at] as number;
      if (next < (value[low] as number)) low = at;
      if (next > (value[high] as number)) high = at;
      delivered &= isDelivered[at] as number;
      imported |= isImported[at] as number;
      // Two-sum: sum + rest is the exact sum, whatever the order of adding.
      const total = sum + next;
      const part = total - sum;
      rest += sum - (total - part) + (next - part);
      sum = total;
    }
    const [ticks, last] = [at - first, at - 1];
    const origin = imported === 1 ? ({ imported: true } as const) : null;
    const price = (of: number) =>
      delivered === 1 ? (value[of] as number) : roundPrice(value[of] as number, () => exact(of));
    const mean = roundPrice((sum + rest) / ticks, () => exactMean(exact, first, ticks));
    const [lowest, highest] = [price(low), price(high)];
    bars.push({
      start: start + opening,
      since: start + (since[first] as number),
      open: price(first),
      high: highest,
      low: lowest,
      close: price(last),
      mean: Math.max(lowest, Math.min(highest, mean)),
      ticks,
      ...origin,
    });
  }
  return bars;
}

/** Places of a sum of ratios that do not end. A sum that ends within MEAN_PLACES is exact. */
const SUM_PLACES = 60;
const MEAN_PLACES = 40;

function exactMean(exact: Series["exact"], first: number, ticks: number): Ratio {
  let sum = 0n;
  for (let at = first; at < first + ticks; at++) {
    const [top, bottom] = exact(at);
    sum += (top * powerOfTen(SUM_PLACES)) / bottom;
  }
  const more = powerOfTen(SUM_PLACES - MEAN_PLACES);
  return [(sum + more / 2n) / more, BigInt(ticks) * powerOfTen(MEAN_PLACES)];
}

function firstAtOrAfter(ascending: Int32Array, bound: number): number {
  return firstNot(ascending.length, (at) => (ascending[at] as number) < bound);
}

/** Significant digits of a computed price, as in every inverse and cross of the product. */
const PRICE_DIGITS = 10;

const TENS: readonly number[] = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/** Rounds a positive double half-even to PRICE_DIGITS significant digits (fewer below 1e-13; whole numbers above 1e9). `exact` is asked near a tie. */
function roundPrice(value: number, exact: () => Ratio): number {
  let scale = Math.min(22, Math.max(0, PRICE_DIGITS - 1 - Math.floor(Math.log10(value))));
  // Near a power of ten the logarithm may err by one.
  const guess = value * (TENS[scale] as number);
  if (guess >= 1e10 && scale > 0) scale -= 1;
  else if (guess < 1e9 && scale < 22) scale += 1;
  const power = TENS[scale] as number;
  const whole = Math.floor(value * power);
  const rest = value * power - whole;
  if (Math.abs(rest - 0.5) >= TIE_WIDTH) return (rest > 0.5 ? whole + 1 : whole) / power;
  const [top, bottom] = exact();
  const beyond = 2n * top * powerOfTen(scale) - (2n * BigInt(whole) + 1n) * bottom;
  return (beyond > 0n || (beyond === 0n && whole % 2 === 1) ? whole + 1 : whole) / power;
}

/** Quotients of short decimals are often ties. Their doubles miss the exact value by less than this. */
const TIE_WIDTH = 1e-5;
