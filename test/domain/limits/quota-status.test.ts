/** The window that the quota status of a call names, where two have equally few calls left. */

import { expect, test } from "bun:test";
import { type Counts, WIDTHS } from "#domain/limits/counts.ts";
import { granted } from "#domain/limits/quota-status.ts";

const NOON = Date.UTC(2026, 5, 1, 12);
const AT_NOON = { now: NOON, wall: NOON };

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
