/** The daily tables in a bucket: what is committed, what other machines read, outages, and answers that were lost, by plan and at random. */

import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LakeRecord } from "#ports.ts";
import { openQuoteArchive } from "#store/archive/archive.ts";
import { openBucketClient } from "#store/bucket/client.ts";
import { refuseCopy } from "#store/bucket/storage.ts";
import { StorageAway } from "#store/delta/storage.ts";
import { openLake } from "#store/lake/lake.ts";
import { quote } from "#test/store/archive/sample.ts";
import {
  add,
  type change,
  figureAt,
  firstChange,
  openedLake,
  secondChange,
} from "#test/store/lake/sample.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { replaceIn } from "./signed-machine.ts";
import { bucketBehind, contentOf, lakeMachine, newBucket, openStorage, QUICK } from "./storage-server.ts";

/** Figures as lines, current and superseded, without what differs from one commit of the same change to another. */
function linesOf({ observations, superseded, held }: LakeRecord): readonly string[] {
  const { count, date, source, base, quote, revision, units, scale } = observations;
  const current = Array.from({ length: count }, (_, at) =>
    [source, date, base, quote, revision, units, scale].map((column) => column[at]).join(" "),
  );
  const old = superseded.map((row) => `${row.date} ${row.base} ${row.quote} ${row.revision} ${row.why}`);
  return [...current, ...old, ...held.map(({ printed }) => `held ${printed}`)];
}

