/** Leases: how many tokens, how long they may be spent, and under which limits. */

import { expect, test } from "bun:test";
import { monthAt } from "#domain/limits/counts.ts";
import { covers, LeaseRecord, leaseOf, noteDemand, tokensFor } from "#store/redis/limits/leases.ts";

const NOON = Date.UTC(2026, 3, 13, 12);
const ALLOWANCE = { minute: 100, hour: null, month: 1_000 };
const COUNTS = {
  minute: { start: NOON, current: 20, previous: 0 },
  hour: { start: 0, current: 0, previous: 0 },
  month: { ...monthAt(NOON), used: 20 },
};

test("a lease is spent for a second, within its tokens, and not longer by a clock that is set back", () => {
  const lease = leaseOf({ tokens: 10, counts: COUNTS, now: NOON }, ALLOWANCE, NOON, 1);
  expect(covers(lease, ALLOWANCE, 10, NOON + 999)).toBe(true);
  expect(covers(lease, ALLOWANCE, 11, NOON)).toBe(false);
  expect(covers(lease, ALLOWANCE, 1, NOON + 1_000)).toBe(false);
  expect(covers(lease, ALLOWANCE, 1, NOON - 1)).toBe(false);
});

test("it ends with the first of the cells that it was charged to", () => {
  const hourly = { minute: 100, hour: 1_000, month: null };
  const endingHour = { ...COUNTS, hour: { start: NOON - 3_600_000 + 300, current: 20, previous: 0 } };
  const endingMinute = { ...COUNTS, minute: { start: NOON - 59_800, current: 20, previous: 0 } };
  const midnight = COUNTS.month.end - 100;
  const late = { ...COUNTS, minute: { ...COUNTS.minute, start: midnight } };
  expect(leaseOf({ tokens: 5, counts: endingHour, now: NOON }, hourly, NOON, 1).until).toBe(NOON + 300);
  expect(leaseOf({ tokens: 5, counts: endingMinute, now: NOON }, ALLOWANCE, NOON, 1).until).toBe(NOON + 200);
  expect(leaseOf({ tokens: 5, counts: late, now: midnight }, ALLOWANCE, NOON, 1)?.until).toBe(NOON + 100);
});

test("a caller of a call now and then gets none, a busy one as many as came, those of earlier seconds less and less", () => {
  const { demand } = new LeaseRecord();
  noteDemand(demand, 3, NOON);
  expect(tokensFor(demand)).toBe(0);
  noteDemand(demand, 57, NOON + 10);
  expect(tokensFor(demand)).toBe(60);
  noteDemand(demand, 1, NOON + 1_000);
  expect(tokensFor(demand)).toBe(31);
  noteDemand(demand, 1, NOON + 60_000);
  expect(tokensFor(demand)).toBe(0);
  for (let second = 0; second < 60; second++) {
    noteDemand(demand, 1, NOON + 100_000 + second * 1_000);
    expect(tokensFor(demand)).toBe(0);
  }
});
