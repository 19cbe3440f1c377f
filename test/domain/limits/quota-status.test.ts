/** The quota status of a call: limit, calls left and reset of one and the same window. */

import { describe, expect, test } from "bun:test";
import {
  type Allowance,
  type Cell,
  type Counts,
  occupied,
  rolledCounts,
  WIDTHS,
  WINDOWS,
  type Window,
  waitFor,
} from "#domain/limits/counts.ts";
import { fits, granted, refused } from "#domain/limits/quota-status.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

const NOON = Date.UTC(2026, 5, 1, 12);
const MONTH_END = Date.UTC(2026, 6, 1);
const AT_NOON = { now: NOON, wall: NOON };
const month = (used: number) => ({ start: Date.UTC(2026, 5, 1), end: MONTH_END, used });

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

describe("at random", () => {
  const random = seededRandom(13);
  const upTo = (most: number) => Math.floor(random() * (most + 1));
  const cell = (width: number, limit: number): Cell => ({
    start: NOON - upTo(width - 1),
    current: upTo(limit),
    previous: upTo(limit),
  });

  /** One window by itself, by the definition of its cells. */
  function alone(window: Window, counts: Counts, allowance: Allowance) {
    const limit = allowance[window];
    if (limit === null) return null;
    if (window === "month") {
      const left = limit - (counts.month?.used ?? 0);
      return { limit, left, wait: (cost: number, used = 0) => (left - used < cost ? MONTH_END - NOON : 0) };
    }
    const [width, of] = [WIDTHS[window], counts[window]];
    const left = limit - occupied(of, width, NOON);
    const wait = (cost: number, used = 0) =>
      left - used < cost ? waitFor({ ...of, current: of.current + used }, width, limit, cost, NOON) : 0;
    return { limit, left, wait };
  }

  test("limit, calls left and reset are those of one window by itself, the one that the documents name", () => {
    let refusals = 0;
    for (let round = 0; round < 20_000; round++) {
      const allowance: Allowance = {
        minute: 1 + upTo(30),
        hour: random() < 0.5 ? 1 + upTo(100) : null,
        month: random() < 0.5 ? 1 + upTo(60) : null,
      };
      const counts = rolledCounts(
        {
          minute: cell(WIDTHS.minute, allowance.minute),
          hour: cell(WIDTHS.hour, allowance.hour ?? 0),
          month: month(upTo(allowance.month ?? 0)),
        },
        NOON,
      );
      const limits = WINDOWS.flatMap((window) => allowance[window] ?? []);
      const cost = 1 + upTo(Math.min(...limits) - 1);
      const each = WINDOWS.map((window) => ({ window, own: alone(window, counts, allowance) }));
      const isRefused = !fits(counts, allowance, cost, NOON);
      const { quota } = isRefused
        ? refused(counts, allowance, cost, AT_NOON)
        : granted(counts, allowance, cost, AT_NOON, "process");
      const status = each.find(({ window }) => window === quota.window)?.own;
      const left = Math.max(0, status?.left ?? 0);
      const wait = isRefused ? status?.wait(cost) : status?.wait(cost, left);
      expect(quota).toEqual({
        window: quota.window,
        limit: status?.limit ?? 0,
        remaining: left,
        resetAt: Math.ceil((NOON + (wait ?? 0)) / 1000),
      });
      const others = each.flatMap(({ own }) => own ?? []);
      if (isRefused) {
        refusals += 1;
        for (const own of others) expect(own.wait(cost)).toBeLessThanOrEqual(wait ?? 0);
      } else {
        // What is left passes in every window.
        for (const own of others) expect(Math.max(0, own.left)).toBeGreaterThanOrEqual(left);
      }
    }
    expect(refusals).toBeGreaterThan(1000);
  });
});