describe("a lake in a bucket", () => {
  test("commits are in the bucket as in the copy, and a machine without a copy reads the same, older versions too", async () => {
    const place = await newBucket();
    const writer = await lakeMachine(place);
    const old = await writer.lake.commit(firstChange);
    const first = linesOf(await writer.lake.read());
    await writer.lake.commit(secondChange);
    const second = linesOf(await writer.lake.read());
    const objects = await contentOf(place);
    expect([...objects.keys()].filter((key) => !key.startsWith("fx/lake/"))).toEqual([]);
    const logged = [...objects].filter(([key]) => /_delta_log\/\d{20}\.json$/.test(key));
    expect(logged.length).toBeGreaterThan(8);
    for (const [key, text] of logged)
      expect(readFileSync(join(writer.directory, key.slice("fx/lake/".length)), "utf8")).toBe(text);
    expect(existsSync(join(writer.directory, "current"))).toBe(false);
    const reader = await lakeMachine(place);
    expect(linesOf(await reader.lake.read())).toEqual(second);
    expect(linesOf((await reader.lake.at(old)) as LakeRecord)).toEqual(first);
    expect(await contentOf(place)).toEqual(objects);
  });

  test("a reader follows with one request a table and one for the signed history, and is never between two versions", async () => {
    const { place, way, through } = await bucketBehind();
    const writer = await lakeMachine(place);
    const reader = await lakeMachine(through);
    await writer.lake.commit(firstChange);
    expect(await reader.lake.version()).not.toBe(await writer.lake.version());
    await reader.lake.keepUp();
    expect(await reader.lake.version()).toBe(await writer.lake.version());
    expect(linesOf(await reader.lake.read())).toEqual(linesOf(await writer.lake.read()));
    const before = way.requests.length;
    await reader.lake.keepUp();
    expect(way.requests.length - before).toBe(7);
    // The look ends after any of its requests: the version before is still whole.
    await writer.lake.commit(secondChange);
    const shown = linesOf(await reader.lake.read());
    for (let allowed = 0; ; allowed++) {
      const begun = way.requests.length;
      way.decide(({ number }) => (number - begun > allowed ? "gone" : "pass"));
      await reader.lake.keepUp();
      const lines = linesOf(await reader.lake.read());
      if (reader.storage.state().fault === null) break;
      expect(lines).toEqual(shown);
    }
    expect(linesOf(await reader.lake.read())).toEqual(linesOf(await writer.lake.read()));
    expect(reader.kinds().filter((kind) => kind === "storage_unavailable")).toHaveLength(1);
    expect(reader.kinds().filter((kind) => kind === "storage_recovered")).toHaveLength(1);
  });

  test("while the bucket is gone the copy is served, also after a restart; a refused change is committed when it is collected again", async () => {
    const { place, way, through } = await bucketBehind();
    const before = await lakeMachine(through);
    await before.lake.commit(firstChange);
    const shown = linesOf(await before.lake.read());
    way.decide(() => "gone");
    await expect(before.lake.commit(secondChange)).rejects.toBeInstanceOf(StorageAway);
    expect(linesOf(await before.lake.read())).toEqual(shown);
    await before.close();

    // The process starts again while the bucket is still gone.
    rmSync(join(before.directory, ".columns.cache"), { force: true });
    const after = await lakeMachine(through, { directory: before.directory });
    expect(linesOf(await after.lake.read())).toEqual(shown);
    expect(after.storage.state().fault).not.toBeNull();
    await after.lake.keepUp();
    expect(linesOf(await after.lake.read())).toEqual(shown);
    way.decide(() => "pass");
    await after.lake.commit(secondChange);
    const expected = await lakeOf([firstChange(), secondChange()]);
    expect(linesOf(await after.lake.read())).toEqual(expected);
    await after.close();
    const fresh = await lakeMachine(place);
    expect(linesOf(await fresh.lake.read())).toEqual(expected);
  });

  test("storage that takes requests and answers none holds up nobody who reads, and ends a commit", async () => {
    const { way, through } = await bucketBehind();
    const writer = await lakeMachine(through, { patience: { ...QUICK, deadline: 300, attempts: 2 } });
    await writer.lake.commit(firstChange);
    const shown = linesOf(await writer.lake.read());
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    way.decide(() => ({ before: () => released }));
    const looking = writer.lake.keepUp();
    const committing = writer.lake.commit(secondChange).catch((fault: unknown) => fault);
    expect(linesOf(await writer.lake.read())).toEqual(shown);
    await looking;
    expect(await committing).toBeInstanceOf(StorageAway);
    const begun = way.requests.length;
    await writer.lake.keepUp();
    // Known to be away: one attempt.
    expect(way.requests.length - begun).toBe(1);
    release();
    way.decide(() => "pass");
    await writer.lake.commit(secondChange);
    expect(linesOf(await writer.lake.read())).toEqual(await lakeOf([firstChange(), secondChange()]));
  });

  test("a file that the copy lost or that was changed in it is fetched again; one changed in the bucket is damage", async () => {
    const place = await newBucket();
    const writer = await lakeMachine(place);
    await writer.lake.commit(firstChange);
    const lines = linesOf(await writer.lake.read());
    const files = [...(writer.lake.tables.daily.latest()?.files.values() ?? [])];
    const [one, two] = files.map(writer.lake.tables.daily.pathOf) as [string, string];
    await writer.close();
    rmSync(one);
    writeFileSync(two, "not Parquet");
    rmSync(join(writer.directory, ".columns.cache"));
    const again = await lakeMachine(place, { directory: writer.directory });
    const record = await again.lake.read();
    expect(record.damaged).toEqual([]);
    expect(linesOf(record)).toEqual(lines);
    await again.close();

    const key = `fx/lake/daily/${files[0]?.path}`;
    await replaceIn(place, key, "changed by something else");
    const fresh = await lakeMachine(place);
    expect((await fresh.lake.read()).damaged.map(({ path }) => path)).toEqual([`daily/${files[0]?.path}`]);
  });

  test("a reader that follows stays at its version while a file of the next one is changed in the bucket", async () => {
    const place = await newBucket();
    const [writer, reader] = [await lakeMachine(place), await lakeMachine(place)];
    await writer.lake.commit(firstChange);
    const newest = [...(writer.lake.tables.daily.latest()?.files.keys() ?? [])].at(-1);
    const key = `fx/lake/daily/${newest}`;
    const content = await Bun.file(join(writer.directory, "daily", newest ?? "")).bytes();
    await replaceIn(place, key, "changed by something else");
    const version = await reader.lake.version();
    await reader.lake.keepUp();
    expect(await reader.lake.version()).toBe(version);
    expect(reader.kinds()).toContain("lake_damaged");
    await replaceIn(place, key, new Blob([content]));
    await reader.lake.keepUp();
    expect(await reader.lake.version()).toBe(await writer.lake.version());
  });

  test("a directory is the copy of one lake: a lake of its own, another bucket and no bucket are refused", async () => {
    const [place, other] = [await newBucket(), await newBucket()];
    const own = temporaryDirectory();
    const lake = await openedLake(own);
    await lake.close();
    await expect(openStorage(place, own)).rejects.toThrow(`${own} has a lake of its own`);
    const copy = await lakeMachine(place);
    await copy.close();
    await expect(openStorage(other, copy.directory)).rejects.toThrow("is the copy of s3://");
    expect(() => refuseCopy(copy.directory)).toThrow("is the copy of s3://");
    expect(() => refuseCopy(own)).not.toThrow();
  });

  test("without a copy a bucket that does not answer prevents the start, and one that lost its versions too", async () => {
    const { place, way, through } = await bucketBehind();
    way.decide(() => "gone");
    await expect(openStorage(through, temporaryDirectory())).rejects.toBeInstanceOf(StorageAway);
    const writer = await lakeMachine(place);
    await writer.lake.commit(firstChange);
    await writer.close();
    const client = openBucketClient(place);
    for (const key of (await contentOf(place)).keys())
      if (/daily\/_delta_log\/0*1\.json$/.test(key)) await client.remove(key);
    const fault = await openStorage(place, writer.directory).catch((found: unknown) => found);
    expect(String(fault)).toContain("is missing: the copy has version 1");
  });
});

