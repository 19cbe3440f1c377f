/** The packaged history of the ECB: what an empty lake begins with, and when it is left alone. */

import { describe, expect, test } from "bun:test";
import { currencyCode } from "#domain/currency/currency.ts";
import { formatDecimal } from "#domain/number/decimal.ts";
import { formatDay } from "#domain/time/day.ts";
import { beginWithSnapshots, recordSnapshot } from "#ingest/backfill.ts";
import type { Upstream } from "#ports/upstream.ts";
import { ECB_SNAPSHOT } from "#sources/ecb/snapshot.ts";
import { openLake } from "#store/lake/lake.ts";
import { publishedTable } from "#test/rates/published-table.ts";
import { change, firstChange, query } from "#test/store/lake/sample.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const FILE = `${import.meta.dir}/../../data/snapshot/eurofxref-hist.zip`;
const DAY = 86_400_000;
const upstream: Upstream = {
  get: () => Promise.reject(new Error("no upstream is requested")),
  remember: () => {},
};

async function emptyLake(now = ECB_SNAPSHOT.retrievedAt + DAY) {
  const directory = temporaryDirectory();
  const lake = await openLake({ directory, simulated: false });
  return { directory, lake, upstream, clock: { now: () => now } };
}

describe("an empty lake", () => {
  test("begins with every figure of the packaged file, to the digit and with its digest, and nothing is held", async () => {
    const deps = await emptyLake(ECB_SNAPSHOT.retrievedAt + 46 * DAY);
    const other = { source: "fred_daily", coveredThrough: 1, retrievedAt: 1 } as const;
    await deps.lake.commit(() => change({ coverage: [other] }));
    const told: unknown[] = [];
    const note = (what: unknown) => void told.push(what);
    const onCommitted = async (version: string) => note(version);
    const start = () => beginWithSnapshots({ ...deps, emit: note, onCommitted, snapshots: [ECB_SNAPSHOT] });
    await start();
    const old = { kind: "snapshot_old", source: "ecb_daily", newestDay: formatDay(ECB_SNAPSHOT.newestDay) };
    expect(told).toEqual([await deps.lake.version(), old]);
    const { observations, held, coverage } = await deps.lake.read();
    expect(observations.count).toBe(182_875);
    expect(held).toEqual([]);
    const covered = { source: "ecb_daily", coveredThrough: ECB_SNAPSHOT.newestDay };
    expect(coverage).toMatchObject([covered, other]);
    const table = await publishedTable();
    let differing = 0;
    for (let row = 0; row < observations.count; row++) {
      const published = table.get(formatDay(observations.date[row] as number));
      const digits = formatDecimal(
        BigInt(observations.units[row] as number),
        observations.scale[row] as number,
      );
      if (published?.get(currencyCode(observations.quote[row] as number)) !== digits) differing++;
    }
    expect(differing).toBe(0);
    // The same by SQL, as a number and as its digits.
    const [sums] = await query(
      `SELECT count(DISTINCT (date, base, quote))::INTEGER AS figures,
         count(*) FILTER (revision <> 1 OR value <> printed::DOUBLE OR value <> units / pow(10, scale))::INTEGER AS wrong
       FROM read_parquet('${deps.directory}/current/daily/*/*/rates.parquet')`,
    );
    expect(sums).toEqual({ figures: 182_875, wrong: 0 });
    const digest = new Bun.CryptoHasher("sha256").update(await Bun.file(FILE).bytes()).digest("hex");
    expect((await ECB_SNAPSHOT.read()).sha256).toBe(digest);
    await start();
    expect(told).toHaveLength(2);
    await deps.lake.close();
  });

  test("is one without figures of the source: no other begins with the packaged file", async () => {
    const deps = await emptyLake();
    await deps.lake.commit(firstChange);
    expect(await recordSnapshot(deps, ECB_SNAPSHOT)).toBeNull();
    await deps.lake.close();
  });

  test("stays empty where the clock is before the snapshot, or its file is not the packaged one", async () => {
    const early = await emptyLake(ECB_SNAPSHOT.retrievedAt - DAY);
    expect(await recordSnapshot(early, ECB_SNAPSHOT)).toBeNull();
    const damaged = { ...ECB_SNAPSHOT, read: () => Promise.reject(new Error("the SHA-256 is another one")) };
    const deps = await emptyLake();
    expect(recordSnapshot(deps, damaged)).rejects.toThrow("SHA-256");
    for (const { lake } of [early, deps]) {
      expect((await lake.read()).observations.count).toBe(0);
      await lake.close();
    }
  });
});
