/** The packaged history of the ECB: what an empty lake begins with, and when it is left alone. */

import { describe, expect, test } from "bun:test";
import { recordSnapshot } from "#ingest/backfill.ts";
import type { Upstream } from "#ports/upstream.ts";
import { ECB_SNAPSHOT } from "#sources/ecb/snapshot.ts";
import { openLake } from "#store/lake/lake.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { figureInForce } from "./fixture.ts";

const FILE = `${import.meta.dir}/../../data/snapshot/eurofxref-hist.zip`;
const DAY = 86_400_000;
const upstream: Upstream = {
  get: () => Promise.reject(new Error("no upstream is requested")),
  remember: () => {},
};

async function emptyLake(now = ECB_SNAPSHOT.retrievedAt + DAY) {
  const lake = await openLake({ directory: temporaryDirectory(), simulated: false });
  return { lake, upstream, clock: { now: () => now } };
}

describe("an empty lake", () => {
  test("begins with every figure of the packaged file, as published and with its digest, and nothing is held", async () => {
    const deps = await emptyLake();
    expect(await recordSnapshot(deps, ECB_SNAPSHOT, () => {})).not.toBeNull();
    const { observations, held, coverage } = await deps.lake.read();
    expect(observations.count).toBe(182_875);
    expect(held).toEqual([]);
    expect(coverage).toMatchObject([{ source: "ecb_daily", coveredThrough: ECB_SNAPSHOT.newestDay }]);
    for (const [day, currency, value] of [
      ["1999-01-04", "USD", 1.1789],
      ["2008-10-08", "ISK", 265],
      ["2015-01-15", "CHF", 1.028],
      ["2026-10-30", "JPY", 175.68],
    ] as const)
      expect(await figureInForce(deps.lake, "ecb_daily", day, currency)).toEqual({ value, revision: 1 });
    const digest = new Bun.CryptoHasher("sha256").update(await Bun.file(FILE).bytes()).digest("hex");
    expect((await ECB_SNAPSHOT.read()).sha256).toBe(digest);
    expect(await recordSnapshot(deps, ECB_SNAPSHOT, () => {})).toBeNull();
    await deps.lake.close();
  }, 60_000);

  test("stays empty where the clock is before the snapshot, or its file is not the packaged one", async () => {
    const early = await emptyLake(ECB_SNAPSHOT.retrievedAt - DAY);
    expect(await recordSnapshot(early, ECB_SNAPSHOT, () => {})).toBeNull();
    const damaged = { ...ECB_SNAPSHOT, read: () => Promise.reject(new Error("the SHA-256 is another one")) };
    const deps = await emptyLake();
    expect(recordSnapshot(deps, damaged, () => {})).rejects.toThrow("SHA-256");
    for (const { lake } of [early, deps]) {
      expect((await lake.read()).observations.count).toBe(0);
      await lake.close();
    }
  });
});
