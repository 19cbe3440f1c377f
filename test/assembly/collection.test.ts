/** What a collector begins with: at a first start official tables wait for the history of rates, so that both are not in memory together. */

import { expect, test } from "bun:test";
import { type CollectionParts, startCollection } from "#assembly/collection.ts";
import { openLake } from "#store/lake/lake.ts";
import { INSTALLATION_ID } from "#store/ledger/engine/installation.ts";
import { lakeMachine, newBucket, openStorage, wayTo } from "#test/store/bucket/storage-server.ts";
import { change, day, firstChange, observation, secondChange } from "#test/store/lake/sample.ts";
import { onSqlite } from "#test/store/ledger/ledgers.ts";
import { atEnd } from "#test/support/at-end.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { until } from "#test/support/until.ts";
import { openedDaily } from "./daily.ts";

const NEW_LAKE = { tables: { daily: { latest: () => null } } };
const ARCHIVE = {
  isOwned: () => true,
  own: async () => true,
  flush: async () => {},
  disown: async () => {},
};
/** Nobody else wants to collect. */
const ledger = {
  leases: {
    acquire: async (name: string, holder: string) => ({ name, holder, epoch: 1, expiresAt: 1 }),
    renew: async <Held>(lease: Held) => lease,
    release: async () => {},
  },
  installation: { read: async () => null },
  check: async () => {},
};

/** A collector whose parts only note that they were begun. */
function begin(observations: number, firstMilliseconds?: number, more = {}) {
  const filled = Promise.withResolvers<void>();
  let isOfficial = false;
  const parts = {
    clock: { now: () => 0 },
    emit: () => {},
    config: { intradayDays: 1 },
    accounts: null,
    officialLake: null,
    archive: ARCHIVE,
    daily: {
      lake: NEW_LAKE,
      holder: { dataset: () => ({ history: { observations: { count: observations } } }) },
      backfill: () => filled.promise,
    },
    official: {
      startJobs: () => {
        isOfficial = true;
        return () => {};
      },
    },
    live: { collect: () => () => {} },
    ledger,
    storage: null,
    ...more,
    ...(firstMilliseconds !== undefined && { firstMilliseconds }),
  };
  const { stop, current } = startCollection(parts as unknown as CollectionParts, Promise.resolve(), () => {});
  current.catch(() => {});
  return {
    official: () => isOfficial,
    current,
    /** Ends the history of rates. */
    filled,
    stop: async () => await stop(),
  };
}

/** Everything that does not wait for a timer or for another process has happened. */
const settled = async () => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
};

test.each([
  ["is in", () => {}],
  ["could not be read", () => Promise.reject(new Error("no upstream answers"))],
])("official tables begin when the first history of rates %s", async (_, end) => {
  const { official, filled, stop } = begin(0);
  await settled();
  expect(official()).toBe(false);
  filled.resolve(end());
  await settled();
  expect(official()).toBe(true);
  await stop();
});

test("a collector that ends before then begins nothing any more, and its end is no fault of the first history", async () => {
  const { official, filled, stop, current } = begin(0);
  await settled();
  await stop();
  filled.reject(new Error("the lake is closed"));
  expect(await current).toBeUndefined();
  await settled();
  expect(official()).toBe(false);
});

test("they do not wait for upstreams that never answer", async () => {
  const { official, stop } = begin(0, 1);
  await until("official tables have begun", official);
  await stop();
});

test("a source that was never collected is tried again while the collector works", async () => {
  let tries = 0;
  const daily = {
    holder: { dataset: () => ({ history: { observations: { count: 1 } } }) },
    ...{ lake: NEW_LAKE, backfill: async () => {}, collectPending: async () => void tries++ },
  };
  const { stop } = begin(1, undefined, { daily, status: { statusLog: {} }, pendingMilliseconds: 1 });
  await until("it was tried twice", () => tries > 1);
  await stop();
});

test("where there is a history they begin at once", async () => {
  const { official, stop } = begin(1);
  await settled();
  expect(official()).toBe(true);
  await stop();
});

test.each([false, true])(
  "a collector that owned the journal already (%p) begins at once, one that takes over has its quotes first; at its end all are in the table",
  async (isOwned) => {
    const steps: string[] = [];
    const noting = (step: string) => async () => void steps.push(step);
    const archive = { ...ARCHIVE, isOwned: () => isOwned, flush: noting("flush"), disown: noting("disown") };
    const live = {
      refill: noting("refill"),
      collect: () => {
        steps.push("collect");
        return () => void steps.push("stop");
      },
    };
    const { stop } = begin(1, undefined, { archive, live });
    await settled();
    await stop();
    expect(steps).toEqual([...(isOwned ? [] : ["refill"]), "collect", "stop", "flush", "disown"]);
  },
);

