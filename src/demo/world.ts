/** The simulated market: one seeded random walk a currency since 1999, extended day by day, independent of any clock. It can be laid around real figures. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import { COVERAGE_START, type Day, weekdayOf } from "#domain/time/day.ts";
import { ALARMS, CHARACTERS, type Character, FIRST_LEVEL, LEVEL_SPACING, WALKERS } from "./levels.ts";
import { exp, gaussian } from "./random.ts";
import type { RealHistory } from "./real.ts";

export interface World {
  readonly seed: number;
  /** The real figures that the world is laid around; null where it is all simulated. */
  readonly real: RealHistory | null;
  /**
   * Units of a currency per euro. `day` is a weekday not before 1999-01-04; `elapsed` is the part (0 up to 1) of
   * the open market between its 14:15 Frankfurt and the next weekday's. A value never depends on when it is requested.
   */
  perEuro(code: CurrencyCode, day: Day, elapsed?: number): number;
}

/** How far a walk is pulled back to its level each day. */
const PULL = 0.008;
/** No simulated day moves further than this against the anchor, in logarithms. */
const LARGEST_MOVE = 0.07;
/** Halvings of a day inside which quotes still wander: steps of about 1.3 seconds. */
const HALVINGS = 16;
/** Streams of chance beside those of the currencies, which use their column. */
const MOOD = 101;
const FEAR = 102;
const INTRADAY = 200;

const COLUMNS = new Map(WALKERS.map((code, column) => [code, column]));
const WIDTH = WALKERS.length;
const USD = COLUMNS.get("USD") as number;

export function createWorld(seed: number, real: RealHistory | null = null): World {
  /** Logarithmic distance of each currency from its level: row by weekday, column by currency. */
  let walk = new Float64Array(512 * WIDTH);
  let rows = 1;
  /** How lively the market is; one common figure, itself a walk. */
  let mood = 0;
  let dollar = { row: -1, elapsed: 0, value: 1 };
  const known = real === null ? null : knownRates(real);

  return {
    seed,
    real,
    perEuro(code, day, elapsed = 0) {
      if (code === "EUR") return 1;
      const row = rowOf(day);
      if (row + 2 > rows) growTo(row + 2);
      const column = COLUMNS.get(code) as number;
      // A real figure itself, digit for digit.
      const figure = elapsed === 0 && known !== null && row <= known.last ? known.perEuro(column, row) : null;
      if (figure !== null) return figure;
      const value = aroundReal(column, row, elapsed);
      const { anchor } = CHARACTERS[column] as Character;
      return anchor === "EUR" ? value : value * dollarAt(row, elapsed);
    },
  };

  /** Documents have one instant after the other, each with all currencies: the newest value is remembered. */
  function dollarAt(row: number, elapsed: number): number {
    if (row !== dollar.row || elapsed !== dollar.elapsed)
      dollar = { row, elapsed, value: aroundReal(USD, row, elapsed) };
    return dollar.value;
  }

  /** In units of the anchor. Between real figures a bridge; before and after them the walk in proportion to the nearest one. */
  function aroundReal(column: number, row: number, elapsed: number): number {
    const first = known?.firstRow(column) ?? null;
    if (known === null || first === null) return valueAt(column, row, elapsed);
    const { anchor, restlessness } = CHARACTERS[column] as Character;
    const own = (at: number) =>
      (known.perEuro(column, at) ?? 1) / (anchor === "EUR" ? 1 : (known.perEuro(USD, at) ?? 1));
    if (row >= first && row < known.last) {
      const line = own(row) + (own(row + 1) - own(row)) * elapsed;
      return elapsed === 0 ? line : line * exp(bridge(seed, column, row, elapsed) * restlessness * 1e-4);
    }
    const nearest = row < first ? first : known.last;
    if (nearest + 2 > rows) growTo(nearest + 2);
    return (own(nearest) * valueAt(column, row, elapsed)) / valueAt(column, nearest, 0);
  }

  function valueAt(column: number, row: number, elapsed: number): number {
    const from = walk[row * WIDTH + column] as number;
    const character = CHARACTERS[column] as Character;
    if (elapsed === 0) return levelAt(character, dayOfRow(row)) * exp(from);
    const to = walk[(row + 1) * WIDTH + column] as number;
    const wander = bridge(seed, column, row, elapsed) * character.restlessness * 1e-4;
    const level = levelAt(character, dayOfRow(row) + elapsed);
    return level * exp(from + (to - from) * elapsed + wander);
  }

  function growTo(wanted: number): void {
    if (wanted * WIDTH > walk.length) {
      const larger = new Float64Array((wanted + 512) * WIDTH);
      larger.set(walk);
      walk = larger;
    }
    for (; rows < wanted; rows++) {
      mood = mood * 0.97 + gaussian(seed, MOOD, rows) * 0.11;
      const liveliness = 0.88 * exp(Math.max(-0.9, Math.min(0.9, mood))) * alarmOn(dayOfRow(rows)) * 1e-4;
      const fear = gaussian(seed, FEAR, rows);
      for (let column = 0; column < WIDTH; column++) {
        const character = CHARACTERS[column] as Character;
        const own = gaussian(seed, column, rows) * Math.sqrt(1 - character.fear ** 2);
        const move = (own + fear * character.fear) * character.restlessness * liveliness;
        const before = walk[(rows - 1) * WIDTH + column] as number;
        walk[rows * WIDTH + column] =
          before * (1 - PULL) + Math.max(-LARGEST_MOVE, Math.min(LARGEST_MOVE, move));
      }
    }
  }
}

