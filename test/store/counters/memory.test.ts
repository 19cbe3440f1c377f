/** The memory of the counters: bounded however many addresses come, and no call dropped while it counts. */

import { describe, expect, test } from "bun:test";
import { type Counts, monthAt, NO_COUNTS } from "#domain/limits/counts.ts";
import { callerTable, LocalRecord, localCounts, memoryCounters } from "#store/memory/limits/counters.ts";
import { LeaseRecord, openLeases } from "#store/redis/limits/leases.ts";
import { ADDRESS, FREE, fill, grant, memoryFixture, org, take } from "./fixtures.ts";

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
    // At once: a promise would cost each request a turn of the event loop.
    expect(counters.take(address(0), 1)).not.toBeInstanceOf(Promise);
  });

  test("a count that still counts is never dropped, and an idle one in the end", () => {
    let now = 0;
    const table = callerTable({ now: () => now, addresses: 500, create: () => ({ counts: NO_COUNTS }) });
    const live = new Map<string, { readonly count: number; readonly at: number }>();
    let kept = 0;
    for (let step = 0; step < 20_000; step++) {
      now += step % 1_000 === 999 ? 3 * HOUR : 72_000;
      // 50 come again and again, less often than each two minutes and less rarely than each two hours; one in seven never again.
      const id = `c${step % 7 === 0 ? step : step % 50}`;
      const place = table.of({ kind: "address", id });
      const known = live.get(id);
      if (known !== undefined && now - known.at < 2 * HOUR) {
        expect(place.counts.hour).toEqual({ start: known.at, current: known.count, previous: 7 });
        kept += 1;
      }
      const count = place.counts.hour.current + 1;
      place.counts = { ...NO_COUNTS, hour: { start: now, current: count, previous: 7 } };
      live.set(id, { count, at: now });
    }
    expect(kept).toBeGreaterThan(13_000);
    // Of four hours 29 or so that never came again, beside the 50.
    expect(table.state().callers).toBeLessThan(100);
    expect(table.state().crowded).toBe(0);
    now += 4 * HOUR;
    table.of(ADDRESS);
    // All others fell silent four hours ago.
    expect(table.state().callers).toBe(1);
  });

  test("addresses beyond those that have a place of their own share all 65,536 places", () => {
    const table = callerTable({ now: () => 0, addresses: 0, create: () => ({ counts: NO_COUNTS }) });
    let alone = 0;
    for (let nth = 0; nth < 10_000; nth++) {
      const place = table.of({ kind: "address", id: `2001:db8::${nth}` });
      if (place.counts.minute.current === 0) alone += 1;
      place.counts = { ...NO_COUNTS, minute: { start: 0, current: 1, previous: 0 } };
    }
    // Of 10,000 that are thrown into 65,536 places some 9,270 find theirs empty.
    expect(alone).toBeWithin(9_100, 9_450);
  });
});

test("while Redis is away the ledger is asked each second, also after a clock that was an hour ahead", async () => {
  let now = Date.UTC(2026, 3, 15, 13);
  let used = 100;
  const monthUsed = async () => used;
  const moment = () => ({ now, wall: now });
  const local = localCounts({ moment, replicas: 2, refreshMilliseconds: 1000, monthUsed });
  const record = new LocalRecord();
  const granted = () => local.take(record, FREE, 1, () => record);
  await granted();
  now -= 3_600_000;
  // Another replica has granted the rest of the month.
  used = 10_000;
  await granted();
  await Bun.sleep(0);
  expect(await granted()).toMatchObject({ outcome: "refused", quota: { window: "month", remaining: 0 } });
  // A ledger that lags behind gives nothing back.
  used = 100;
  now += 1000;
  await granted();
  await Bun.sleep(0);
  expect(await granted()).toMatchObject({ outcome: "refused" });
});

test("after a clock that was set back into an earlier month, and is right again, the month goes on where it was", async () => {
  const RIGHT = Date.UTC(2026, 10, 2);
  let now = RIGHT;
  const monthUsed = async () => (now === RIGHT ? 9_995 : 0);
  const counters = memoryCounters({ clock: { now: () => now }, monthUsed });
  expect((await grant(counters, FREE)).quota).toMatchObject({ window: "month", remaining: 4 });
  for (const days of [2, 400]) {
    now = RIGHT - days * 24 * HOUR;
    expect((await grant(counters, FREE)).quota.window).toBe("minute");
  }
  now = RIGHT;
  expect((await grant(counters, FREE)).quota).toMatchObject({ window: "month", remaining: 4 });
});

test("a clock that was 400 days ahead makes no later address share a place", async () => {
  const fixture = memoryFixture();
  const counters = await fixture.open({ addresses: 10 });
  await fixture.pass(400 * 24 * HOUR);
  await grant(counters, address(0));
  await fixture.pass(-400 * 24 * HOUR);
  for (let nth = 1; nth < 100; nth++) {
    await grant(counters, address(nth));
    await fixture.pass(2 * HOUR);
  }
  expect(counters.state().crowded).toBe(0);
});

test("a network that was full while the clock was ahead has calls again soon after the clock is right", async () => {
  const NOON = Date.UTC(2026, 3, 13, 12);
  let now = NOON + 10 * 86_400_000;
  const counters = memoryCounters({ clock: { now: () => now }, monthUsed: async () => 0 });
  const allowance = { minute: 12, hour: 100, month: null };
  const caller = { kind: "address", id: "2001:db8:1:2::/64", allowance } as const;
  for (let nth = 0; nth < 13; nth++) await counters.take(caller, 1);
  for (now = NOON; now < NOON + 130_000; now += 10_000) await counters.take(caller, 1);
  expect(await counters.take(caller, 1)).toMatchObject({ outcome: "granted" });
});

test("a lease is spent for a second, until its first cell ends, and by no clock that was set back", async () => {
  const NOON = Date.UTC(2026, 3, 13, 12);
  let wall = NOON;
  const spentAt = async (at: number, counts: Partial<Counts> = {}, hour: number | null = null) => {
    wall = NOON;
    const started = { start: NOON, current: 10, previous: 0 };
    const all = { minute: started, hour: started, month: { ...monthAt(NOON), used: 10 }, ...counts };
    const reply = { code: "charged", now: NOON, counts: all, around: [], tokens: 10 } as const;
    const moment = () => ({ now: wall, wall });
    const link = { moment, returns: () => 1, take: async () => reply, counts: () => true };
    const { ask, spend } = openLeases(
      { ...link, state: () => ({ status: "ok", detail: null }), close() {} },
      1,
      true,
    );
    const record = new LeaseRecord();
    const caller = { ...org("org_1", 100, 1_000), allowance: { minute: 100, hour, month: 1_000 } };
    await ask(record, caller, 10, null);
    wall = at;
    return spend(record, caller, 1) !== null;
  };
  expect(await spentAt(NOON + 999)).toBe(true);
  expect(await spentAt(NOON + 1000)).toBe(false);
  expect(await spentAt(NOON - 1)).toBe(false);
  const ending = (milliseconds: number) => ({ start: NOON - milliseconds, current: 10, previous: 0 });
  expect(await spentAt(NOON + 200, { minute: ending(59_800) })).toBe(false);
  expect(await spentAt(NOON + 300, { hour: ending(3_599_700) }, 1_000)).toBe(false);
  expect(await spentAt(NOON + 100, { month: { start: 0, end: NOON + 100, used: 10 } })).toBe(false);
});
