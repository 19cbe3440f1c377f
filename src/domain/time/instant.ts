/** Reads instants as people's tools print them. */

import { type Instant, parseDay } from "./day.ts";

/**
 * RFC 3339 with any offset and up to nine decimals; also with a blank for the T, and with an offset of hours alone or without
 * its colon. A blank before an offset is a plus: that is what an unescaped one becomes in a query.
 */
export const INSTANT_GRAMMAR =
  /^(\d{4}-\d{2}-\d{2})[Tt ]((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{1,9}))?(?:[Zz]|([+ -])([01]\d|2[0-3])(?::?([0-5]\d))?)$/;

const YEAR_0 = Date.parse("0000-01-01T00:00:00Z");
const YEAR_10000 = Date.parse("+010000-01-01T00:00:00Z");

/** The instant, cut to milliseconds; null for anything else, a day that does not exist, and years that do not have four digits in UTC. */
export function readInstant(text: string): Instant | null {
  const match = INSTANT_GRAMMAR.exec(text);
  const [, day = "", time = "", fraction = "", sign = "+", hours = "0", minutes = "0"] = match ?? [];
  if (match === null || parseDay(day) === null) return null;
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
  const local = Date.parse(`${day}T${time}.${fraction.slice(0, 3).padEnd(3, "0")}Z`);
  const instant = sign === "-" ? local + offset : local - offset;
  return instant >= YEAR_0 && instant < YEAR_10000 ? instant : null;
}
