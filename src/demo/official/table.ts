/** When, and of what, a simulated authority makes a table. Everything that differs from one to the next is data here. */

import { type Day, dayOf, type Instant, yearOf } from "#domain/time/day.ts";
import { OFFICIAL_START } from "./market.ts";

/** One rate of a table. */
export interface Line {
  readonly code: string;
  /** So many units of it are counted: 1, 100 … */
  readonly unit: number;
  /** Digits after the point. */
  readonly decimals: number;
}

/** Lines of codes with spaces between them, counted by one unless `units` has them. */
export function linesOf(codes: string, decimals: number, units: Readonly<Record<string, number>>): Line[] {
  return codes.split(" ").map((code) => ({ code, unit: units[code] ?? 1, decimals }));
}

/** When and of what an authority makes a table; how it is written down is its file's. */
export interface SimulatedTable {
  /** As in the catalogue of sources. */
  readonly id: string;
  readonly currency: string;
  /** foreign: the table's currency for units of others. own: units of others for one of the table's currency. */
  readonly counts: "foreign" | "own";
  readonly lines: readonly Line[];
  readonly began: Day;
  /** Of a day after 14:15 Frankfurt: when the authority reads the market. */
  readonly sixteenths: number;
  /** The day whose market it is; the table's own by default. */
  readonly marketDay?: (day: Day) => Day;
  isDay(day: Day): boolean;
  publishedAt(day: Day): Instant;
  /** When a misprint of a day is replaced. */
  correctedAt(day: Day): Instant;
}

/** What daily tables share: published at a wall time of their day, corrected an hour before the next one. */
export function dailyTable(
  table: Pick<SimulatedTable, "id" | "currency" | "lines" | "sixteenths" | "isDay" | "publishedAt"> &
    Partial<SimulatedTable>,
): SimulatedTable {
  const next = (day: Day): Day => (table.isDay(day + 1) ? day + 1 : next(day + 1));
  return {
    counts: "foreign",
    began: OFFICIAL_START,
    correctedAt: (day) => table.publishedAt(next(day)) - 3_600_000,
    ...table,
  };
}

/** Tables are counted from 1 in every year. */
export function numberIn({ isDay }: Pick<SimulatedTable, "isDay">, day: Day): number {
  let number = 0;
  for (let one = dayOf(yearOf(day), 1, 1) as Day; one <= day; one++) if (isDay(one)) number++;
  return number;
}
