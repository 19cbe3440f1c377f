/** What attempts to sign in, to send mail and the like are limited to, in one process and in each of several. */

import { beforeEach, expect, test } from "bun:test";
import { ATTEMPT_LIMITS } from "#domain/limits/counts.ts";
import type { Attempts, Gate } from "#ports/ledger.ts";
import { memoryAttempts } from "#store/memory/attempts/attempts.ts";

const NOON = Date.UTC(2026, 3, 13, 12);
const account: Gate = { limit: "sign-in to", key: "ada@example.com" };
const from: Gate = { limit: "sign-in from", key: "192.0.2.7" };
const { most, milliseconds } = ATTEMPT_LIMITS["sign-in to"];

let attempts: Attempts;
const take = (gates: readonly Gate[], at: number) => attempts.take(gates, at);
beforeEach(() => {
  attempts = memoryAttempts();
});

test("as many as the limit pass at once, not one more, and the wait is exact to the millisecond", () => {
  for (let nth = 0; nth < most; nth++) expect(take([account], NOON)).toBe(0);
  const wait = take([account], NOON + 1);
  expect(wait).toBeGreaterThan(0);
  expect(take([account], NOON + wait)).toBeGreaterThan(0);
  expect(take([account], NOON + 1 + wait)).toBe(0);
});

test("never more than the limit fall into any window, whenever they come", () => {
  const passed: number[] = [];
  for (let at = NOON; at < NOON + 3 * milliseconds; at += 31_001) {
    if (take([account], at) === 0) passed.push(at);
  }
  for (const [nth, at] of passed.entries()) {
    const earlier = passed.slice(0, nth).filter((other) => other > at - milliseconds / 2);
    expect(earlier.length).toBeLessThan(most);
  }
  expect(passed.length).toBeGreaterThan(1.5 * most);
});

test("a gate that closed while the clock was ahead opens a window after the clock is right", () => {
  const days = 10 * 86_400_000;
  for (let nth = 0; nth <= most; nth++) take([account], NOON + days);
  const wait = take([account], NOON);
  expect(wait).toBeLessThan(2 * milliseconds);
  expect(take([account], NOON + wait)).toBe(0);
});

test("a closed gate leaves the others uncounted", () => {
  for (let nth = 0; nth < most; nth++) take([account], NOON);
  for (let nth = 0; nth < 80; nth++) expect(take([from, account], NOON)).toBeGreaterThan(0);
  for (let nth = 0; nth < ATTEMPT_LIMITS["sign-in from"].most; nth++) expect(take([from], NOON)).toBe(0);
  expect(take([from], NOON)).toBeGreaterThan(0);
});

test("of two closed gates the one that stays closed longer decides the wait", () => {
  for (let nth = 0; nth < ATTEMPT_LIMITS["mail from"].most; nth++) {
    take([{ limit: "mail from", key: "192.0.2.7" }], NOON);
  }
  for (let nth = 0; nth < most; nth++) take([account], NOON + 1000);
  const hour = take([{ limit: "mail from", key: "192.0.2.7" }], NOON + 1000);
  const quarter = take([account], NOON + 1000);
  expect(hour).toBeGreaterThan(quarter);
  expect(take([account, { limit: "mail from", key: "192.0.2.7" }], NOON + 1000)).toBe(hour);
});

test("clearing drops the count of that gate only", () => {
  const other: Gate = { ...account, key: "grace@example.com" };
  for (let nth = 0; nth < most; nth++) take([account, other], NOON);
  attempts.clear(account);
  expect(take([account], NOON)).toBe(0);
  expect(take([other], NOON)).toBeGreaterThan(0);
});

test("one key at two limits is counted apart", () => {
  for (let nth = 0; nth < most; nth++) take([account], NOON);
  expect(take([{ limit: "mail to", key: account.key }], NOON)).toBe(0);
});

test("of several processes each grants its share of a limit, rounded up, and at least three", () => {
  for (const [replicas, share] of [
    [2, 5],
    [3, 4],
    [20, 3],
  ] as const) {
    attempts = memoryAttempts({ replicas });
    for (let nth = 0; nth < share; nth++) expect(take([account], NOON)).toBe(0);
    expect(take([account], NOON)).toBeGreaterThan(0);
  }
});

test("memory is bounded: the gate unused longest goes first", () => {
  const attempts = memoryAttempts({ gates: 3 });
  for (let nth = 0; nth < most; nth++) attempts.take([account], NOON);
  for (const key of ["a", "b"]) attempts.take([{ limit: "sign-in from", key }], NOON);
  expect(attempts.take([account], NOON)).toBeGreaterThan(0);
  attempts.take([{ limit: "sign-in from", key: "c" }], NOON);
  expect(attempts.take([account], NOON)).toBe(0);
});
