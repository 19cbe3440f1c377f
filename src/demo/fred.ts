/** FRED, H.10 daily rates: the chart download, which needs no key. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import { atWallTime, dayInZone, isUsFederalDay, isUsFederalHoliday } from "#domain/time/calendar.ts";
import { COVERAGE_START, type Day, formatDay, type Instant, parseDay, weekdayOf } from "#domain/time/day.ts";
import { type Answer, type DemoRequest, notFound, withoutTrailingZeros } from "./request.ts";

/** Noon in New York, as a part of the time from one Frankfurt fixing to the next. */
const NOON_NEW_YORK = 3.75 / 24;

/** Series → currency, decimals, and whether it is units per dollar or dollars per unit. */
export const SERIES: Record<string, readonly [CurrencyCode, number, "units" | "dollars"]> = {
  DEXBZUS: ["BRL", 4, "units"],
  DEXCAUS: ["CAD", 4, "units"],
  DEXCHUS: ["CNY", 4, "units"],
  DEXDNUS: ["DKK", 4, "units"],
  DEXHKUS: ["HKD", 4, "units"],
  DEXINUS: ["INR", 2, "units"],
  DEXJPUS: ["JPY", 2, "units"],
  DEXKOUS: ["KRW", 2, "units"],
  DEXMAUS: ["MYR", 4, "units"],
  DEXMXUS: ["MXN", 4, "units"],
  DEXNOUS: ["NOK", 4, "units"],
  DEXSDUS: ["SEK", 4, "units"],
  DEXSFUS: ["ZAR", 4, "units"],
  DEXSIUS: ["SGD", 4, "units"],
  DEXSZUS: ["CHF", 4, "units"],
  DEXTAUS: ["TWD", 2, "units"],
  DEXTHUS: ["THB", 2, "units"],
  DEXUSAL: ["AUD", 4, "dollars"],
  DEXUSEU: ["EUR", 4, "dollars"],
  DEXUSNZ: ["NZD", 4, "dollars"],
  DEXUSUK: ["GBP", 4, "dollars"],
};

/** fred.stlouisfed.org/graph/fredgraph.csv: several series side by side, a missing value is an empty cell. */
export function fredGraph(request: DemoRequest): Answer {
  const of = (name: string) => request.url.searchParams.get(name);
  const ids = (of("id") ?? "").split(",");
  const from = parseDay(of("cosd") ?? "1776-07-04");
  const areKnown = ids.every((id) => SERIES[id] !== undefined);
  if (request.url.pathname !== "/graph/fredgraph.csv" || !areKnown || from === null) return notFound();
  const { days, newest } = daysOf(request, from);
  const lines = days.map(
    (day) => `${day.date},${ids.map((id) => figureText(request, id, day, newest) ?? "").join(",")}\n`,
  );
  return {
    contentType: "application/csv",
    body: () => `observation_date,${ids.join(",")}\n${lines.join("")}`,
    lastModified: newestFredRelease(request.now).at,
  };
}

/**
 * The days of a document, for all of its series: every released weekday, oldest first, with dollars per euro at noon (null on a holiday);
 * and the day of the newest figure, since the last row can be a holiday's.
 */
export function daysOf({ world, now, printing }: DemoRequest, from: Day) {
  const { through } = newestFredRelease(now);
  let newest = through;
  while (!isUsFederalDay(newest)) newest--;
  const days: { day: Day; date: string; dollars: number | null }[] = [];
  for (let day = Math.max(from, COVERAGE_START); day <= through; day++) {
    const weekday = weekdayOf(day);
    if (weekday === 0 || weekday === 6) continue;
    const dollars = isUsFederalDay(day) ? world.perEuro("USD", day, NOON_NEW_YORK) : null;
    days.push({ day, date: formatDay(printing.day(day, newest)), dollars });
  }
  return { days, newest };
}

/** Without trailing zeros; null on a holiday. */
export function figureText(
  { world, printing }: DemoRequest,
  id: string,
  { day, dollars }: ReturnType<typeof daysOf>["days"][number],
  newest: Day,
): string | null {
  if (dollars === null) return null;
  const [code, decimals, direction] = SERIES[id] as (typeof SERIES)[string];
  const perDollar = world.perEuro(code, day, NOON_NEW_YORK) / dollars;
  const value = direction === "units" ? perDollar : 1 / perDollar;
  return withoutTrailingZeros(printing.value([code], day, newest, value).toFixed(decimals));
}

/** The newest weekly H.10 release: Monday 16:15 New York, Tuesday after a Monday holiday, through the Friday before. */
export function newestFredRelease(now: Instant) {
  const today = dayInZone("America/New_York", now);
  const monday = today - ((weekdayOf(today) + 6) % 7);
  const release = releaseInWeekOf(monday);
  return now < release.at ? releaseInWeekOf(monday - 7) : release;
}

/** `through` is the newest day in the release: a Friday, holiday or not. */
function releaseInWeekOf(monday: Day) {
  const day = isUsFederalHoliday(monday) ? monday + 1 : monday;
  return { through: monday - 3, at: atWallTime("America/New_York", day, 16, 15) };
}
