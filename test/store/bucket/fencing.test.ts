/** Fencing: a collector that another one has replaced cannot commit any more, and what it accepted is not lost. */

import { describe, expect, test } from "bun:test";
import { openQuoteArchive } from "#store/archive/archive.ts";
import type { BucketPlace } from "#store/bucket/client.ts";
import { type FencingToken, unfenced } from "#store/delta/storage.ts";
import { quote } from "#test/store/archive/sample.ts";
import { change, firstChange, observation } from "#test/store/lake/sample.ts";
import { bucketBehind, contentOf, lakeMachine, newBucket } from "./storage-server.ts";

const LEDGER = "inst_1";

/** A collector's machine, under an epoch once it leads. */
async function collector(place: BucketPlace, ledger = LEDGER) {
  let token: FencingToken | null = null;
  const machine = await lakeMachine(place, { fencing: () => token });
  const { lake } = machine;
  return {
    ...machine,
    lead: async (next: number) => {
      token = { ledger, epoch: next };
      await lake.fence();
    },
    collect: (date: string) => lake.commit(() => change({ accepted: [observation(date, "USD", "1.5")] })),
    dates: async () => (await lake.read()).observations.count,
  };
}

const nameOf = (fault: Error) => fault.name;

describe("a lake that several collectors share", () => {
  test("takes no commit of a collector that was replaced, at any step of the commit", async () => {
    const { place, way, through } = await bucketBehind();
    const old = await collector(through);
    await old.lake.commit(firstChange);
    await old.lead(1);
    await old.collect("2025-03-03");
    const next = await collector(place);
    let epoch = 1;
    let refused = 0;
    // The old one is paused before its first request of a commit, then before its second, and so on; the other takes over meanwhile.
    for (let step = 0; ; step++) {
      const begun = way.requests.length;
      let isPaused = false;
      const takeOver = async () => {
        epoch += 1;
        await next.lead(epoch);
      };
      way.decide(({ number }) => {
        if (number - begun <= step || isPaused) return "pass";
        isPaused = true;
        return { pause: takeOver };
      });
      const before = await next.lake.version();
      const date = `2025-04-${String(step + 1).padStart(2, "0")}`;
      const outcome = await old.collect(date).then(() => "committed", nameOf);
      way.decide(() => "pass");
      if (!isPaused) break;
      await next.lake.keepUp();
      const isThere = (await next.lake.version()) !== before;
      // It is there exactly where its last request was sent before the other one took over.
      expect(isThere).toBe(outcome === "committed");
      if (outcome !== "committed") {
        // Where the other one's token took the version that it wanted, its next attempt learns why.
        expect(["Fenced", "CommitConflict"]).toContain(outcome);
        expect(await old.collect(date).then(() => "committed", nameOf)).toBe("Fenced");
        refused += 1;
      }
      epoch += 1;
      await old.lead(epoch);
    }
    expect(refused).toBeGreaterThan(5);
  });

  test("keeps the token with each commit, and compares only tokens of one ledger", async () => {
    const place = await newBucket();
    const first = await collector(place);
    await first.lake.commit(firstChange);
    await first.lead(7);
    await first.collect("2025-03-03");
    const log = [...(await contentOf(place))].filter(([key]) => /daily\/_delta_log\/\d+\.json$/.test(key));
    const tokens = log.flatMap(([, text]) =>
      text
        .split("\n")
        .filter((line) => line.includes("crossrate/collector/"))
        .map((line) => JSON.parse(line).txn),
    );
    expect(tokens).toMatchObject([{ appId: `crossrate/collector/${LEDGER}`, version: 7 }]);
    // An operator's command has no token, and a new ledger begins its epochs anew.
    const command = await collector(place);
    await command.collect("2025-03-04");
    const renewed = await collector(place, "inst_2");
    await renewed.lead(1);
    await renewed.collect("2025-03-05");
    await first.collect("2025-03-06");
    await renewed.lake.keepUp();
    expect(await first.dates()).toBe(await renewed.dates());
  });

  test("has the quotes that a replaced collector had accepted", async () => {
    const place = await newBucket();
    const old = await collector(place);
    await old.lake.commit(firstChange);
    await old.lead(1);
    const at = Date.parse("2025-03-03T12:00:00Z");
    const accepted = quote("USD/EUR", "0.9512", at);
    const archiveOf = (directory: string, storage: Parameters<typeof unfenced>[0]) =>
      openQuoteArchive({ directory, simulated: false, access: "write", storage: unfenced(storage) });
    const archive = await archiveOf(old.directory, old.storage);
    await archive.append([accepted]);
    const next = await collector(place);
    await next.lead(2);
    // It hands in what it has, and lets go of its journal.
    await archive.flush();
    await archive.disown();
    expect(archive.isOwned()).toBe(false);
    expect(archive.append([accepted])).rejects.toThrow(/does not own the journal/);
    await next.storage.follow();
    const read = await archiveOf(next.directory, next.storage);
    expect(await read.quotes(at - 1, at + 1)).toMatchObject([{ mid: "0.9512" }]);
  });
});