/** The lines of a lake on the disk with these changes. */
async function lakeOf(changes: readonly ReturnType<typeof change>[]): Promise<readonly string[]> {
  const lake = await openedLake();
  for (const one of changes) await lake.commit(() => one);
  return linesOf(await lake.read());
}

const COMMITS = Number(process.env["BUCKET_COMMITS"] ?? 3);
const SEED = Number(process.env["BUCKET_SEED"] ?? Date.now() % 1_000_000);
const QUOTES = ["USD", "NOK", "JPY"] as const;
const START = Date.UTC(2026, 2, 2, 10);

test(
  `${COMMITS} commits on each of ${QUOTES.length} machines, with answers lost and refused (BUCKET_SEED=${SEED})`,
  async () => {
    console.log(`bucket fault test: seed ${SEED}, ${COMMITS} commits a machine`);
    const random = seededRandom(SEED);
    const { place, way, through } = await bucketBehind();
    way.decide(() => {
      const chance = random();
      return chance < 0.05 ? "cut" : chance < 0.1 ? "refuse" : chance < 0.13 ? "gone" : "pass";
    });
    const acknowledged = new Set<string>();
    let failed = 0;
    await Promise.all(
      QUOTES.map(async (currency, index) => {
        const directory = temporaryDirectory();
        const storage = await again(() => openStorage(through, directory));
        const lake = await again(() => openLake({ directory, simulated: false, storage }));
        const archive = await again(() =>
          openQuoteArchive({ directory, simulated: false, storage, access: "write" }),
        );
        for (let number = 0; number < COMMITS; number++) {
          // As a collector does: what failed is collected again, and may be there already.
          await again(() => add(lake, { accepted: [figureAt(number, currency)] }));
          acknowledged.add(`${number} ${currency}`);
          await archive.append([quote("USD/EUR", `0.${1000 + number}`, START + number * 1000 + index)]);
          await archive.flush().catch(() => failed++);
        }
        await again(() => archive.flush());
        await again(() => lake.keepUp());
        await archive.close();
        await lake.close();
        await storage.close();
      }),
    );
    way.decide(() => "pass");
    const directory = temporaryDirectory();
    const storage = await openStorage(place, directory);
    const lake = await openLake({ directory, simulated: false, storage });
    const { observations, damaged, superseded } = await lake.read();
    expect(damaged).toEqual([]);
    expect(superseded).toEqual([]);
    expect(observations.count).toBe(acknowledged.size);
    const archive = await openQuoteArchive({ directory, simulated: false, storage, access: "read" });
    const quotes = await archive.quotes(START, START + 3_600_000);
    expect(quotes.length).toBe(COMMITS * QUOTES.length);
    expect(new Set(quotes.map(({ observedAt }) => observedAt)).size).toBe(quotes.length);
    for (const one of [archive, lake, storage]) await one.close();
    console.log(
      `bucket fault test: ${way.requests.length} requests, ${failed} attempts failed and were repeated`,
    );

    async function again<T>(work: () => Promise<T>): Promise<T> {
      for (let attempt = 1; ; attempt++) {
        try {
          return await work();
        } catch (fault) {
          failed += 1;
          if (attempt === 200) throw fault;
        }
      }
    }
  },
  30_000 + COMMITS * 10_000,
);