test.each([true, false])(
  "days pass: what is old is removed only while the clock is proven (%p), everything else is done anyway, and nothing after the end",
  async (isProven) => {
    const done = new Set<string>();
    let asked = 0;
    const notes = (...names: readonly string[]) =>
      Object.fromEntries(names.map((name) => [name, async () => void done.add(name)]));
    let now = Date.parse("2026-04-14T00:00:00Z");
    const lake = { ...NEW_LAKE, upkeep: async () => void done.add("versions") };
    const { stop, filled } = begin(1, undefined, {
      // Each look at the clock is a day after the one before: every job is due at once.
      clock: { now: () => (now += 25 * 3_600_000) },
      archive: { ...ARCHIVE, ...notes("retain", "upkeep", "audit", "flush") },
      daily: {
        holder: { dataset: () => ({ history: { observations: { count: 1 } } }) },
        ...{ backfill: async () => {}, lake, ...notes("verify", "readWholeIfDue") },
        collector: { collect: async (_: string, reach: string) => void done.add(reach) },
      },
      damage: { report: () => void done.add("damage") },
      officialLake: {
        audit: async () => void done.add("official files"),
        upkeep: async () => void done.add("official versions"),
      },
      ledger: { ...ledger, check: async () => void done.add("ledger check") },
      status: { statusLog: notes("prune") },
      accounts: {
        startUpkeep: (may: () => boolean) => void done.add(`ledger ${may()}`),
        startQuotaMails: () => void done.add("quota mails"),
      },
      isClockProven: () => {
        asked += 1;
        return isProven;
      },
    });
    filled.resolve();
    // Once by the ledger, then each night.
    await until("two nights have passed", () => asked > 2 && done.has("ledger check") && done.has("recent"));
    await settled();
    const removed = isProven ? ["prune", "retain", "upkeep", "versions", "official versions"] : [];
    const checked = ["verify", "audit", "official files", "damage", "ledger check"];
    const collected = ["latest", "recent", "readWholeIfDue", "flush"];
    expect(done).toEqual(
      new Set([...checked, ...collected, `ledger ${isProven}`, "quota mails", ...removed]),
    );
    await stop();
    const last = now;
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setTimeout(resolve));
    expect(now).toBe(last);
  },
);

// What another process commits is shown within seconds, also where the dataset stays as it is: statements, and how far documents reach; and storage that was away is used again within a second.
const NOW = Date.parse("2026-01-06T15:00:00Z");

const clock = { now: () => NOW };

test("statements and coverage of another process reach a replica without a new version of the dataset", async () => {
  const directory = temporaryDirectory();
  const writer = await openLake({ directory, simulated: false, now: () => NOW });
  await writer.commit(() => firstChange());
  const replica = await openedDaily(directory, clock, { simulated: false });
  const stop = replica.watch();
  const { holder } = replica;
  const version = holder.version();
  expect(holder.unsettled().ecb_daily.contradictions).toBeNull();
  const statements = (secondChange().statements ?? []).map((statement) => ({
    ...statement,
    ...{ first: day("2025-01-02"), last: day("2025-01-02"), printed: "11.9" },
  }));
  const { coverage } = firstChange();
  await writer.commit(() => change({ coverage, statements }));
  await until("the contradiction is shown", () => holder.unsettled().ecb_daily.contradictions !== null);
  expect(holder.unsettled().ecb_daily.contradictions?.example).toBe(
    "sdmx states EUR/NOK 11.9 for 2025-01-02; 11.7445 is served",
  );
  const further = coverage.map((entry) => ({ ...entry, coveredThrough: day("2025-01-03") }));
  await writer.commit(() => change({ coverage: further, statements }));
  await until(
    "the coverage is shown",
    () => holder.dataset()?.coveredThrough.ecb_daily === day("2025-01-03"),
  );
  await writer.commit(() => change({ coverage: further, statements: [] }));
  await until("the contradiction is gone", () => holder.unsettled().ecb_daily.contradictions === null);
  expect(holder.version()).toBe(version);
  stop();
  await writer.close();
});

test("a bucket that answers again is looked at before its next turn of five seconds", async () => {
  const [place, directory] = [await newBucket(), temporaryDirectory()];
  const way = await wayTo(place.endpoint);
  const storage = await openStorage({ ...place, endpoint: way.endpoint }, directory);
  atEnd(() => storage.close());
  const replica = await openedDaily(directory, clock, { simulated: false, storage });
  way.decide(() => "refuse");
  await replica.lake.keepUp();
  expect(storage.state().fault).not.toBeNull();
  const began = performance.now();
  const stop = replica.watch();
  way.decide(() => "pass");
  await until("it answers", () => storage.state().fault === null);
  expect(performance.now() - began).toBeLessThan(5_000);
  stop();
});

onSqlite("a restored ledger", (bench) => {
  test("collects beside a newer lake, and a collector of before cannot commit", async () => {
    const { leases, installation } = bench.ledger();
    await installation.write(INSTALLATION_ID, "ins_1");
    const place = await newBucket();
    const before: CollectionParts["fencing"] = { token: null };
    const old = await lakeMachine(place, { fencing: () => before.token });
    await old.lake.commit(firstChange);
    before.token = { ledger: "ins_1", epoch: 40 };
    await old.lake.fence();

    const fencing: CollectionParts["fencing"] = { token: null };
    const { lake, storage } = await lakeMachine(place, { fencing: () => fencing.token });
    let collected: Promise<unknown> = Promise.resolve();
    let leads = 0;
    const backfill = () => {
      leads += 1;
      collected = lake.commit(() => change({ accepted: [observation("2025-03-03", "USD", "1.5")] }));
      return collected;
    };
    const parts = {
      ...{ fencing, storage, holder: "restored", ledger: { leases, installation }, emit: () => {} },
      ...{
        clock: { now: Date.now },
        config: { intradayDays: null },
        accounts: null,
        official: null,
        officialLake: null,
      },
      archive: {
        own: async () => true,
        flush: async () => {},
        disown: async () => {},
        flushUnowned: async () => 0,
      },
      live: { collect: () => () => {} },
      daily: { lake, holder: { dataset: () => null }, backfill },
    };
    const { stop, current } = startCollection(
      parts as unknown as CollectionParts,
      Promise.resolve(),
      () => {},
    );
    current.catch(() => {});
    await until("it leads again", () => leads === 2);
    await collected;
    await old.lake.keepUp();
    expect((await old.lake.read()).observations.count).toBe((await lake.read()).observations.count);
    const late = old.lake.commit(() => change({ accepted: [observation("2025-03-04", "USD", "1.5")] }));
    expect(late).rejects.toThrow(/epoch 41, and this process collected under epoch 40/);
    await stop();
  });
});
