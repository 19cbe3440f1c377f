/** Which day it is where a table is published: its dates are counted on the wall clock of its own zone. */

import { type Day, type Instant, parseDay } from "#domain/time/day.ts";

// Making a formatter costs far more than asking it; there are as many as tables have zones.
const formatters = new Map<string, Intl.DateTimeFormat>();

/** The calendar day that a zone's wall clock shows at an instant; `zone` is an IANA name. Throws RangeError on an unknown one. */
export function dayInTableZone(zone: string, instant: Instant): Day {
  let formatter = formatters.get(zone);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
    });
    formatters.set(zone, formatter);
  }
  const part: Record<string, string> = {};
  for (const { type, value } of formatter.formatToParts(instant)) part[type] = value;
  const day = parseDay(`${part["year"]?.padStart(4, "0")}-${part["month"]}-${part["day"]}`);
  if (day === null) throw new RangeError(`no calendar day at ${instant}`);
  return day;
}
