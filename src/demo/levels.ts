/** The outline of the simulated market: rough levels every three years, and the volatility of each currency. */

import { CURRENCY_CODES, type CurrencyCode } from "#domain/currency/currency.ts";
import { COVERAGE_START, type Day, parseDay } from "#domain/time/day.ts";

export interface Character {
  /** The currency that this one's level is expressed in. */
  readonly anchor: "EUR" | "USD";
  /** Typical move from one fixing to the next against the anchor, in basis points. */
  readonly restlessness: number;
  /** Share of the move that all currencies make together when fear rises; negative for havens. */
  readonly fear: number;
  /** Units per anchor on 1 January 1999, 2002 … 2026; straight lines between. */
  readonly levels: readonly number[];
}

/** Days between two levels: three years. */
export const LEVEL_SPACING = 1095.75;
/** 1999-01-01, the day of the first level. */
export const FIRST_LEVEL: Day = COVERAGE_START - 3;

// biome-ignore format: one currency a line reads as a table
const TABLE: Record<Exclude<CurrencyCode, "EUR">, readonly [Character["anchor"], number, number, ...number[]]> = {
  USD: ["EUR", 54, -0.2, 1.12, 0.9, 1.32, 1.44, 1.34, 1.35, 1.08, 1.12, 1.08, 1.17],
  JPY: ["EUR", 60, -0.5, 125, 117, 138, 156, 112, 140, 123, 122, 143, 182],
  CZK: ["EUR", 27, 0.4, 35.5, 31.6, 30.2, 26.5, 25, 27.3, 26.9, 25.5, 24.2, 24.3],
  DKK: ["EUR", 0.5, 0, 7.441, 7.435, 7.439, 7.455, 7.454, 7.46, 7.437, 7.47, 7.439, 7.47],
  GBP: ["EUR", 40, 0.2, 0.69, 0.62, 0.7, 0.75, 0.855, 0.83, 0.86, 0.855, 0.885, 0.87],
  HUF: ["EUR", 45, 0.5, 252, 245, 247, 254, 278, 298, 309, 332, 395, 382],
  PLN: ["EUR", 44, 0.5, 4, 3.65, 4.05, 3.65, 3.95, 4.16, 4.38, 4.28, 4.65, 4.24],
  RON: ["EUR", 20, 0.4, 1.3, 2.8, 3.85, 3.62, 4.26, 4.48, 4.53, 4.78, 4.93, 5.09],
  SEK: ["EUR", 36, 0.5, 9, 9.25, 9, 9.4, 9, 8.9, 9.6, 10.45, 11.15, 10.9],
  CHF: ["EUR", 30, -0.5, 1.605, 1.48, 1.545, 1.64, 1.26, 1.225, 1.075, 1.083, 0.99, 0.93],
  ISK: ["EUR", 40, 0.3, 80, 90, 83.5, 92, 155, 156, 119, 137, 151, 144],
  NOK: ["EUR", 44, 0.5, 8.6, 7.95, 8.2, 8, 7.8, 8.4, 9.1, 9.9, 10.6, 11.5],
  TRY: ["EUR", 72, 0.4, 0.7, 1.3, 1.82, 1.75, 2.1, 2.95, 3.75, 6.7, 20, 49],
  AUD: ["EUR", 52, 0.6, 1.8, 1.72, 1.73, 1.67, 1.33, 1.53, 1.46, 1.6, 1.57, 1.72],
  BRL: ["USD", 78, 0.6, 1.6, 2.4, 2.65, 1.8, 1.68, 2.35, 3.25, 4.05, 5.25, 5.4],
  CAD: ["USD", 42, 0.5, 1.52, 1.58, 1.21, 1, 1, 1.08, 1.33, 1.31, 1.355, 1.375],
  CNY: ["USD", 6, 0.3, 8.277, 8.277, 8.27, 7.3, 6.6, 6.07, 6.93, 6.96, 6.92, 6.99],
  HKD: ["USD", 2, 0.2, 7.76, 7.795, 7.785, 7.795, 7.775, 7.76, 7.765, 7.79, 7.81, 7.795],
  IDR: ["USD", 38, 0.5, 8800, 10200, 9400, 9450, 9100, 12000, 13400, 13950, 15500, 16700],
  ILS: ["USD", 36, 0.3, 4.1, 4.5, 4.35, 3.85, 3.56, 3.5, 3.83, 3.48, 3.55, 3.22],
  INR: ["USD", 26, 0.5, 42.6, 48.1, 43.7, 39.8, 45, 61.5, 67.7, 71.4, 82.5, 90],
  KRW: ["USD", 46, 0.6, 1190, 1300, 1040, 945, 1125, 1060, 1185, 1158, 1270, 1450],
  MXN: ["USD", 58, 0.6, 9.9, 9.2, 11.2, 10.9, 12.3, 13.1, 20.3, 18.9, 19.3, 17.9],
  MYR: ["USD", 16, 0.4, 3.8, 3.8, 3.8, 3.32, 3.08, 3.28, 4.43, 4.1, 4.4, 4.06],
  NZD: ["EUR", 54, 0.6, 2.08, 2.06, 1.88, 1.9, 1.74, 1.67, 1.53, 1.67, 1.69, 2.01],
  PHP: ["USD", 25, 0.4, 38.7, 51.4, 55.8, 41.5, 43.8, 44.5, 49.6, 50.8, 55.6, 58.8],
  SGD: ["USD", 22, 0.5, 1.68, 1.84, 1.64, 1.44, 1.29, 1.265, 1.43, 1.347, 1.34, 1.287],
  THB: ["USD", 30, 0.4, 36.8, 43.9, 39, 33.6, 30.2, 32.8, 35.6, 30.2, 34.4, 31.5],
  TWD: ["USD", 21, 0.4, 32.5, 34.9, 31.9, 32.3, 29.4, 30, 32.1, 30.1, 30.7, 31.4],
  ZAR: ["EUR", 76, 0.6, 6.8, 10.2, 7.6, 10, 9, 14.4, 14.4, 15.7, 18.2, 19.4],
};

/** Everything but the euro, alphabetical; the position is the column of the walk. */
export const WALKERS: readonly CurrencyCode[] = CURRENCY_CODES.filter((code) => code !== "EUR");

export const CHARACTERS: readonly Character[] = WALKERS.map((code) => {
  const [anchor, restlessness, fear, ...levels] = TABLE[code as keyof typeof TABLE];
  return { anchor, restlessness, fear, levels };
});

/** Spells in which everything moves more: start, end, and how many times as much. */
export const ALARMS: readonly (readonly [Day, Day, number])[] = [
  [at("2001-09-11"), at("2001-10-31"), 1.4],
  [at("2008-09-15"), at("2009-04-30"), 2],
  [at("2011-08-01"), at("2011-10-31"), 1.4],
  [at("2020-03-02"), at("2020-05-15"), 1.8],
  [at("2022-02-24"), at("2022-04-15"), 1.3],
];

function at(text: string): Day {
  return parseDay(text) as Day;
}
