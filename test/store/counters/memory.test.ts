/** The memory of the counters: bounded however many addresses come, and no call dropped while it counts. */

import { describe, expect, test } from "bun:test";
import { callerTable } from "#store/memory/limits/caller-table.ts";
import { ADDRESS, fill, grant, memoryFixture, take } from "./fixtures.ts";

const HOUR = 3_600_000;
const address = (nth: number) => ({ ...ADDRESS, id: `198.51.${nth >> 8}.${nth & 255}` });

describe("memory", () => {
  test("holds as many addresses as it may, and counts those beyond together: limits get narrower, never wider", async () => {
    const fixture = memoryFixture();
    const counters = await fixture.open({ addresses: 100 });
    for (let nth = 0; nth < 100; nth++) await fill(counters, address(nth));
    for (let nth = 100; nth < 30_000; nth++) await take(counters, address(nth));
    expect(counters.state().callers).toBe(100);
    expect(counters.state().crowded).toBe(29_900);
    // No caller has got anything back by the flood.
    for (let nth = 0; nth < 100; nth++) expect((await take(counters, address(nth))).outcome).toBe("refused");
    expect(await fill(counters, address(29_999))).toBeLessThanOrEqual(11);
  });

  test("those that fell silent for two hours make room as others come", async () => {
    const fixture = memoryFixture();
    const counters = await fixture.open({ addresses: 1_000 });
    for (let nth = 0; nth < 1_000; nth++) await grant(counters, address(nth));
    await fixture.pass(2 * HOUR);
    for (let nth = 1_000; nth < 2_000; nth++) await grant(counters, address(nth));
    expect(counters.state().crowded).toBe(0);
    expect(counters.state().callers).toBeLessThanOrEqual(1_000);
  });

  test("a record that still counts is never dropped", () => {
    let now = 0;
    const table = callerTable<{ usedAt: number }>({
      addresses: 500,
      create: () => ({ usedAt: now }),
      isIdle: ({ usedAt }) => now - usedAt >= 100,
    });
    const live = new Map<string, object>();
    for (let step = 0; step < 20_000; step++) {
      now += 1;
      const id = `c${step % 7 === 0 ? step : step % 50}`;
      const record = table.of({ kind: "address", id });
      record.usedAt = now;
      if (step % 7 !== 0 && step > 100) {
        expect(live.get(id) ?? record).toBe(record);
        live.set(id, record);
      }
    }
    expect(table.size).toBeLessThan(200);
  });

  test("answers without a promise once it knows the month", async () => {
    const counters = await memoryFixture().open();
    expect(counters.take(ADDRESS, 1)).not.toBeInstanceOf(Promise);
  });
});
