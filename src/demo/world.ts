/** The simulated market: a seeded path for each currency since 1999, independent of any clock, also around real figures. */

import { CURRENCY_CODES, type CurrencyCode } from "#domain/currency/currency.ts";
import { COVERAGE_START, type Day, parseDay, weekdayOf } from "#domain/time/day.ts";

interface Character {
  /** The currency that this one's level is expressed in. */
  readonly anchor: "EUR" | "USD";
  /** Typical move from one fixing to the next against the anchor, in basis points. */
  readonly restlessness: number;
  /** Units per anchor on 1 January 1999, 2002 … 2026; straight lines between. */
  readonly levels: readonly number[];
}

/** Days between two levels: three years. */
const LEVEL_SPACING = 1095.75;
/** 1999-01-01, the day of the first level. */
const FIRST_LEVEL: Day = COVERAGE_START - 3;

// biome-ignore format: one currency a line reads as a table
const TABLE: Record<Exclude<CurrencyCode, "EUR">, readonly [Character["anchor"], number, ...number[]]> = {
  USD: ["EUR", 54, 1.12, 0.9, 1.32, 1.44, 1.34, 1.35, 1.08, 1.12, 1.08, 1.17],
  JPY: ["EUR", 60, 125, 117, 138, 156, 112, 140, 123, 122, 143, 182],
  CZK: ["EUR", 27, 35.5, 31.6, 30.2, 26.5, 25, 27.3, 26.9, 25.5, 24.2, 24.3],
  DKK: ["EUR", 0.5, 7.441, 7.435, 7.439, 7.455, 7.454, 7.46, 7.437, 7.47, 7.439, 7.47],
  GBP: ["EUR", 40, 0.69, 0.62, 0.7, 0.75, 0.855, 0.83, 0.86, 0.855, 0.885, 0.87],
  HUF: ["EUR", 45, 252, 245, 247, 254, 278, 298, 309, 332, 395, 382],
  PLN: ["EUR", 44, 4, 3.65, 4.05, 3.65, 3.95, 4.16, 4.38, 4.28, 4.65, 4.24],
  RON: ["EUR", 20, 1.3, 2.8, 3.85, 3.62, 4.26, 4.48, 4.53, 4.78, 4.93, 5.09],
  SEK: ["EUR", 36, 9, 9.25, 9, 9.4, 9, 8.9, 9.6, 10.45, 11.15, 10.9],
  CHF: ["EUR", 30, 1.605, 1.48, 1.545, 1.64, 1.26, 1.225, 1.075, 1.083, 0.99, 0.93],
  ISK: ["EUR", 40, 80, 90, 83.5, 92, 155, 156, 119, 137, 151, 144],
  NOK: ["EUR", 44, 8.6, 7.95, 8.2, 8, 7.8, 8.4, 9.1, 9.9, 10.6, 11.5],
  TRY: ["EUR", 72, 0.7, 1.3, 1.82, 1.75, 2.1, 2.95, 3.75, 6.7, 20, 49],
  AUD: ["EUR", 52, 1.8, 1.72, 1.73, 1.67, 1.33, 1.53, 1.46, 1.6, 1.57, 1.72],
  BRL: ["USD", 78, 1.6, 2.4, 2.65, 1.8, 1.68, 2.35, 3.25, 4.05, 5.25, 5.4],
  CAD: ["USD", 42, 1.52, 1.58, 1.21, 1, 1, 1.08, 1.33, 1.31, 1.355, 1.375],
  CNY: ["USD", 6, 8.277, 8.277, 8.27, 7.3, 6.6, 6.07, 6.93, 6.96, 6.92, 6.99],
  HKD: ["USD", 2, 7.76, 7.795, 7.785, 7.795, 7.775, 7.76, 7.765, 7.79, 7.81, 7.795],
  IDR: ["USD", 38, 8800, 10200, 9400, 9450, 9100, 12000, 13400, 13950, 15500, 16700],
  ILS: ["USD", 36, 4.1, 4.5, 4.35, 3.85, 3.56, 3.5, 3.83, 3.48, 3.55, 3.22],
  INR: ["USD", 26, 42.6, 48.1, 43.7, 39.8, 45, 61.5, 67.7, 71.4, 82.5, 90],
  KRW: ["USD", 46, 1190, 1300, 1040, 945, 1125, 1060, 1185, 1158, 1270, 1450],
  MXN: ["USD", 58, 9.9, 9.2, 11.2, 10.9, 12.3, 13.1, 20.3, 18.9, 19.3, 17.9],
  MYR: ["USD", 16, 3.8, 3.8, 3.8, 3.32, 3.08, 3.28, 4.43, 4.1, 4.4, 4.06],
  NZD: ["EUR", 54, 2.08, 2.06, 1.88, 1.9, 1.74, 1.67, 1.53, 1.67, 1.69, 2.01],
  PHP: ["USD", 25, 38.7, 51.4, 55.8, 41.5, 43.8, 44.5, 49.6, 50.8, 55.6, 58.8],
  SGD: ["USD", 22, 1.68, 1.84, 1.64, 1.44, 1.29, 1.265, 1.43, 1.347, 1.34, 1.287],
  THB: ["USD", 30, 36.8, 43.9, 39, 33.6, 30.2, 32.8, 35.6, 30.2, 34.4, 31.5],
  TWD: ["USD", 21, 32.5, 34.9, 31.9, 32.3, 29.4, 30, 32.1, 30.1, 30.7, 31.4],
  ZAR: ["EUR", 76, 6.8, 10.2, 7.6, 10, 9, 14.4, 14.4, 15.7, 18.2, 19.4],
};

