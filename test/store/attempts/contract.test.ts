/** What all attempts promise, whether they are counted in memory or in Redis. */

import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { ATTEMPT_LIMITS } from "#domain/limits/counts.ts";
import type { Attempts, Gate } from "#ports/ledger.ts";
import { memoryAttempts } from "#store/memory/attempts/attempts.ts";
import { onRedis } from "#test/support/redis-server.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { type Fixture, memoryFixture, NOON, redisFixture } from "./fixtures.ts";

setDefaultTimeout(30_000);
const account: Gate = { limit: "sign-in to", key: "ada@example.com" };
const from: Gate = { limit: "sign-in from", key: "192.0.2.7" };
const { most, milliseconds } = ATTEMPT_LIMITS["sign-in to"];

function meetsContract(makeFixture: () => Fixture): void {
  let fixture: Fixture;
  let attempts: Attempts;
  const take = async (gates: readonly Gate[], at: number) => await attempts.take(gates, await fixture.at(at));
  beforeEach(async () => {
    fixture = makeFixture();
    attempts = await fixture.open();
  });
  afterEach(() => fixture.close());

  test("as many as the limit pass at once, not one more, and the wait is exact to the millisecond", async () => {
    for (let nth = 0; nth < most; nth++) expect(await take([account], NOON)).toBe(0);
    const wait = await take([account], NOON + 1);
    expect(wait).toBeGreaterThan(0);
    expect(await take([account], NOON + wait)).toBeGreaterThan(0);
    expect(await take([account], NOON + 1 + wait)).toBe(0);
  });

  test("of a storm from two processes the limit passes, to the unit", async () => {
    const other = await fixture.open();
    const now = await fixture.at(NOON);
    const storm = Array.from({ length: 60 }, (_, nth) =>
      (nth % 2 === 0 ? attempts : other).take([account], now),
    );
    expect((await Promise.all(storm)).filter((wait) => wait === 0)).toHaveLength(most);
  });

  test("never more than the limit fall into any window, whenever they come", async () => {
    const passed: number[] = [];
    for (let at = NOON; at < NOON + 3 * milliseconds; at += 31_001) {
      if ((await take([account], at)) === 0) passed.push(at);
    }
    for (const [nth, at] of passed.entries()) {
      const earlier = passed.slice(0, nth).filter((other) => other > at - milliseconds / 2);
      expect(earlier.length).toBeLessThan(most);
    }
    expect(passed.length).toBeGreaterThan(1.5 * most);
  });

  test("whatever the times, the answers are those of the arithmetic in memory", async () => {
    const random = seededRandom(77);
    const model = memoryAttempts();
    let at = NOON;
    for (let nth = 0; nth < 300; nth++) {
      at += Math.floor(random() * (random() < 0.1 ? 2 * milliseconds : 60_000));
      const gates = random() < 0.5 ? [account] : [from, { ...account, key: `p${Math.floor(random() * 3)}` }];
      expect(await take(gates, at)).toBe(model.take(gates, at));
    }
  });

  test("a closed gate leaves the others uncounted", async () => {
    for (let nth = 0; nth < most; nth++) await take([account], NOON);
    for (let nth = 0; nth < 80; nth++) expect(await take([from, account], NOON)).toBeGreaterThan(0);
    for (let nth = 0; nth < ATTEMPT_LIMITS["sign-in from"].most; nth++)
      expect(await take([from], NOON)).toBe(0);
    expect(await take([from], NOON)).toBeGreaterThan(0);
  });

  test("of two closed gates the one that stays closed longer decides the wait", async () => {
    for (let nth = 0; nth < ATTEMPT_LIMITS["mail from"].most; nth++) {
      await take([{ limit: "mail from", key: "192.0.2.7" }], NOON);
    }
    for (let nth = 0; nth < most; nth++) await take([account], NOON + 1000);
    const hour = await take([{ limit: "mail from", key: "192.0.2.7" }], NOON + 1000);
    const quarter = await take([account], NOON + 1000);
    expect(hour).toBeGreaterThan(quarter);
    expect(await take([account, { limit: "mail from", key: "192.0.2.7" }], NOON + 1000)).toBe(hour);
  });

  test("clearing drops the count of that gate only", async () => {
    const other: Gate = { ...account, key: "grace@example.com" };
    for (let nth = 0; nth < most; nth++) await take([account, other], NOON);
    await attempts.clear(account);
    expect(await take([account], NOON)).toBe(0);
    expect(await take([other], NOON)).toBeGreaterThan(0);
  });

  test("one key at two limits is counted apart", async () => {
    for (let nth = 0; nth < most; nth++) await take([account], NOON);
    expect(await take([{ limit: "mail to", key: account.key }], NOON)).toBe(0);
  });
}

describe("in memory", () => meetsContract(memoryFixture));

onRedis("attempts in Redis", (server) => meetsContract(() => redisFixture(server)));

test("memory is bounded: the gate unused longest goes first", () => {
  const attempts = memoryAttempts({ gates: 3 });
  for (let nth = 0; nth < most; nth++) attempts.take([account], NOON);
  for (const key of ["a", "b"]) attempts.take([{ limit: "sign-in from", key }], NOON);
  expect(attempts.take([account], NOON)).toBeGreaterThan(0);
  attempts.take([{ limit: "sign-in from", key: "c" }], NOON);
  expect(attempts.take([account], NOON)).toBe(0);
});
