/** Leases: how many tokens, how long they may be spent, and under which limits. */

import { expect, test } from "bun:test";
import { covers, type Demand, leaseOf, noteDemand, tokensFor } from "#domain/limits/lease.ts";
import { laterMonth, monthAt } from "#domain/limits/month.ts";

const NOON = Date.UTC(2026, 3, 13, 12);
const ALLOWANCE = { minute: 100, hour: null, month: 1_000 };
const COUNTS = {
  minute: { start: NOON, current: 20, previous: 0 },
  hour: { start: 0, current: 0, previous: 0 },
  month: { ...monthAt(NOON), used: 20 },
};

test("a lease is spent for a second, within its tokens, and not longer by a clock that is set back", () => {
  const lease = leaseOf(10, COUNTS, ALLOWANCE, NOON, NOON);
  expect(covers(lease, ALLOWANCE, 10, NOON + 999)).toBe(true);
  expect(covers(lease, ALLOWANCE, 11, NOON)).toBe(false);
  expect(covers(lease, ALLOWANCE, 1, NOON + 1_000)).toBe(false);
  expect(covers(lease, ALLOWANCE, 1, NOON - 1)).toBe(false);
  expect(leaseOf(0, COUNTS, ALLOWANCE, NOON, NOON)).toBeNull();
});

test("it ends with the first of the cells that it was charged to", () => {
  const hourly = { minute: 100, hour: 1_000, month: null };
  const endingHour = { ...COUNTS, hour: { start: NOON - 3_600_000 + 300, current: 20, previous: 0 } };
  const endingMinute = { ...COUNTS, minute: { start: NOON - 59_800, current: 20, previous: 0 } };
  const midnight = COUNTS.month.end - 100;
  const late = { ...COUNTS, minute: { ...COUNTS.minute, start: midnight } };
  expect(leaseOf(5, endingHour, hourly, NOON, NOON)?.until).toBe(NOON + 300);
  expect(leaseOf(5, endingMinute, ALLOWANCE, NOON, NOON)?.until).toBe(NOON + 200);
  expect(leaseOf(5, late, ALLOWANCE, midnight, NOON)?.until).toBe(NOON + 100);
});

test("its tokens are for the limits that it was charged under", () => {
  const lease = leaseOf(10, COUNTS, ALLOWANCE, NOON, NOON);
  for (const other of [{ minute: 12 }, { hour: 100 }, { month: 999 }])
    expect(covers(lease, { ...ALLOWANCE, ...other }, 1, NOON)).toBe(false);
  expect(covers(lease, { ...ALLOWANCE }, 1, NOON)).toBe(true);
});

test("a caller of a call now and then gets none, a busy one twice what came in this second or what came in the last", () => {
  const demand: Demand = { since: 0, calls: 0, rate: 0 };
  noteDemand(demand, 1, NOON);
  expect(tokensFor(demand)).toBe(0);
  noteDemand(demand, 29, NOON + 10);
  expect(tokensFor(demand)).toBe(60);
  noteDemand(demand, 1, NOON + 1_000);
  expect(tokensFor(demand)).toBe(30);
  noteDemand(demand, 1, NOON + 60_000);
  expect(tokensFor(demand)).toBe(0);
});

test("of two figures of a month the larger one holds, of two months the later one", () => {
  const [april, may] = [monthAt(NOON), monthAt(monthAt(NOON).end)];
  expect(laterMonth(null, { ...april, used: 7 }).used).toBe(7);
  expect(laterMonth({ ...april, used: 7 }, { ...april, used: 9 }).used).toBe(9);
  expect(laterMonth({ ...april, used: 9 }, { ...april, used: 7 }).used).toBe(9);
  expect(laterMonth({ ...april, used: 9 }, { ...may, used: 1 })).toEqual({ ...may, used: 1 });
  expect(laterMonth({ ...may, used: 1 }, { ...april, used: 9 })).toEqual({ ...may, used: 1 });
});
