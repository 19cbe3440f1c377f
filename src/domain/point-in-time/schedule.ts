/** When an authority was to publish the figures of a day: what stands in for a publication instant that no document states. */

import type { DailySource } from "#domain/currency/source.ts";
import { isUsFederalHoliday, type Zone, zoneOffset } from "#domain/time/calendar.ts";
import { type Day, type Instant, MILLISECONDS_PER_DAY, weekdayOf } from "#domain/time/day.ts";

const MINUTE = 60_000;
/** ECB: 16:00 Frankfurt on the day itself. */
const ECB_MINUTE = 16 * 60;
/** H.10: 16:15 New York on the Monday after the day, on the Tuesday where that Monday is a federal holiday. */
const FRED_MINUTE = 16 * 60 + 15;

/** The scheduled publication of a source's figures of `date`, without the grace that staleness allows. */
export function scheduledPublication(source: DailySource, date: Day): Instant {
  if (source === "ecb_daily") return wallInstant("Europe/Berlin", date, ECB_MINUTE);
  const monday = date + ((8 - weekdayOf(date)) % 7 || 7);
  const release = isUsFederalHoliday(monday) ? monday + 1 : monday;
  return wallInstant("America/New_York", release, FRED_MINUTE);
}

/** Afternoon wall times never fall near a clock change, so the day's offset at 16:00 UTC is theirs. */
function wallInstant(zone: Zone, day: Day, minute: number): Instant {
  return day * MILLISECONDS_PER_DAY + minute * MINUTE - afternoonOffset(zone, day);
}

/** A whole history asks for 10,000 days: the time-zone tables are looked at a few hundred times for all of them. */
const CHUNK_DAYS = 512;
/** Two clock changes lie further apart than this. */
const FEWEST_DAYS_BETWEEN_CHANGES = 100;
const chunksByZone = new Map<Zone, Map<number, Float64Array>>();

function afternoonOffset(zone: Zone, day: Day): number {
  const number = Math.floor(day / CHUNK_DAYS);
  const chunks = chunksByZone.get(zone) ?? new Map<number, Float64Array>();
  let chunk = chunks.get(number);
  if (chunk === undefined) {
    chunk = offsetsFrom(zone, number * CHUNK_DAYS);
    chunks.set(number, chunk);
    chunksByZone.set(zone, chunks);
  }
  return chunk[day - number * CHUNK_DAYS] as number;
}

function offsetsFrom(zone: Zone, start: Day): Float64Array {
  const offsets = new Float64Array(CHUNK_DAYS);
  const look = (at: number) => zoneOffset(zone, (start + at) * MILLISECONDS_PER_DAY + ECB_MINUTE * MINUTE);
  const fill = (from: number, to: number, first: number, last: number): void => {
    if (first === last && to - from < FEWEST_DAYS_BETWEEN_CHANGES) {
      offsets.fill(first, from, to + 1);
    } else if (to - from === 1) {
      offsets[from] = first;
      offsets[to] = last;
    } else {
      const middle = (from + to) >> 1;
      const between = look(middle);
      fill(from, middle, first, between);
      fill(middle, to, between, last);
    }
  };
  fill(0, CHUNK_DAYS - 1, look(0), look(CHUNK_DAYS - 1));
  return offsets;
}
