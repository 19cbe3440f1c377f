import { expect, test } from "bun:test";
import { type CollectionParts, startCollection } from "#assembly/collection.ts";
import { INSTALLATION_ID } from "#store/ledger/engine/installation.ts";
import { lakeMachine, newBucket } from "#test/store/bucket/storage-server.ts";
import { change, firstChange, observation } from "#test/store/lake/sample.ts";
import { onSqlite } from "#test/store/ledger/ledgers.ts";
import { until } from "#test/support/until.ts";

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
