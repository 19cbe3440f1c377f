/** The worked example and the obedient client of docs/limits.md, as they are printed there. */

import { expect, test } from "bun:test";
import { memoryCounters } from "#store/memory/limits/counters.ts";
import { FREE, grant, take } from "./fixtures.ts";

const NOON = Date.UTC(2026, 3, 13, 12);

test("the table of the worked example is what happens", async () => {
  let now = NOON;
  const counters = memoryCounters({ clock: { now: () => now }, monthUsed: async () => 0 });
  const quotaText = async () => {
    const taken = await take(counters, FREE);
    if (taken.outcome !== "granted" && taken.outcome !== "refused") throw new Error(taken.outcome);
    const { remaining, resetAt } = taken.quota;
    const wait = taken.outcome === "refused" ? ` refused, ${taken.retryAfterSeconds}` : "";
    return `${remaining} ${new Date(resetAt * 1000).toISOString().slice(11, 19)}${wait}`;
  };
  expect(await quotaText()).toBe("11 12:01:05");
  for (let call = 2; call < 12; call++) await grant(counters, FREE);
  expect(await quotaText()).toBe("0 12:01:05");
  for (const [time, text] of [
    ["12:00:10", "0 12:01:05 refused, 55"],
    ["12:01:05", "0 12:01:10"],
    ["12:01:10", "0 12:01:15"],
    ["12:04:00", "11 12:05:05"],
  ] as const) {
    now = Date.parse(`2026-04-13T${time}Z`);
    expect([time, await quotaText()]).toEqual([time, text]);
  }
});

test("the obedient client, over an hour, is not refused once and gets nine tenths of the limit and more", async () => {
  let now = NOON;
  const counters = memoryCounters({ clock: { now: () => now }, monthUsed: async () => 0 });
  let free = 0;
  let calls = 0;
  for (; now < NOON + 3_600_000; calls++) {
    now = Math.max(now + 40, free);
    const { quota } = await grant(counters, FREE);
    if (quota.remaining === 0) free = quota.resetAt * 1000;
  }
  expect(calls).toBeGreaterThan(0.9 * 60 * 12);
});
