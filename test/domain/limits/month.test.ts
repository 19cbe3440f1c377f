/** The calendar month of a quota: where it begins and ends, which of two figures holds; and the window that the status of a quota names. */

import { expect, test } from "bun:test";
import { type Counts, EMPTY_CELL, laterMonth, monthAt, monthDay, WIDTHS } from "#domain/limits/counts.ts";
import { granted, refused, type Taken, tighter } from "#domain/limits/quota-status.ts";
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

const NOON = Date.UTC(2026, 5, 1, 12);
const AT_NOON = { now: NOON, wall: NOON };
const MONTH_END = Date.UTC(2026, 6, 1) / 1000;
const SECOND = NOON / 1000;

/** Of the minute and of the month: the calls used, and the limits. */
test.each([
  ["refused by the month, while the minute is full too", [9, 35], [9, 40], 6, "month", 40, 5, MONTH_END],
  ["refused by the minute alone", [10, 37], [12, 40], 3, "minute", 12, 2, SECOND + 66],
  ["granted with fewer left in the month", [6, 38], [12, 40], 1, "month", 40, 2, MONTH_END],
  ["granted with more left in the month", [10, 30], [12, 33], 4, "minute", 12, 2, SECOND + 80],
] as const)(
  "%s: all figures are of that window",
  (what, used, limits, cost, window, limit, remaining, resetAt) => {
    const minute = { start: NOON, current: used[0], previous: 0 };
    const counts: Counts = { minute, hour: EMPTY_CELL, month: { ...monthAt(NOON), used: used[1] } };
    const allowance = { minute: limits[0], hour: null, month: limits[1] };
    const isRefused = what.startsWith("refused");
    const { quota } = isRefused
      ? refused(counts, allowance, cost, AT_NOON)
      : granted(counts, allowance, cost, AT_NOON, "process");
    expect(quota).toEqual({ window, limit, remaining, resetAt });
  },
);

test("of windows with equally few calls left the one with the longest wait is reported", () => {
  const counts: Counts = {
    // Full, and the one before it fades within seconds.
    hour: { start: NOON - WIDTHS.hour + 5000, current: 99, previous: 100 },
    minute: { start: NOON, current: 12, previous: 0 },
    month: null,
  };
  const { quota } = granted(counts, { minute: 12, hour: 100, month: null }, 1, AT_NOON, "process");
  expect(quota).toMatchObject({ window: "minute", limit: 12, remaining: 0 });
  expect(quota.resetAt * 1000).toBeGreaterThan(NOON + 60_000);
});

const outcome = (outcome: "granted" | "refused", remaining: number, resetAt: number) =>
  ({ outcome, quota: { window: "minute", limit: 9, remaining, resetAt } }) as Taken;

test.each([
  ["a refusal", outcome("granted", 0, 9), outcome("refused", 3, 1)],
  ["of two refusals the longer wait", outcome("refused", 0, 7), outcome("refused", 5, 9)],
  ["of two grants the one with fewer calls left", outcome("granted", 4, 9), outcome("granted", 3, 1)],
  ["of two with as many left the longer wait", outcome("granted", 4, 7), outcome("granted", 4, 9)],
])("of a caller and its network holds, in any order: %s", (_, other, stricter) => {
  expect([tighter(other, stricter), tighter(stricter, other)]).toEqual([stricter, stricter]);
});
