/** When a failed delivery comes again: the published waits, longer by chance up to a tenth, and an end. */

import { expect, test } from "bun:test";
import { nextAttempt, outcomeIsSuccess, testEvent } from "#domain/webhook/endpoint.ts";
import { seededBytes } from "#test/gateways/random.ts";

const AT = 1_790_000_000_000;
const MINUTE = 60_000;
const WAITS = [1, 5, 30, 120, 360].map((minutes) => minutes * MINUTE);
const least = (count: number) => new Uint8Array(count);
const most = (count: number) => new Uint8Array(count).fill(255);

test("the retries come 1 minute, 5 minutes, 30 minutes, 2 hours and 6 hours after the failure before", () => {
  expect([1, 2, 3, 4, 5].map((attempts) => (nextAttempt(attempts, AT, least) ?? 0) - AT)).toEqual(WAITS);
});

test("after six attempts there is none", () => {
  for (const attempts of [6, 7, 1000]) expect(nextAttempt(attempts, AT, least)).toBeNull();
});

test("six attempts take about eight and a half hours", () => {
  let at = AT;
  for (let attempts = 1; attempts < 6; attempts++) at = nextAttempt(attempts, at, least) ?? Number.NaN;
  expect((at - AT) / MINUTE).toBe(516);
});

test("chance makes a wait longer by less than a tenth, never shorter, in whole milliseconds", () => {
  for (const [index, wait] of WAITS.entries()) {
    expect((nextAttempt(index + 1, AT, most) ?? 0) - AT).toBeLessThan(wait * 1.1);
    expect((nextAttempt(index + 1, AT, most) ?? 0) - AT).toBeGreaterThan(wait * 1.1 - 2);
  }
  const random = seededBytes(11);
  const drawn = Array.from({ length: 2000 }, () => (nextAttempt(2, AT, random) ?? 0) - AT);
  expect(Math.min(...drawn)).toBeGreaterThanOrEqual(5 * MINUTE);
  expect(Math.max(...drawn)).toBeLessThan(5.5 * MINUTE);
  const mean = drawn.reduce((sum, wait) => sum + wait, 0) / drawn.length;
  expect(Math.abs(mean - 5.25 * MINUTE)).toBeLessThan(0.02 * MINUTE);
  expect(drawn.every(Number.isInteger)).toBe(true);
});

test.each([
  [200, true],
  [204, true],
  [299, true],
  [null, false],
  [101, false],
  [199, false],
  [300, false],
  [302, false],
  [304, false],
  [404, false],
  [410, false],
  [429, false],
  [500, false],
  [999, false],
])("status %p is a success: %p", (status, isSuccess) => {
  expect(outcomeIsSuccess({ status })).toBe(isSuccess);
});

test("a test event names its moment and its endpoint, and nothing else, in compact JSON", () => {
  expect(testEvent("whe_0123456789ABCDEFGHIJ", 1_790_000_000_123)).toEqual({
    id: "evt_test_1790000000123",
    type: "webhook.test",
    createdAt: 1_790_000_000_123,
    body: '{"id":"evt_test_1790000000123","type":"webhook.test","created_at":"2026-09-21T14:13:20.123Z","data":{"endpoint":"whe_0123456789ABCDEFGHIJ"}}',
  });
});
