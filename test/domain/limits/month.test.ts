/** The calendar month of a quota: where it begins and ends, and which of two figures holds. */

import { expect, test } from "bun:test";
import { laterMonth, monthAt, monthDay } from "#domain/limits/counts.ts";
import { firstDayOfMonth, formatDay } from "#domain/time/day.ts";

test.each([
  ["2026-02-28T23:59:59.999Z", "2026-02-01", "2026-03-01"],
  ["2024-02-29T12:00:00Z", "2024-02-01", "2024-03-01"],
  ["2026-01-31T00:00:00Z", "2026-01-01", "2026-02-01"],
  ["2026-12-31T23:59:59.999Z", "2026-12-01", "2027-01-01"],
  ["2026-03-01T00:00:00Z", "2026-03-01", "2026-04-01"],
])("a month of %s begins on %s and ends before %s, in UTC", (at, start, end) => {
  const month = monthAt(Date.parse(at));
  expect([month.start, month.end]).toEqual([Date.parse(start), Date.parse(end)]);
  expect(formatDay(monthDay(month))).toBe(start);
  expect(firstDayOfMonth(monthDay(month) + 27)).toBe(monthDay(month));
});

test("of two figures of a month the larger one holds, of two months the later one", () => {
  const april = monthAt(Date.UTC(2026, 3, 13, 12));
  const may = monthAt(april.end);
  expect(laterMonth(null, { ...april, used: 7 }).used).toBe(7);
  expect(laterMonth({ ...april, used: 7 }, { ...april, used: 9 }).used).toBe(9);
  expect(laterMonth({ ...april, used: 9 }, { ...april, used: 7 }).used).toBe(9);
  expect(laterMonth({ ...april, used: 9 }, { ...may, used: 1 })).toEqual({ ...may, used: 1 });
  expect(laterMonth({ ...may, used: 1 }, { ...april, used: 9 })).toEqual({ ...may, used: 1 });
});