/** The real figures by row, a day without one with those before it. */
function knownRates(real: RealHistory) {
  const last = rowOf(real.lastDay);
  const values = new Float64Array((last + 1) * WIDTH).fill(Number.NaN);
  const firsts = new Map<number, number>();
  for (const day of real.days) {
    const weekday = weekdayOf(day);
    if (weekday === 0 || weekday === 6) continue;
    const row = rowOf(day);
    for (const [column, code] of WALKERS.entries()) {
      const printed = real.printed(code, day);
      if (printed === null) continue;
      values[row * WIDTH + column] = Number(printed);
      if (!firsts.has(column)) firsts.set(column, row);
    }
  }
  for (let at = WIDTH; at < values.length; at++) {
    if (Number.isNaN(values[at])) values[at] = values[at - WIDTH] as number;
  }
  return {
    last,
    firstRow: (column: number): number | null => firsts.get(column) ?? null,
    /** Units per euro; null before a currency's first figure. */
    perEuro: (column: number, row: number): number | null => {
      const value = values[row * WIDTH + column] as number;
      return Number.isNaN(value) ? null : value;
    },
  };
}

/** Weekdays since 1999-01-04, a Monday. */
function rowOf(day: Day): number {
  const days = day - COVERAGE_START;
  const weekday = weekdayOf(day);
  if (days < 0 || weekday === 0 || weekday === 6) throw new RangeError(`no market on day ${day}`);
  return Math.floor(days / 7) * 5 + (days % 7);
}

function dayOfRow(row: number): Day {
  return COVERAGE_START + Math.floor(row / 5) * 7 + (row % 5);
}

function levelAt({ levels }: Character, day: number): number {
  const position = (day - FIRST_LEVEL) / LEVEL_SPACING;
  const before = Math.min(Math.floor(position), levels.length - 1);
  const from = levels[before] as number;
  const to = levels[Math.min(before + 1, levels.length - 1)] as number;
  return from + (to - from) * (position - before);
}

function alarmOn(day: Day): number {
  return ALARMS.find(([from, to]) => day >= from && day <= to)?.[2] ?? 1;
}

/** Brownian bridge by midpoint displacement: 0 at both ends, continuous, about 0.5 wide in the middle. */
function bridge(seed: number, column: number, row: number, elapsed: number): number {
  let [low, high, atLow, atHigh, width, node] = [0, 1, 0, 0, 0.5, 1];
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2;
    const atMiddle = (atLow + atHigh) / 2 + gaussian(seed, INTRADAY + column, row, node) * width;
    if (elapsed === middle) return atMiddle;
    if (elapsed < middle) [high, atHigh, node] = [middle, atMiddle, node * 2];
    else [low, atLow, node] = [middle, atMiddle, node * 2 + 1];
    width *= Math.SQRT1_2;
  }
  return atLow + ((atHigh - atLow) * (elapsed - low)) / (high - low);
}
