/** The working days of each simulated authority: weekdays without its country's holidays. Holidays of the lunar calendar are left out. */

import { easterSunday, isUsFederalDay } from "#domain/time/calendar.ts";
import { type Day, dayOf, weekdayOf, yearOf } from "#domain/time/day.ts";

interface Holidays {
  /** `MM-DD`, every year. */
  readonly dates: string;
  /** Days after Easter Sunday. */
  readonly easter?: readonly number[];
  /** The nth Monday of a month. */
  readonly mondays?: readonly (readonly [month: number, nth: number])[];
}

export const isPolishDay = openDays({
  dates: "01-01 01-06 05-01 05-03 08-15 11-01 11-11 12-25 12-26",
  easter: [1, 60],
});
export const isCzechDay = openDays({
  dates: "01-01 05-01 05-08 07-05 07-06 09-28 10-28 11-17 12-24 12-25 12-26",
  easter: [-2, 1],
});
export const isHungarianDay = openDays({
  dates: "01-01 03-15 05-01 08-20 10-23 11-01 12-24 12-25 12-26",
  easter: [-2, 1, 50],
});
/** The holidays that move to the Monday after, too: those of fixed dates as the Mondays on which they often fall. */
export const isColombianDay = openDays({
  dates: "01-01 05-01 07-20 08-07 12-08 12-25",
  easter: [-3, -2, 43, 64, 71],
  mondays: [
    [1, 2],
    [3, 4],
    [10, 3],
    [11, 1],
    [11, 3],
  ],
});
export const isRomanianDay = openDays({
  dates: "01-01 01-02 01-24 05-01 06-01 08-15 11-30 12-01 12-25 12-26",
});
export const isSwissDay = openDays({ dates: "01-01 01-02 08-01 12-25 12-26", easter: [-2, 1, 39, 50] });
export const isTurkishDay = openDays({ dates: "01-01 04-23 05-01 05-19 07-15 08-30 10-29" });
export const isCanadianDay = openDays({
  dates: "01-01 07-01 09-30 11-11 12-25 12-26",
  easter: [-2],
  mondays: [
    [8, 1],
    [9, 1],
    [10, 2],
  ],
});
export const isAmericanDay = isUsFederalDay;

function openDays({ dates, easter = [], mondays = [] }: Holidays): (day: Day) => boolean {
  const closedIn = new Map<number, ReadonlySet<Day>>();
  return (day) => {
    if (weekdayOf(day) % 6 === 0) return false;
    const year = yearOf(day);
    let closed = closedIn.get(year);
    if (closed === undefined) {
      const fixed = dates.split(" ").map((text) => text.split("-").map(Number) as [number, number]);
      closed = new Set([
        ...fixed.map(([month, date]) => dayOf(year, month, date) as Day),
        ...easter.map((after) => easterSunday(year) + after),
        ...mondays.map(([month, nth]) => nthMonday(year, month, nth)),
      ]);
      closedIn.set(year, closed);
    }
    return !closed.has(day);
  };
}

function nthMonday(year: number, month: number, nth: number): Day {
  const first = dayOf(year, month, 1) as Day;
  return first + ((8 - weekdayOf(first)) % 7) + 7 * (nth - 1);
}
