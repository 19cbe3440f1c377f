/** What the two authorities really publish in an adversary's year, and when each route carries it. Reproducible by its seed. */

import { ecbPublishedAt } from "#demo/ecb.ts";
import type { DailySource } from "#domain/currency/source.ts";
import { atWallTime, isTargetDay, isUsFederalDay, isUsFederalHoliday } from "#domain/time/calendar.ts";
import { type Day, dayAt, type Instant, MILLISECONDS_PER_DAY, weekdayOf } from "#domain/time/day.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

export type RouteName = "zip" | "xml90" | "daily" | "sdmx" | "api" | "csv";
/** Routes of one kind are copies of one publication. */
export type Kind = "files" | "sdmx" | "api" | "csv";

export const KIND: Readonly<Record<RouteName, Kind>> = {
  zip: "files",
  xml90: "files",
  daily: "files",
  sdmx: "sdmx",
  api: "api",
  csv: "csv",
};

/** What an authority says of a figure from `at` on; `printed` null takes it back. */
export interface Version {
  readonly at: Instant;
  readonly printed: string | null;
  /** From when on each route says so. */
  readonly carriedAt: Readonly<Record<RouteName, Instant>>;
}

export const HOUR = 3_600_000;
/** The history begins here, the year that is collected 16 weeks later: longer than the 90 days of a `recent` window. */
export const FIRST_DAY = Date.UTC(2025, 0, 6) / MILLISECONDS_PER_DAY;
export const YEAR_START = FIRST_DAY + 16 * 7;

interface Series {
  readonly start: number;
  readonly decimals: number;
}

/** Neighbours of similar size among them, because an exchange of those is the hardest to see. */
const SERIES: Readonly<Record<DailySource, Readonly<Record<string, Series>>>> = {
  ecb_daily: {
    USD: { start: 1.1634, decimals: 4 },
    GBP: { start: 0.87114, decimals: 5 },
    CHF: { start: 0.9317, decimals: 4 },
    SEK: { start: 11.1925, decimals: 4 },
    NOK: { start: 11.6385, decimals: 4 },
    JPY: { start: 182.42, decimals: 2 },
  },
  fred_daily: {
    EUR: { start: 1.1602, decimals: 4 },
    CHF: { start: 0.8017, decimals: 4 },
    TWD: { start: 31.95, decimals: 2 },
    THB: { start: 32.61, decimals: 2 },
  },
};

export const CURRENCIES: Readonly<Record<DailySource, readonly string[]>> = {
  ecb_daily: Object.keys(SERIES.ecb_daily),
  fred_daily: Object.keys(SERIES.fred_daily),
};

/** Corrections and withdrawals lie further apart than the slowest route lags. */
const LONGEST_LAG = 6 * HOUR;

export type Truth = ReturnType<typeof makeTruth>;

/** `largestJump` bounds the large but real moves of a source: a single kind of route cannot confirm one beyond 1.3. */
export function makeTruth(seed: number, weeks: number, largestJump: Record<DailySource, number>) {
  const random = seededRandom(seed * 31 + 7);
  const lastDay = YEAR_START + weeks * 7 - 1;
  const figures = new Map<string, readonly Version[]>();
  const bySeries = new Map<string, Map<Day, readonly Version[]>>();
  const sources = Object.keys(SERIES) as DailySource[];
  for (const source of sources) {
    for (const [currency, { start, decimals }] of Object.entries(SERIES[source])) {
      let value = start;
      const series = new Map<Day, readonly Version[]>();
      bySeries.set(`${source} ${currency}`, series);
      for (let day = FIRST_DAY; day <= lastDay; day++) {
        if (!(source === "ecb_daily" ? isTargetDay(day) : isUsFederalDay(day))) continue;
        value *= 1 + (random() - 0.5) * 0.012;
        if (random() < 0.004) value *= jump(value / start, largestJump[source], random);
        series.set(day, versionsOf(source, day, value, decimals, random));
        figures.set(`${source} ${currency} ${day}`, series.get(day) as readonly Version[]);
      }
    }
  }
  return {
    lastDay,
    /** Every version that is ever published, oldest first, by `source currency day`. */
    figures,
    seriesOf: (source: DailySource, currency: string): ReadonlyMap<Day, readonly Version[]> =>
      bySeries.get(`${source} ${currency}`) ?? new Map(),
  };
}

/** Back towards the start: otherwise a year of moves in one direction would leave the digits of its currency. */
function jump(moved: number, largest: number, random: () => number): number {
  const factor = random() < 0.2 ? largest : 1.05 + random() * 0.2;
  return moved > 1 ? 1 / factor : factor;
}

function versionsOf(
  source: DailySource,
  day: Day,
  value: number,
  decimals: number,
  random: () => number,
): Version[] {
  if (random() < 0.003) return []; // A hole: never published.
  const published = source === "ecb_daily" ? ecbPublishedAt(day) : releasedAt(day);
  const first = (printed: string): Version => ({
    at: published,
    printed,
    carriedAt: carriedAfter(published, newDayLag(dayAt(published))),
  });
  const later = (hours: number, printed: string | null): Version => {
    const at = published + LONGEST_LAG + (2 + random() * hours) * HOUR;
    return { at, printed, carriedAt: carriedAfter(at, () => random() * LONGEST_LAG) };
  };
  const printed = value.toFixed(decimals);
  const kind = random();
  if (kind < 0.02) {
    const wrong = value * (1 + (random() < 0.5 ? -1 : 1) * (0.002 + random() * 0.05));
    return [first(wrong.toFixed(decimals)), later(300, printed)];
  }
  return kind < 0.024 ? [first(printed), later(200, null)] : [first(printed)];
}

/** A new day is with the first route of its kind at once, and with the others some minutes later, whole. */
function newDayLag(day: Day): (route: RouteName) => number {
  return (route) => (route === "daily" || route === "api" ? 0 : ((day % 3) * HOUR) / 10);
}

function carriedAfter(at: Instant, lag: (route: RouteName) => number): Version["carriedAt"] {
  const routes = Object.keys(KIND) as RouteName[];
  return Object.fromEntries(routes.map((route) => [route, at + lag(route)])) as Record<RouteName, Instant>;
}

/** H.10 on the Monday after the week; a holiday delays it by a day. */
function releasedAt(day: Day): Instant {
  const monday = day - ((weekdayOf(day) + 6) % 7) + 7;
  return atWallTime("America/New_York", isUsFederalHoliday(monday) ? monday + 1 : monday, 16, 15);
}
