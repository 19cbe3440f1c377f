/** What the tables of the authorities beside Mexico's share. */

import { type Line, type SimulatedTable, dailyTable as worldTable } from "#demo/official-sheet.ts";
import { type Day, dayOf, formatDay, weekdayOf, yearOf } from "#domain/time/day.ts";
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

/** Tables are counted from 1 in every year. */
export function numberIn({ isDay }: Pick<SimulatedTable, "isDay">, day: Day): number {
  let number = 0;
  for (let one = dayOf(yearOf(day), 1, 1) as Day; one <= day; one++) if (isDay(one)) number++;
  return number;
}

/** `31 Dec 2026`, or with another separator. */
export function dayNameYear(day: Day, separator: string): string {
  const [year, month, date] = formatDay(day).split("-");
  return [date, MONTHS[Number(month) - 1], year].join(separator);
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
