/** What the tables of the authorities beside Mexico's share. */

import { type Line, type SimulatedTable, dailyTable as worldTable } from "#demo/official-sheet.ts";
import { type Day, formatDay, weekdayOf } from "#domain/time/day.ts";
import { unitsPerEuro } from "./market.ts";

/** A daily table that may have currencies outside the catalogue. */
export function dailyTable(table: Parameters<typeof worldTable>[0]): SimulatedTable {
  return worldTable({ unitsPerEuro, ...table });
}

/** The working days of every simulated authority: weekdays without the days of the year on which all of them are closed. */
export function isOpenDay(day: Day): boolean {
  return weekdayOf(day) % 6 !== 0 && !["01-01", "05-01", "12-25", "12-26"].includes(formatDay(day).slice(5));
}

/** Lines of codes with spaces between them, counted by one unless `units` has them. */
export function linesOf(codes: string, decimals: number, units: Readonly<Record<string, number>>): Line[] {
  return codes.split(" ").map((code) => ({ code, unit: units[code] ?? 1, decimals }));
}
