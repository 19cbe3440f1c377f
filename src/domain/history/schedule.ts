/** The publication times of each authority: what is due, what is stale, and the assumed time where a document states none. */

import type { DailySource } from "#domain/currency/source.ts";
import {
  atWallTime,
  dayInZone,
  isTargetDay,
  isUsFederalDay,
  isUsFederalHoliday,
  zoneOffset,
} from "#domain/time/calendar.ts";
import { type Day, type Instant, MILLISECONDS_PER_DAY, weekdayOf } from "#domain/time/day.ts";

/** ECB: around 16:00 Frankfurt on every TARGET day; two hours of grace. */
const ECB_DUE_HOUR = 16;
const ECB_GRACE_HOURS = 2;
/** H.10: Mondays 16:15 New York, Tuesday after a holiday, with figures through the Friday before; three hours of grace. */
const FRED_DUE_HOUR = 16;
const FRED_DUE_MINUTE = 15;
const FRED_GRACE_HOURS = 3;
const HOUR = 3_600_000;
const MINUTE = 60_000;

/** The newest day whose figures must have been published by `now`, grace included. */
export function newestDueDay(source: DailySource, now: Instant): Day {
  // Every release falls on a whole minute, so the zone tables are read once a minute.
  const minute = Math.floor(now / MINUTE);
  const known = lastDue.get(source);
  if (known?.minute === minute) return known.day;
  const day =
    source === "ecb_daily"
      ? newestEcbDay(now - ECB_GRACE_HOURS * HOUR)
      : newestFredDay(now - FRED_GRACE_HOURS * HOUR);
  lastDue.set(source, { minute, day });
  return day;
}

const lastDue = new Map<DailySource, { readonly minute: number; readonly day: Day }>();

/** The next instant at which the source is expected to publish. */
export function nextPublication(source: DailySource, now: Instant): Instant {
  if (source === "ecb_daily") {
    for (let day = dayInZone("Europe/Berlin", now); ; day++) {
      const at = atWallTime("Europe/Berlin", day, ECB_DUE_HOUR, 0);
      if (at > now && isTargetDay(day)) return at;
    }
  }
  for (let day = dayInZone("America/New_York", now); ; day++) {
    if (isFredReleaseDay(day)) {
      const at = fredReleaseAt(day);
      if (at > now) return at;
    }
  }
}

/**
 * True when a figure of `date` should have been followed by a newer one. `coveredThrough` is the last day the source's
 * documents spoke for: H.10 marks closed days with a dot, and a dot is an answer, not a delay.
 */
export function isStale(source: DailySource, date: Day, coveredThrough: Day, now: Instant): boolean {
  const due = newestDueDay(source, now);
  if (source === "ecb_daily") return date < due;
  const answered = coveredThrough - date <= 7 ? Math.max(date, coveredThrough) : date;
  return answered < due;
}

function newestEcbDay(at: Instant): Day {
  let day = dayInZone("Europe/Berlin", at);
  if (at < atWallTime("Europe/Berlin", day, ECB_DUE_HOUR, 0)) day -= 1;
  while (!isTargetDay(day)) day -= 1;
  return day;
}

function newestFredDay(at: Instant): Day {
  let release = dayInZone("America/New_York", at);
  while (!isFredReleaseDay(release) || fredReleaseAt(release) > at) release -= 1;
  // Through the Friday before the release's Monday.
  let day = release - ((weekdayOf(release) + 6) % 7) - 3;
  while (!isUsFederalDay(day)) day -= 1;
  return day;
}

function isFredReleaseDay(day: Day): boolean {
  const weekday = weekdayOf(day);
  return (weekday === 1 && !isUsFederalHoliday(day)) || (weekday === 2 && isUsFederalHoliday(day - 1));
}

function fredReleaseAt(day: Day): Instant {
  return atWallTime("America/New_York", day, FRED_DUE_HOUR, FRED_DUE_MINUTE);
}

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
function wallInstant(zone: string, day: Day, minute: number): Instant {
  return day * MILLISECONDS_PER_DAY + minute * MINUTE - afternoonOffset(zone, day);
}

/** A whole history needs 10,000 days: the time-zone tables are read a few hundred times for all of them. */
const CHUNK_DAYS = 512;
/** The interval between two clock changes is longer than this. */
const FEWEST_DAYS_BETWEEN_CHANGES = 100;
const chunksByZone = new Map<string, Map<number, Float64Array>>();

function afternoonOffset(zone: string, day: Day): number {
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

function offsetsFrom(zone: string, start: Day): Float64Array {
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
