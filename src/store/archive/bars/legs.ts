/** From the ticks of a date to values of the wanted pair: as delivered, inverted, or two currencies crossed through the dollar. */

import { MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { inOrder, type Ticks } from "./ticks.ts";

/** Values of one pair in the order of their ticks. */
export interface Series {
  /** Milliseconds from the start of the date, ascending. */
  readonly observed: Int32Array;
  readonly value: Float64Array;
  /** 1 where the value is as delivered, 0 where it was computed. */
  readonly isDelivered: Uint8Array;
}

/** A leg older than this at the other leg's tick makes no cross. */
export const LEG_AGE_MILLISECONDS = 15 * 60_000;

/** Ticks of one pair, of which the wanted value is either the mid itself or its reciprocal. */
export interface Part {
  readonly ticks: Ticks;
  readonly isInverse: boolean;
}

/** All ticks of the parts in order of observation, then retrieval, then feed, then part. */
export function seriesOf(parts: readonly Part[]): Series {
  const filled = parts.filter(({ ticks }) => ticks.mid.length > 0);
  const [only] = filled;
  if (only === undefined)
    return { observed: new Int32Array(0), value: new Float64Array(0), isDelivered: new Uint8Array(0) };
  if (filled.length === 1) {
    const { observed, mid } = only.ticks;
    return { observed, ...valuesOf(mid, only.isInverse) };
  }
  const count = filled.reduce((sum, { ticks }) => sum + ticks.mid.length, 0);
  const observed = new Int32Array(count);
  const lag = new Int32Array(count);
  const feed = new Uint8Array(count);
  // The position of each tick in the concatenation, carried through the sort as if it were the price.
  const position = new Float64Array(count);
  const value = new Float64Array(count);
  const isDelivered = new Uint8Array(count);
  let at = 0;
  for (const { ticks, isInverse } of filled) {
    observed.set(ticks.observed, at);
    lag.set(ticks.lag, at);
    feed.set(ticks.feed, at);
    const values = valuesOf(ticks.mid, isInverse);
    value.set(values.value, at);
    isDelivered.set(values.isDelivered, at);
    at += ticks.mid.length;
  }
  for (let index = 0; index < count; index++) position[index] = index;
  const sorted = inOrder({ observed, lag, feed, mid: position });
  return {
    observed: sorted.observed,
    value: sorted.mid.map((index) => value[index] as number),
    isDelivered: Uint8Array.from(sorted.mid, (index) => isDelivered[index] as number),
  };
}

function valuesOf(mid: Float64Array, isInverse: boolean): Pick<Series, "value" | "isDelivered"> {
  return isInverse
    ? { value: mid.map((price) => 1 / price), isDelivered: new Uint8Array(mid.length) }
    : { value: mid, isDelivered: new Uint8Array(mid.length).fill(1) };
}

/** One date of a leg of a cross, and the last value of the date before it. */
interface Leg {
  readonly today: Series;
  readonly before: Series;
}

/**
 * Units of the symbol per unit of the base, both given per dollar, at each instant at which either has a tick and the
 * other's latest is at most LEG_AGE_MILLISECONDS old. Ticks of one instant count as one, the last of them.
 */
export function crossOf(base: Leg, symbol: Leg): Series {
  const [a, b] = [cursorOf(base), cursorOf(symbol)];
  const observed: number[] = [];
  const value: number[] = [];
  while (a.next() < Infinity || b.next() < Infinity) {
    const now = Math.min(a.next(), b.next());
    a.advance(now);
    b.advance(now);
    if (now - a.at() > LEG_AGE_MILLISECONDS || now - b.at() > LEG_AGE_MILLISECONDS) continue;
    observed.push(now);
    value.push(b.value() / a.value());
  }
  return {
    observed: Int32Array.from(observed),
    value: Float64Array.from(value),
    isDelivered: new Uint8Array(value.length),
  };
}

function cursorOf({ today, before }: Leg) {
  const { observed, value } = today;
  const last = before.value.length - 1;
  let at = last < 0 ? -Infinity : (before.observed[last] as number) - MILLISECONDS_PER_DAY;
  let current = last < 0 ? Number.NaN : (before.value[last] as number);
  let upcoming = 0;
  return {
    at: () => at,
    value: () => current,
    next: () => (upcoming < observed.length ? (observed[upcoming] as number) : Infinity),
    advance: (now: number) => {
      for (; upcoming < observed.length && (observed[upcoming] as number) <= now; upcoming++) {
        at = observed[upcoming] as number;
        current = value[upcoming] as number;
      }
    },
  };
}
