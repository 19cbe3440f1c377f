/** What is counted and not yet in the ledger: how much, since when, and nothing once it is written. */

import { beforeEach, expect, test } from "bun:test";
import { openUsageMeter, type UsageMeter } from "#accounts/usage-meter.ts";
import { LedgerUnavailable } from "#domain/account/ledger-faults.ts";
import type { UsageIncrement } from "#domain/account/usage-day.ts";
import { NOON } from "./history.ts";
import { standingClock, type TestClock } from "./replica.ts";

let clock: TestClock;
let isAway: boolean;
let written: (readonly [id: string, increments: readonly UsageIncrement[]])[];
let meter: UsageMeter;
beforeEach(() => {
  clock = standingClock();
  [isAway, written] = [false, []];
  let batches = 0;
  meter = openUsageMeter({
    usage: {
      apply: async (id, increments) => {
        if (isAway) throw new LedgerUnavailable("no answer");
        written.push([id, increments]);
        return true;
      },
    },
    clock,
    tell: () => {},
    newBatchId: () => `bat_${++batches}`,
    every: () => () => {},
  });
});

test("nothing waits since never; the first call is the oldest until all is written", async () => {
  expect(meter.waiting()).toEqual({ calls: 0, since: null });
  meter.served("org_1", 12);
  clock.at += 300;
  meter.limited("org_2");
  expect(meter.waiting()).toEqual({ calls: 2, since: NOON });
  await meter.flush();
  expect(meter.waiting()).toEqual({ calls: 0, since: null });
  clock.at += 200;
  meter.served("org_1", 1);
  expect(meter.waiting()).toEqual({ calls: 1, since: NOON + 500 });
});

test("while the ledger is away everything waits, with the age of the oldest; afterwards nothing does, and each call was written once", async () => {
  isAway = true;
  for (let second = 0; second < 5; second++) {
    meter.served("org_1", 1);
    clock.at += 1000;
    await meter.flush();
  }
  meter.limited("org_1");
  expect(meter.waiting()).toEqual({ calls: 6, since: NOON });
  isAway = false;
  await meter.flush();
  expect(meter.waiting()).toEqual({ calls: 0, since: null });
  const all = written.flatMap(([, increments]) => increments);
  expect(all.reduce((sum, { served, rateLimited }) => sum + served + rateLimited, 0)).toBe(6);
  expect(new Set(written.map(([id]) => id)).size).toBe(written.length);
});

test("the first batch of an outage stays as it is and is written first; the age is then that of the next", async () => {
  isAway = true;
  for (const at of [0, 1000, 2000]) {
    clock.at = NOON + at;
    meter.served("org_1", 1);
    await meter.flush();
  }
  isAway = false;
  const seen: (number | null)[] = [];
  const { push } = written;
  written.push = (...entries) => {
    seen.push(meter.waiting().since);
    return push.apply(written, entries);
  };
  await meter.flush();
  expect(seen).toEqual([NOON, NOON + 1000]);
});

test("a thousand calls are written before the beat, and no more often than every tenth of a second", async () => {
  const serve = async (calls: number) => {
    for (let call = 0; call < calls; call++) meter.served("org_1", 1);
    // What was begun is written by now: this ledger answers at once.
    await Bun.sleep(0);
  };
  await serve(999);
  expect(written.length).toBe(0);
  await serve(1);
  expect(written.length).toBe(1);
  clock.at += 99;
  await serve(5000);
  expect(written.length).toBe(1);
  expect(meter.waiting()).toEqual({ calls: 5000, since: NOON + 99 });
  clock.at += 1;
  await serve(1);
  expect(written.length).toBe(2);
  expect(meter.waiting()).toEqual({ calls: 0, since: null });
});
