/** What the two authorities of a simulated year publish, when, and by which route: the ground truth that the service never sees. */

import type { DailySource } from "#domain/currency/source.ts";
import { isTargetDay, isUsFederalDay } from "#domain/time/calendar.ts";
import { type Day, type Instant, MILLISECONDS_PER_DAY, weekdayOf } from "#domain/time/day.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

export type RouteName = "zip" | "sdmx" | "xml90" | "xmlDaily" | "csv";

/** What an authority says of a figure from an instant on; `printed` null takes it back. */
export interface Version {
  readonly at: Instant;
  readonly printed: string | null;
  /** The value before rounding. */
  readonly exact: number;
}

/** A series of the simulated year. `perDollar` is units of the currency per dollar for H.10's own direction "units". */
export interface Series {
  readonly source: DailySource;
  readonly currency: string;
  readonly decimals: number;
  /** Multiples of so much are printed; at least one unit of the last decimal. */
  readonly step: number;
  readonly start: number;
}

export const SERIES: readonly Series[] = [
  { source: "ecb_daily", currency: "USD", decimals: 4, step: 0.0001, start: 1.1634 },
  { source: "ecb_daily", currency: "JPY", decimals: 2, step: 0.01, start: 185.42 },
  { source: "ecb_daily", currency: "GBP", decimals: 5, step: 0.00001, start: 0.87114 },
  { source: "ecb_daily", currency: "CHF", decimals: 4, step: 0.0001, start: 0.9217 },
  { source: "ecb_daily", currency: "ISK", decimals: 2, step: 0.1, start: 146.3 },
  { source: "ecb_daily", currency: "TRY", decimals: 4, step: 0.0001, start: 51.2033 },
  { source: "fred_daily", currency: "TWD", decimals: 2, step: 0.01, start: 31.95 },
  { source: "fred_daily", currency: "MXN", decimals: 4, step: 0.0001, start: 18.2145 },
];

export const FIRST_DAY = Date.UTC(2025, 0, 6) / MILLISECONDS_PER_DAY;
const HOUR = 3_600_000;

interface Span {
  readonly from: Instant;
  readonly until: Instant;
}

export interface Authorities {
  readonly lastDay: Day;
  /** Days on which a source publishes. */
  days(source: DailySource): readonly Day[];
  versions(series: Series, day: Day): readonly Version[];
  /** What a route prints of a figure at an instant, older states of a lagging route and its own misprints included; null for nothing. */
  printed(route: RouteName, series: Series, day: Day, now: Instant): string | null;
  /** Versions as SDMX states them, with their instants. */
  publishedBy(series: Series, day: Day, now: Instant): readonly Version[];
  /** True where one route alone prints, or has printed, something else. */
  isMisprinted(series: Series, day: Day): boolean;
  /** True while the route does not answer. */
  isDown(route: RouteName, now: Instant): boolean;
  /** Days of which a whole series is missing in the route's documents at that time, although it is not withdrawn. */
  isTorn(route: RouteName, series: Series, day: Day, now: Instant): boolean;
}

