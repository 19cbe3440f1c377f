/** How documents print numbers without fixed decimals, and calendar days. */

import { type Day, dayOf, formatDay } from "#domain/time/day.ts";

/** "366.90" → "366.9", "32.00" → "32". */
export function withoutTrailingZeros(printed: string): string {
  if (!printed.includes(".")) return printed;
  let end = printed.length;
  while (printed.charCodeAt(end - 1) === 48) end--;
  if (printed.charCodeAt(end - 1) === 46) end--;
  return printed.slice(0, end);
}

/** `31/12/2026`, or with another separator. */
export function dayMonthYear(day: Day, separator: string): string {
  return formatDay(day).split("-").reverse().join(separator);
}

/** The day of three captured texts; null where one is missing, and where there is no such day. */
export function dayFrom(
  year: string | undefined,
  month: string | undefined,
  date: string | undefined,
): Day | null {
  const isWhole = year !== undefined && month !== undefined && date !== undefined;
  return isWhole ? dayOf(Number(year), Number(month), Number(date)) : null;
}
