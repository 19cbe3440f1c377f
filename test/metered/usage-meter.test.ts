/** What is counted and not yet in the ledger: how much, since when, and nothing once it is written. */

import { beforeEach, expect, spyOn, test } from "bun:test";
import { openUsageMeter, type UsageMeter } from "#accounts/limits/usage-meter.ts";
import { LedgerUnavailable } from "#domain/account/ledger.ts";
import type { UsageIncrement } from "#domain/account/organization.ts";
import { dayAt, firstDayOfMonth, formatDay, parseDay } from "#domain/time/day.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { bearer, join, json } from "./client.ts";
import { dataDirectory, NOON } from "./history.ts";
import { fixedClock, openReplica, type TestClock } from "./replica.ts";

let clock: TestClock;
let isAway: boolean;
/** A written batch is acknowledged after it. */
let acknowledged: Promise<void>;
let written: (readonly [id: string, increments: readonly UsageIncrement[]])[];
let asked: number;
let emitted: string[];
let meter: UsageMeter;
let timers: { readonly milliseconds: number; readonly run: () => void }[];
beforeEach(() => {
  clock = fixedClock();
  [isAway, written, timers, asked, emitted] = [false, [], [], 0, []];
  acknowledged = Promise.resolve();
  let batches = 0;
  meter = openUsageMeter({
    usage: {
      apply: async (id, increments) => {
        asked += 1;
        if (isAway) throw new LedgerUnavailable("no answer");
        written.push([id, increments]);
        await acknowledged;
        return true;
      },
    },
    clock,
    emit: (event) => emitted.push(event.kind === "usage_lost" ? `usage_lost ${event.calls}` : event.kind),
    newBatchId: () => `bat_${++batches}`,
    later: (milliseconds, run) => {
      const timer = { milliseconds, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((one) => one !== timer);
      };
    },
  });
});

const charged = (cost: number) => ({ cost, wall: clock.now() });

test("nothing waits since never; the first call is the oldest until all is written", async () => {
  expect(meter.waiting()).toEqual({ calls: 0, since: null });
  meter.served("org_1", "idn_1", charged(12));
  clock.at += 300;
  meter.limited("org_2", "idn_2", "minute");
  expect(meter.waiting()).toEqual({ calls: 2, since: NOON });
  await meter.flush();
  expect(meter.waiting()).toEqual({ calls: 0, since: null });
  clock.at += 200;
  meter.served("org_1", "idn_1", charged(1));
  expect(meter.waiting()).toEqual({ calls: 1, since: NOON + 500 });
});