/** A year, or `weeks` of it, reproducible by its seed. */
export function makeAuthorities(seed: number, weeks: number): Authorities {
  const random = seededRandom(seed);
  const lastDay = FIRST_DAY + weeks * 7 - 1;
  const figures = new Map<string, Version[]>();
  const misprints = new Map<string, { readonly span: Span; readonly printed: string }>();
  const keyOf = (series: Series, day: Day) => `${series.source} ${series.currency} ${day}`;

  const chance = (probability: number) => random() < probability;
  const span = (at: Instant, days: number): Span => ({ from: at, until: at + days * MILLISECONDS_PER_DAY });

  for (const series of SERIES) {
    let value = series.start;
    for (let day = FIRST_DAY; day <= lastDay; day++) {
      if (!publishes(series.source, day)) continue;
      value *= 1 + (random() - 0.5) * 0.012;
      // One real devaluation, which the rules hold until a second route says the same.
      if (series.currency === "TRY" && day === FIRST_DAY + 17) value *= 1.41;
      if (chance(0.012)) continue; // Never published: a hole, the dollar's included.
      const late = chance(0.03) ? (1 + Math.floor(random() * 60)) * HOUR : 0;
      const at = scheduled(series.source, day) + late;
      const versions: Version[] = [];
      const honest = print(series, value);
      const kind = random();
      if (kind < 0.012) {
        // An absurd figure on every route, corrected later or never.
        const absurd = [value * 1.9, 1 / value, value / 100, value * 1.45][
          Math.floor(random() * 4)
        ] as number;
        versions.push({ at, printed: absurd.toPrecision(5), exact: absurd });
        if (chance(0.7)) versions.push({ ...honest, at: at + (2 + Math.floor(random() * 90)) * HOUR });
      } else if (kind < 0.05) {
        const wrong = value * (1 + (random() - 0.5) * 0.01);
        versions.push({ ...print(series, wrong), at });
        versions.push({ ...honest, at: at + (1 + Math.floor(random() * 200)) * HOUR });
      } else {
        versions.push({ ...honest, at });
        if (chance(0.01)) {
          const withdrawnAt = at + (20 + Math.floor(random() * 200)) * HOUR;
          versions.push({ at: withdrawnAt, printed: null, exact: value });
          if (chance(0.4)) versions.push({ ...honest, at: withdrawnAt + 60 * HOUR });
        }
      }
      figures.set(keyOf(series, day), versions);
      if (series.source === "ecb_daily" && chance(0.006)) {
        // A misprint of one route alone.
        const route = chance(0.5) ? "xmlDaily" : "xml90";
        const wrong = chance(0.5) ? value * 1.7 : value * 1.004;
        misprints.set(`${route} ${keyOf(series, day)}`, {
          span: span(at, 4),
          printed: print(series, wrong).printed as string,
        });
      }
    }
  }

  const spansOf = (probability: number, most: number) => {
    const found: Span[] = [];
    for (let day = FIRST_DAY; day <= lastDay; day++) {
      if (chance(probability))
        found.push(span(day * MILLISECONDS_PER_DAY + random() * 24 * HOUR, random() * most));
    }
    return found;
  };
  const routes: readonly RouteName[] = ["zip", "sdmx", "xml90", "xmlDaily", "csv"];
  const frozen = new Map(routes.map((route) => [route, route === "sdmx" ? [] : spansOf(0.04, 7)]));
  const down = new Map(routes.map((route) => [route, spansOf(route === "sdmx" ? 0.08 : 0.03, 3)]));
  const torn = new Map(routes.map((route) => [route, route === "sdmx" ? [] : spansOf(0.02, 2)]));

  const versionsOf = (series: Series, day: Day) => figures.get(keyOf(series, day)) ?? [];
  const publishedUntil = (route: RouteName, now: Instant) =>
    frozen.get(route)?.find(({ from, until }) => from <= now && now < until)?.from ?? now;

  return {
    lastDay,
    days(source) {
      const all: Day[] = [];
      for (let day = FIRST_DAY; day <= lastDay; day++) if (publishes(source, day)) all.push(day);
      return all;
    },
    versions: versionsOf,
    printed(route, series, day, now) {
      const until = publishedUntil(route, now);
      const version = versionsOf(series, day).findLast(({ at }) => at <= until);
      if (version === undefined || version.printed === null) return null;
      const misprint = misprints.get(`${route} ${keyOf(series, day)}`);
      return misprint !== undefined && misprint.span.from <= now && now < misprint.span.until
        ? misprint.printed
        : version.printed;
    },
    isMisprinted: (series, day) => routes.some((route) => misprints.has(`${route} ${keyOf(series, day)}`)),
    publishedBy: (series, day, now) => versionsOf(series, day).filter(({ at }) => at <= now),
    isDown: (route, now) => down.get(route)?.some(({ from, until }) => from <= now && now < until) ?? false,
    isTorn: (route, series, day, now) =>
      series.currency === "CHF" &&
      day % 5 !== 0 &&
      (torn.get(route)?.some(({ from, until }) => from <= now && now < until) ?? false),
  };
}

function publishes(source: DailySource, day: Day): boolean {
  return source === "ecb_daily" ? isTargetDay(day) : isUsFederalDay(day);
}

/** The ECB on the day at 15:05 UTC, H.10 on the Monday after the week (a holiday delays it by a day). */
function scheduled(source: DailySource, day: Day): Instant {
  if (source === "ecb_daily") return day * MILLISECONDS_PER_DAY + 15 * HOUR + 5 * 60_000;
  let release = day + ((8 - weekdayOf(day)) % 7 || 7);
  while (!isUsFederalDay(release)) release++;
  return release * MILLISECONDS_PER_DAY + 21 * HOUR + 20 * 60_000;
}

/** Printed as the authority prints: rounded to its step, zeros kept. */
function print({ step, decimals }: Series, exact: number): Omit<Version, "at"> & { printed: string } {
  return { printed: (Math.round(exact / step) * step).toFixed(decimals), exact };
}
