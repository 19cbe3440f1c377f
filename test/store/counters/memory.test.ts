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

  test("those that fell silent for four hours make room as others come", async () => {
    const fixture = memoryFixture();
    const counters = await fixture.open({ addresses: 1_000 });
    for (let nth = 0; nth < 1_000; nth++) await grant(counters, address(nth));
    await fixture.pass(4 * HOUR);
    for (let nth = 1_000; nth < 2_000; nth++) await grant(counters, address(nth));
    expect(counters.state().crowded).toBe(0);
    expect(counters.state().callers).toBeLessThanOrEqual(1_000);
  });

  test("a record that still counts is never dropped, and an idle one in the end", () => {
    let now = 0;
    let created = 0;
    const table = callerTable({ now: () => now, addresses: 500, create: () => ({ nth: created++ }) });
    const live = new Map<string, { readonly record: object; readonly at: number }>();
    for (let step = 0; step < 20_000; step++) {
      now += step % 1_000 === 999 ? 3 * HOUR : 72_000;
      // 50 come again and again, less often than each two minutes and less rarely than each two hours; one in seven never again.
      const id = `c${step % 7 === 0 ? step : step % 50}`;
      const record = table.of({ kind: "address", id });
      const known = live.get(id);
      if (known !== undefined && now - known.at < 2 * HOUR)
        expect(record).toBe(known.record as typeof record);
      live.set(id, { record, at: now });
    }
    // Of four hours 29 or so that never came again, beside the 50.
    expect(table.state().callers).toBeLessThan(100);
    expect(table.state().crowded).toBe(0);
  });

  test("answers without a promise once it knows the month", async () => {
    const counters = await memoryFixture().open();
    expect(counters.take(ADDRESS, 1)).not.toBeInstanceOf(Promise);
  });
});
