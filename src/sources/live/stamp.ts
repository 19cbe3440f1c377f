/** Times as feeds print them: a count since 1970 in a unit to be told by its size, or RFC 3339 with up to nine decimals. */

import { type Instant, parseDay } from "#domain/time/day.ts";

const COUNT = /^(\d+)(?:\.(\d+))?$/;
const RFC_3339 = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})$/;

/**
 * Seconds, milliseconds, microseconds or nanoseconds since 1970 by the number of whole digits, as printed; whole
 * milliseconds of it. Each unit has its own range of digits for every time from 1973 to 5138. Null for anything else.
 */
export function instantOfCount(printed: string): Instant | null {
  const match = COUNT.exec(printed);
  if (match === null) return null;
  const [, whole = "", fraction = ""] = match;
  if (whole.startsWith("0")) return null;
  if (whole.length >= 9 && whole.length <= 11) return Number(whole + fraction.slice(0, 3).padEnd(3, "0"));
  if (whole.length >= 12 && whole.length <= 14) return Number(whole);
  if (whole.length >= 15 && whole.length <= 17) return Number(whole.slice(0, -3));
  if (whole.length >= 18 && whole.length <= 20) return Number(whole.slice(0, -6));
  return null;
}

/** `2023-12-29T15:27:26.635352820Z` → whole milliseconds of it; a count of seconds is read too; null for anything else. */
export function instantOfText(printed: string): Instant | null {
  const match = RFC_3339.exec(printed);
  if (match === null) return instantOfCount(printed);
  const [, day = "", time, fraction = "", zone] = match;
  // Date.parse would take 30 February for 2 March.
  if (parseDay(day) === null) return null;
  const at = Date.parse(`${day}${time}.${fraction.slice(0, 3).padEnd(3, "0")}${zone}`);
  return Number.isNaN(at) ? null : at;
}
