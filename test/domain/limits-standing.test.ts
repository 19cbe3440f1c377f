/** What a refused call is told: the window that it waits for, and never more calls than pass right now. */

import { expect, test } from "bun:test";
import { EMPTY_CELL } from "#domain/limits/cell.ts";
import type { Counts } from "#domain/limits/counts.ts";
import { refused } from "#domain/limits/standing.ts";

const NOON = Date.UTC(2026, 5, 1, 12);
const MONTH_END = Date.UTC(2026, 6, 1);

test("refused by the month while the minute has nothing left: nothing passes right now, whatever is left of the month", () => {
  const counts: Counts = {
    minute: { start: NOON, current: 9, previous: 0 },
    hour: EMPTY_CELL,
    month: { start: Date.UTC(2026, 5, 1), end: MONTH_END, used: 35 },
  };
  const { standing } = refused(counts, { minute: 9, hour: null, month: 40 }, 6, { now: NOON, wall: NOON });
  expect(standing).toEqual({ window: "month", limit: 40, remaining: 0, resetAt: MONTH_END / 1000 });
});