/** Everything but the euro, alphabetical; the position is the column. */
const WALKERS: readonly CurrencyCode[] = CURRENCY_CODES.filter((code) => code !== "EUR");

const CHARACTERS: readonly Character[] = WALKERS.map((code) => {
  const [anchor, restlessness, ...levels] = TABLE[code as keyof typeof TABLE];
  return { anchor, restlessness, levels };
});

export type World = ReturnType<typeof createWorld>;

/** A currency is at its level at the ends of so many weekdays, two years, and wanders between them. */
const SPAN = 512;
/** How often a span is halved for the path: nine times give days, the last steps take about 1.3 seconds. */
const HALVINGS = 25;

const COLUMNS = new Map(WALKERS.map((code, column) => [code, column]));
const WIDTH = WALKERS.length;
const USD = COLUMNS.get("USD") as number;

/** `real` are the figures that the world is laid around; null where it is all simulated. */
export function createWorld(seed: number, real: RealHistory | null = null) {
  let dollar = { row: -1, elapsed: 0, value: 1 };
  const facts = real === null ? null : knownRates(real);

  return {
    real,
    /**
     * Units of a currency per euro. `day` is a weekday not before 1999-01-04; `elapsed` is the part (0 up to 1) of
     * the open market between its 14:15 Frankfurt and the next weekday's. A value never depends on when it is requested.
     */
    perEuro(code: CurrencyCode, day: Day, elapsed = 0): number {
      if (code === "EUR") return 1;
      const row = rowOf(day);
      const column = COLUMNS.get(code) as number;
      // A real figure itself, digit for digit.
      const figure = elapsed === 0 && facts !== null && row <= facts.last ? facts.perEuro(column, row) : null;
      if (figure !== null) return figure;
      const value = aroundReal(column, row, elapsed);
      const { anchor } = CHARACTERS[column] as Character;
      return anchor === "EUR" ? value : value * dollarAt(row, elapsed);
    },
  };

  /** The newest value is remembered: documents have one instant after the other, each with all currencies. */
  function dollarAt(row: number, elapsed: number): number {
    if (row !== dollar.row || elapsed !== dollar.elapsed)
      dollar = { row, elapsed, value: aroundReal(USD, row, elapsed) };
    return dollar.value;
  }

  /** In units of the anchor: a bridge between real figures, and before and after them the simulated path, scaled to the nearest one. */
  function aroundReal(column: number, row: number, elapsed: number): number {
    const first = facts?.firstRow(column) ?? null;
    if (facts === null || first === null) return valueAt(column, row, elapsed);
    const { anchor } = CHARACTERS[column] as Character;
    const own = (at: number) =>
      (facts.perEuro(column, at) ?? 1) / (anchor === "EUR" ? 1 : (facts.perEuro(USD, at) ?? 1));
    if (row >= first && row < facts.last) {
      if (elapsed === 0) return own(row);
      const between = (from: number, to: number) => from + (to - from) * elapsed;
      const ends = between(distanceAt(column, row), distanceAt(column, row + 1));
      return between(own(row), own(row + 1)) * exp(distanceAt(column, row + elapsed) - ends);
    }
    const nearest = row < first ? first : facts.last;
    return (own(nearest) * valueAt(column, row, elapsed)) / valueAt(column, nearest, 0);
  }

  function valueAt(column: number, row: number, elapsed: number): number {
    const level = levelAt(CHARACTERS[column] as Character, dayOfRow(row) + elapsed);
    return level * exp(distanceAt(column, row + elapsed));
  }

  /** The logarithmic distance of a currency from its level. */
  function distanceAt(column: number, position: number): number {
    const { restlessness } = CHARACTERS[column] as Character;
    const span = Math.floor(position / SPAN);
    return bridge(seed, column, span, position / SPAN - span) * Math.sqrt(SPAN) * restlessness * 1e-4;
  }
}

