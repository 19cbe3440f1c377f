/** A misprint is one a year, on a TARGET day, and always differs from what was meant. */

import { expect, test } from "bun:test";
import { isMisprint, misprinted, misprintOf } from "#demo/publication.ts";
import { isTargetDay } from "#domain/time/calendar.ts";
import { formatDay, yearOf } from "#domain/time/day.ts";

test("every year has one, on a TARGET day between February and November of that year", () => {
  for (let year = 1999; year <= 2030; year++) {
    const { day, currency } = misprintOf(7, year);
    expect([year, yearOf(day), isTargetDay(day)]).toEqual([year, year, true]);
    expect(formatDay(day) >= `${year}-02` && formatDay(day) < `${year}-12`).toBe(true);
    expect([
      isMisprint(7, day, currency),
      isMisprint(7, day, "USD"),
      isMisprint(7, day + 1, currency),
    ]).toEqual([true, false, false]);
  }
});

const SWAPS = [
  ["11.5829", "11.8529", "the first swap that matters"],
  ["182.67", "182.76", "a swap that matters little, when no other stays below a tenth"],
  ["11.1111", "11.1112", "nothing to swap"],
  ["99.99", "99.98", "nothing to swap and no larger digit"],
  ["NaN", "NaN", "not a number"],
] as const;

for (const [meant, printed, why] of SWAPS) {
  test(`${meant} is misprinted ${printed}: ${why}`, () => expect(misprinted(meant)).toBe(printed));
}
