/** The daily figures of the simulated world as they become known, each at its hour, beside the live quotes. */

import type { World } from "#demo/world.ts";
import { CURRENCY_CODES } from "#domain/currency/currency.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import { buildHistory } from "#domain/history/history.ts";
import { atWallTime, isTargetDay } from "#domain/time/calendar.ts";
import { type Day, dayAt, formatDay, type Instant, weekdayOf } from "#domain/time/day.ts";
import { columnsOf, ecb, fred, type PlainObservation } from "#test/domain/history/columns.ts";

interface Known {
  readonly since: Instant;
  readonly figure: PlainObservation;
}

export type Daily = ReturnType<typeof dailyOf>;

/** The ECB's figures around 16:00 Frankfurt, and H.10's on Mondays for the week before; a few weeks before the start too. */
export function dailyOf(world: World, from: Day, until: Day) {
  const known: Known[] = [];
  for (let day = from - 30; day <= until; day++) {
    if (weekdayOf(day) === 0 || weekdayOf(day) === 6) continue;
    if (isTargetDay(day)) known.push(...fixingsOf(world, day));
    const perDollar = world.perEuro("TWD", day) / world.perEuro("USD", day);
    known.push({ since: releaseAfter(day), figure: fred(formatDay(day), "TWD", perDollar.toFixed(2), 2) });
  }
  known.sort((a, b) => a.since - b.since);
  let last = { count: -1, figures: [] as PlainObservation[], dataset: null as Dataset | null };
  return {
    /** What is known at an instant, never before the last one requested; the same object until more is known. */
    at(now: Instant) {
      let count = Math.max(last.count, 0);
      while ((known[count]?.since ?? Number.POSITIVE_INFINITY) <= now) count += 1;
      if (last.count !== count || last.dataset === null) {
        const figures = known.slice(0, count).map(({ figure }) => figure);
        const history = buildHistory(`week-${count}`, columnsOf(figures), from - 40);
        last = { count, figures, dataset: { history, coveredThrough: {}, simulated: false } };
      }
      return { figures: last.figures, dataset: last.dataset as Dataset };
    },
  };
}

function fixingsOf(world: World, day: Day): Known[] {
  const since = atWallTime("Europe/Berlin", day, 16, 3);
  return CURRENCY_CODES.filter((code) => code !== "EUR" && code !== "TWD").map((code) => {
    const value = world.perEuro(code, day);
    return { since, figure: ecb(formatDay(day), code, value.toFixed(value > 50 ? 2 : 4)) };
  });
}

function releaseAfter(day: Day): Instant {
  let release = day + 1;
  while (weekdayOf(release) !== 1) release += 1;
  return atWallTime("America/New_York", release, 16, 20);
}

/** The UTC day of a moment written `2026-03-02T00:00:00Z`. */
export function dayOfMoment(moment: string): Day {
  return dayAt(Date.parse(moment));
}
