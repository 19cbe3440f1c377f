/** One sliding window against an exact log of what it granted. */

import { describe, expect, test } from "bun:test";
import { type Cell, charged, EMPTY_CELL, occupied, rolled, waitFor } from "#domain/limits/counts.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

const WIDTH = 60_000;
const START = Date.UTC(2026, 3, 13, 16, 30);

interface Entry {
  readonly at: number;
  readonly cost: number;
}

function windowOf(limit: number) {
  let cell: Cell = EMPTY_CELL;
  const log: Entry[] = [];
  const fits = (cost: number, now: number) => {
    cell = rolled(cell, WIDTH, now);
    return occupied(cell, WIDTH, now) + cost <= limit;
  };
  return {
    log,
    fits,
    cell: () => cell,
    take: (cost: number, now: number) => {
      if (!fits(cost, now)) return false;
      cell = charged(cell, cost);
      log.push({ at: now, cost });
      return true;
    },
    wait: (cost: number, now: number) => waitFor(rolled(cell, WIDTH, now), WIDTH, limit, cost, now),
  };
}

function mostInAnyWidth(log: readonly Entry[]): number {
  let most = 0;
  let sum = 0;
  let from = 0;
  for (const { at, cost } of log) {
    sum += cost;
    for (let first = log[from]; first !== undefined && first.at <= at - WIDTH; first = log[from]) {
      sum -= first.cost;
      from += 1;
    }
    most = Math.max(most, sum);
  }
  return most;
}

/** Milliseconds to the next call: a storm, a trickle, or a pause of up to three windows. */
function pause(random: () => number): number {
  const kind = random();
  if (kind < 0.6) return Math.floor(random() * 40);
  if (kind < 0.95) return Math.floor(random() * 9_000);
  return Math.floor(random() * 3 * WIDTH);
}

describe("a sliding window", () => {
  test.each([1, 2, 12, 120, 500])(
    "of %d never lets more than twice the limit less one through any width",
    (limit) => {
      const random = seededRandom(limit);
      for (let round = 0; round < 20; round++) {
        const sliding = windowOf(limit);
        let now = START;
        for (let call = 0; call < 2_000; call++) {
          sliding.take(1 + Math.floor(random() * random() * Math.min(limit, 40)), now);
          now += pause(random);
        }
        expect(mostInAnyWidth(sliding.log)).toBeLessThanOrEqual(2 * limit - 1);
      }
    },
  );

  test("a burst out of silence gets the limit to the unit, wherever the minute of the clock turns", () => {
    const random = seededRandom(3);
    for (let round = 0; round < 200; round++) {
      const sliding = windowOf(120);
      let now = START + Math.floor(random() * WIDTH);
      const end = now + WIDTH;
      let granted = 0;
      for (; now < end; now += 97) granted += sliding.take(1, now) ? 1 : 0;
      expect(granted).toBe(120);
    }
  });

  test("the worst there is, a burst at the end of a cell and a patient caller after it, comes to just below twice the limit", () => {
    const sliding = windowOf(12);
    sliding.take(1, START);
    for (let call = 0; call < 11; call++) sliding.take(1, START + WIDTH - 1);
    for (let now = START + WIDTH; now < START + 2 * WIDTH - 1; now++) sliding.take(1, now);
    expect(mostInAnyWidth(sliding.log)).toBe(22);
  });

  test("in the long run no more than the limit a width comes through, and one limit on top", () => {
    const random = seededRandom(8);
    for (const limit of [12, 120]) {
      const sliding = windowOf(limit);
      for (let now = START; now < START + 50 * WIDTH; now += Math.floor(random() * 400)) sliding.take(1, now);
      const sum = sliding.log.reduce((total, { cost }) => total + cost, 0);
      expect(sum).toBeLessThanOrEqual(51 * limit);
      expect(sum).toBeGreaterThan(45 * limit);
    }
  });

  test("a clock set back a little leaves the count unchanged; by more than a window it does not lock the caller out", () => {
    let cell = charged(rolled(EMPTY_CELL, WIDTH, START), 12);
    cell = rolled(cell, WIDTH, START - 30_000);
    expect(occupied(cell, WIDTH, START - 30_000)).toBe(12);
    cell = rolled(cell, WIDTH, START - 50 * WIDTH);
    expect(occupied(cell, WIDTH, START - 50 * WIDTH)).toBe(12);
    expect(waitFor(cell, WIDTH, 12, 1, START - 50 * WIDTH)).toBeLessThanOrEqual(2 * WIDTH);
  });
});