/** The real figures by row; a day without figures has those of the day before. */
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

/** Brownian bridge by midpoint displacement: 0 at both ends, continuous, about 0.5 wide in the middle. */
function bridge(seed: number, column: number, span: number, elapsed: number): number {
  let [low, high, atLow, atHigh, width, node] = [0, 1, 0, 0, 0.5, 1];
  if (elapsed === 0) return 0;
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2;
    const atMiddle = (atLow + atHigh) / 2 + gaussian(seed, column, span, node) * width;
    if (elapsed === middle) return atMiddle;
    if (elapsed < middle) [high, atHigh, node] = [middle, atMiddle, node * 2];
    else [low, atLow, node] = [middle, atMiddle, node * 2 + 1];
    width *= Math.SQRT1_2;
  }
  return atLow + ((atHigh - atLow) * (elapsed - low)) / (high - low);
}

/** Mixes four integers into 32 well-spread bits. Integer arithmetic only: the same on every machine. */
function hash(seed: number, stream: number, step: number, node: number): number {
  let h = Math.imul(seed | 0, 0x9e3779b1) ^ Math.imul(stream + 1, 0x85ebca6b);
  h = scramble(h ^ Math.imul(step + 1, 0xc2b2ae35));
  return scramble(h ^ Math.imul(node + 1, 0x27d4eb2f));
}

/** Standard normal in shape, cut at ±3.46: the sum of four 16-bit uniforms. */
function gaussian(seed: number, stream: number, step: number, node: number): number {
  const a = hash(seed, stream, step, node);
  const b = scramble(a ^ 0x5bd1e995);
  const sum = (a & 0xffff) + (a >>> 16) + (b & 0xffff) + (b >>> 16);
  return (sum / 65_536 - 2) * SQRT_3;
}

/**
 * e^x for |x| ≤ 1, by its series. Math.exp may differ in the last bit between machines, and a simulated
 * document must have the same bytes everywhere.
 */
function exp(x: number): number {
  let sum = 1;
  // Further terms do not reach the last bit.
  for (let n = Math.abs(x) < 0.25 ? 11 : 18; n > 0; n--) sum = 1 + (x * sum) / n;
  return sum;
}

const SQRT_3 = Math.sqrt(3);

function scramble(bits: number): number {
  let h = bits ^ (bits >>> 16);
  h = Math.imul(h, 0x7feb352d);
  h ^= h >>> 15;
  h = Math.imul(h, 0x846ca68b);
  return (h ^ (h >>> 16)) >>> 0;
}

export type RealHistory = ReturnType<typeof readRealHistory>;

/** `csv` is eurofxref-hist.csv: a row a day, newest first, and a column a currency. */
export function readRealHistory(csv: string) {
  const [head = "", ...lines] = csv.split("\n");
  const places = new Map(head.split(",").map((code, place) => [code.trim(), place]));
  const rows = new Map<Day, string | readonly string[]>();
  for (const line of lines) {
    const day = parseDay(line.slice(0, 10));
    if (day !== null) rows.set(day, line);
  }
  const days = [...rows.keys()].reverse();
  const cellsOf = (day: Day): readonly string[] => {
    const row = rows.get(day) ?? [];
    const cells = typeof row === "string" ? row.split(",") : row;
    if (typeof row === "string") rows.set(day, cells);
    return cells;
  };
  return {
    lastDay: days.at(-1) as Day,
    days,
    /** The digits as published; null where the ECB has no figure. */
    printed: (code: string, day: Day) => {
      const cell = cellsOf(day)[places.get(code) ?? -1]?.trim() ?? "";
      return cell === "" || cell === "N/A" ? null : cell;
    },
  };
}