test("the first batch of an outage stays as it is and is written first; the age is then that of the next", async () => {
  isAway = true;
  for (const at of [0, 1000, 2000]) {
    clock.at = NOON + at;
    meter.served("org_1", "idn_1", charged(1));
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

/** What was begun is done by then: this ledger answers at once. */
const settled = () => Bun.sleep(0);
const planned = () => timers.map(({ milliseconds }) => milliseconds);
const fire = async () => {
  timers.shift()?.run();
  await settled();
};

test("the first call, served or refused, plans the writing within a tenth of a second; closing leaves nothing planned, and says what is lost", async () => {
  meter.limited("org_1", "idn_1", "month");
  expect(planned()).toEqual([100]);
  await fire();
  meter.served("org_1", "idn_1", charged(1));
  expect(planned()).toEqual([100]);
  isAway = true;
  await meter.close();
  expect([written.length, planned()]).toEqual([1, []]);
  expect(emitted).toEqual(["job_failed", "usage_lost 1"]);
});

test("a call that comes in while the last batch is written is written before the end", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  acknowledged = promise;
  meter.served("org_1", "idn_1", charged(1));
  const closing = meter.close();
  meter.served("org_1", "idn_1", charged(1));
  resolve();
  await closing;
  expect([written.length, emitted]).toEqual([2, []]);
});

test("over any course of calls nothing waits longer than a tenth of a second and the pause before the next call", async () => {
  const random = seededRandom(5);
  for (let call = 0; call < 2_000; call++) {
    const pause = Math.floor(random() * 40);
    clock.at += pause;
    meter.served("org_1", "idn_1", charged(1));
    await settled();
    const { since } = meter.waiting();
    expect(clock.now() - (since ?? clock.now())).toBeLessThan(100);
  }
  expect(written.length).toBeLessThanOrEqual((clock.now() - NOON) / 100);
});

test("an unreachable ledger is called once a second, however many calls come, and until it has every usage", async () => {
  isAway = true;
  meter.served("org_1", "idn_1", charged(1));
  await fire();
  expect(planned()).toEqual([1_000]);
  for (let call = 0; call < 3_000; call++) {
    clock.at += 1;
    meter.served("org_1", "idn_1", charged(1));
    await settled();
  }
  expect([asked, planned()]).toEqual([1, [1_000]]);
  await fire();
  expect([asked, planned()]).toEqual([2, [1_000]]);
  expect(meter.waiting()).toEqual({ calls: 3_001, since: NOON });
  // The log has one line of an outage.
  expect(emitted).toEqual(["job_failed"]);
  meter.served("org_1", "idn_1", charged(1));
  isAway = false;
  await fire();
  expect(written.reduce((sum, [, increments]) => sum + (increments[0]?.served ?? 0), 0)).toBe(3_002);
  expect(new Set(written.map(([id]) => id)).size).toBe(written.length);
  expect([planned(), meter.waiting()]).toEqual([[], { calls: 0, since: null }]);
});

test("a call that is answered after midnight belongs to the day and the month in which it was charged", async () => {
  clock.at = Date.parse("2026-04-30T23:59:59.900Z");
  const early = charged(3);
  clock.at += 200;
  meter.served("org_1", "idn_1", charged(1));
  meter.served("org_1", "idn_1", early);
  meter.served("org_1", "idn_1", charged(1));
  expect(["2026-04-01", "2026-05-01"].map((day) => meter.pendingCalls("idn_1", parseDay(day) ?? 0))).toEqual([
    3, 2,
  ]);
  await meter.flush();
  const days = written.flatMap(([, sums]) => sums.map(({ day, calls }) => [formatDay(day), calls]));
  expect(days.toSorted()).toEqual([
    ["2026-04-30", 3],
    ["2026-05-01", 2],
  ]);
});

test("a call counts once for who reads the ledger, while its batch is written and when that begins during the query", async () => {
  const inLedger = () => written.flatMap(([, sums]) => sums).reduce((sum, { calls }) => sum + calls, 0);
  const used = (query: Promise<void>) =>
    meter.read(async () => {
      const calls = inLedger();
      await query;
      return calls + meter.pendingCalls("idn_1", firstDayOfMonth(dayAt(clock.at)));
    });
  const [acknowledgement, query] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  acknowledged = acknowledgement.promise;
  meter.served("org_1", "idn_1", charged(5));
  const writing = meter.flush();
  const reading = used(Promise.resolve());
  acknowledgement.resolve();
  expect(await reading).toBe(5);
  await writing;

  meter.served("org_1", "idn_1", charged(2));
  const slow = used(query.promise);
  const later = meter.flush();
  await Promise.race([later, new Promise((done) => setImmediate(done))]);
  query.resolve();
  expect(await slow).toBe(7);
  await later;
  expect([inLedger(), await used(Promise.resolve())]).toEqual([7, 7]);
});

test("a server shows calls that are not written yet, and those that are being written once", async () => {
  const { crossrate, url } = await openReplica({ clock });
  const { ledger, account, usage: counts } = crossrate.accounts as NonNullable<typeof crossrate.accounts>;
  const { key, organizationId } = await join(url);
  const ownerId = (await ledger.organizations.byId(organizationId))?.ownerId ?? "";
  const today = dayAt(NOON);
  const shown = async () => {
    const [days, month] = await Promise.all([
      account.usageDays(organizationId, today, today),
      account.monthUsed(ownerId, firstDayOfMonth(today)),
    ]);
    return [days.reduce((sum, { served }) => sum + served, 0), month];
  };
  const { apply } = ledger.usage;
  const refuse = spyOn(ledger.usage, "apply").mockRejectedValue(new LedgerUnavailable("no answer"));
  await json(await fetch(`${url}/v1/latest`, { headers: bearer(key) }));
  expect(await shown()).toEqual([1, 1]);

  const [written, acknowledged] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  refuse.mockImplementation(async (...batch) => {
    const isNew = await apply(...batch);
    written.resolve();
    await acknowledged.promise;
    return isNew;
  });
  const writing = counts.flush();
  await written.promise;
  const answer = shown();
  await Promise.race([answer, new Promise((done) => setTimeout(done))]);
  acknowledged.resolve();
  expect(await answer).toEqual([1, 1]);
  await writing;
});

test("a server that ends writes the calls of its last tenth of a second, and when a key was last used", async () => {
  const dataDir = await dataDirectory();
  const ending = await openReplica({ dataDir, clock });
  const { key, token } = await join(ending.url);
  await json(await fetch(`${ending.url}/v1/latest`, { headers: bearer(key) }));
  await ending.close();
  const next = await openReplica({ dataDir, clock });
  const account = await json(await fetch(`${next.url}/v1/account`, { headers: bearer(token) }));
  const { calls_this_month: calls } = account.usage;
  expect([calls, account.key.last_used_at]).toEqual([1, new Date(NOON).toISOString().replace(".000", "")]);
});
