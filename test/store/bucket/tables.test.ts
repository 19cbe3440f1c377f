/** Quotes, upkeep and verification in a bucket: the journal is local, the copy is bounded (what leaves it, what must stay), and clean-up goes as far as it may. */

import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { repairLake, verifyLake } from "#assembly/inspection.ts";
import { LAKE_TABLES, onFreshCopy, storageFault } from "#assembly/storage.ts";
import { type BucketPlace, openBucketClient } from "#store/bucket/client.ts";
import { openCopy } from "#store/bucket/copy.ts";
import { StorageAway } from "#store/delta/storage.ts";
import { at, DAY, openTemporary, quote } from "#test/store/archive/sample.ts";
import { add, firstChange, observation, openedLake } from "#test/store/lake/sample.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { PREFIX, replaceIn } from "./signed-machine.ts";
import { bucketBehind, contentOf, lakeMachine, newBucket, openStorage, TABLES } from "./storage-server.ts";

const NOON = at("2026-03-02T12:00:00Z");

async function archiveOf(
  place: BucketPlace,
  access: "write" | "read",
  more: Parameters<typeof openStorage>[2] & { readonly directory?: string } = {},
) {
  const { directory = temporaryDirectory(), ...rest } = more;
  const storage = await openStorage(place, directory, rest);
  const archive = await openTemporary(directory, { access, storage, now: () => NOON + 5 * DAY });
  const close = async () => {
    await archive.close();
    await storage.close();
  };
  return { directory, storage, archive, close };
}

const mids = (quotes: readonly { readonly mid: string }[]) => quotes.map(({ mid }) => mid);

describe("tables in a bucket", () => {
  test("quotes are in the bucket with the flush, and in the journal of the machine before it, through an outage too", async () => {
    const { place, way, through } = await bucketBehind();
    const writer = await archiveOf(through, "write");
    const reader = await archiveOf(place, "read");
    await writer.archive.append([quote("USD/EUR", "0.91", NOON), quote("USD/EUR", "0.92", NOON + DAY)]);
    expect(await writer.archive.flush()).toBe(2);
    await reader.storage.follow();
    expect(mids(await reader.archive.quotes(NOON, NOON + 2 * DAY))).toEqual(["0.91", "0.92"]);

    way.decide(() => "gone");
    await writer.archive.append([quote("USD/EUR", "0.93", NOON + 1000)]);
    await expect(writer.archive.flush()).rejects.toBeInstanceOf(StorageAway);
    expect(mids(await writer.archive.quotes(NOON, NOON + DAY))).toEqual(["0.91", "0.93"]);
    // The process ends and starts while the bucket is gone.
    await writer.close();
    const again = await archiveOf(through, "write", { directory: writer.directory });
    expect(mids(await again.archive.quotes(NOON, NOON + DAY))).toEqual(["0.91", "0.93"]);
    way.decide(() => "pass");
    expect(await again.archive.flush()).toBe(1);
    await reader.storage.follow();
    expect(mids(await reader.archive.quotes(NOON, NOON + DAY))).toEqual(["0.91", "0.93"]);
  });

  test("a copy without room fetches what is read; what it lacks is refused while the bucket is gone", async () => {
    const { place, way, through } = await bucketBehind();
    const writer = await archiveOf(place, "write");
    for (let day = 0; day < 4; day++)
      await writer.archive.append([quote("USD/EUR", `0.9${day}`, NOON + day * DAY)]);
    await writer.archive.flush();
    await writer.close();
    const bounds = { copyBytes: 1, readMilliseconds: 0 };
    const reader = await archiveOf(through, "read", bounds);
    const parts = () => [...new Bun.Glob("intraday/*/part-*.parquet").scanSync(reader.directory)];
    expect(parts()).toEqual([]);
    for (let day = 0; day < 4; day++) {
      const [from, to] = [NOON + day * DAY, NOON + day * DAY + 1];
      // The file of the day is not evicted before it is read: it is the newest one.
      expect(mids(await reader.archive.quotes(from, to))).toEqual([`0.9${day}`]);
      expect(parts().length).toBeLessThanOrEqual(1);
    }
    way.decide(() => "gone");
    const refused = await reader.archive.quotes(NOON, NOON + 1).catch((fault: unknown) => fault);
    expect(refused).toMatchObject({ code: "data_unavailable", status: 503 });
    expect(mids(await reader.archive.quotes(NOON + 3 * DAY, NOON + 3 * DAY + 1))).toEqual(["0.93"]);
    await reader.storage.look();
    const clock = { now: Date.now };
    expect(storageFault(reader.storage, clock)).toMatch(
      /^s3:\/\/lake-\S+\/fx\/lake last answered \d+ s ago \(.+\); the copy/,
    );
    way.decide(() => "pass");
    expect(mids(await reader.archive.quotes(NOON, NOON + 1))).toEqual(["0.90"]);
    await reader.storage.look();
    expect(storageFault(reader.storage, clock)).toBeNull();
  });

  test("upkeep makes checkpoints in the bucket and removes what no retained version needs; a machine that slept catches up", async () => {
    const place = await newBucket();
    let now = NOON;
    const clock = { now: () => now };
    const { directory, lake } = await lakeMachine(place, {
      orphanAge: 0,
      ...clock,
      lake: { ...clock, retentionDays: 1 },
    });
    await lake.commit(firstChange);
    const asleep = await lakeMachine(place);
    await asleep.lake.read();
    const stopped = await lakeMachine(place);
    await stopped.close();
    const orphan = `${PREFIX}/daily/source=ecb_daily/year=2025/part-orphan.parquet`;
    await replaceIn(place, orphan, "x");
    // Another machine may be about to commit a young file.
    await asleep.lake.upkeep();
    expect([...(await contentOf(place)).keys()]).toContain(orphan);
    for (let day = 0; day < 4; day++) {
      now += DAY;
      const accepted = [observation(`2025-02-0${day + 1}`, "USD", "1.25")];
      await add(lake, { accepted });
      await lake.upkeep();
    }
    const keys = [...(await contentOf(place)).keys()].map((key) => key.slice("fx/lake/".length));
    expect(keys.filter((key) => key.includes("orphan"))).toEqual([]);
    expect(keys).toContain("daily/_delta_log/_last_checkpoint");
    // The commits before the oldest checkpoint that is needed are gone, in the bucket as in the copy.
    const commits = keys.filter((key) => /^daily\/_delta_log\/\d{20}\.json$/.test(key));
    expect(commits[0]).not.toEndWith("00000.json");
    const here = [...new Bun.Glob("daily/_delta_log/0*.json").scanSync(directory)].sort();
    expect(here).toEqual(commits);
    const parts = (all: readonly string[]) =>
      all.filter((key) => /^daily\/.*part-.*\.parquet$/.test(key)).sort();
    const kept = [...new Bun.Glob("daily/**/part-*.parquet").scanSync(directory)];
    expect(parts(keys)).toEqual(parts(kept));

    const { lake: newest } = await lakeMachine(place);
    expect((await newest.read()).observations.count).toBe(firstChange().accepted.length + 4);
    expect((await asleep.lake.read()).observations.count).toBe(firstChange().accepted.length);
    // A file that is gone from the bucket makes it look at the whole log.
    await asleep.storage.of("daily").fetch({ path: "part-gone.parquet", size: 1, tags: { sha256: "" } });
    await asleep.lake.keepUp();
    expect((await asleep.lake.read()).observations.count).toBe(firstChange().accepted.length + 4);
    const { lake: late } = await lakeMachine(place, { directory: stopped.directory });
    expect(await late.version()).toBe(await newest.version());
    expect((await late.read()).observations.count).toBe(firstChange().accepted.length + 4);
  });

  test("a lake on the disk goes on in a bucket that it was copied to, and one in a bucket on a disk, repaired", async () => {
    const place = await newBucket();
    const onDisk = temporaryDirectory();
    const before = await openedLake(onDisk);
    await before.commit(firstChange);
    await before.close();
    const archive = await openTemporary(onDisk, { access: "write", now: () => NOON });
    await archive.append([quote("USD/EUR", "0.85", NOON)]);
    await archive.flush();
    await archive.close();
    // As docs/lake.md says: everything of the tables but locks, heads, the journal and what is made from them.
    const client = openBucketClient(place);
    for (const name of TABLES)
      for (const path of new Bun.Glob(`${name}/**`).scanSync({ cwd: onDisk, dot: true })) {
        if (/\/\.(head\.json|writer\.sqlite)/.test(path) || path.includes("/.journal/")) continue;
        await replaceIn(place, `${PREFIX}/${path}`, Bun.file(join(onDisk, path)));
      }
    const moved = await lakeMachine(place);
    await add(moved.lake, { accepted: [observation("2025-02-03", "USD", "1.25")] });
    const { observations } = await moved.lake.read();
    expect(observations.count).toBe(firstChange().accepted.length + 1);
    await moved.close();

    const dataDir = temporaryDirectory();
    for (const { key, bytes } of await client.list("fx/")) {
      const path = join(dataDir, key.slice("fx/".length));
      mkdirSync(dirname(path), { recursive: true });
      expect(await client.download(key, path, bytes)).toBe(true);
    }
    const { steps } = await repairLake({ dataDir, storage: null, lakeSigningKeys: [] }, NOON, true);
    expect(steps.join("\n")).toContain("daily goes on from version 2, with nothing lost");
    expect(steps.join("\n")).toContain("intraday goes on from version 1, with nothing lost");
    const back = await openedLake(join(dataDir, "lake"));
    expect((await back.read()).observations.count).toBe(observations.count);
  });

  test("verification reads what is in the bucket, names what is damaged there, and leaves nothing behind", async () => {
    const place = await newBucket();
    const dataDir = temporaryDirectory();
    const { lake, close } = await lakeMachine(place, { directory: join(dataDir, "lake") });
    await lake.commit(firstChange);
    const files = [...(lake.tables.daily.latest()?.files.keys() ?? [])];
    await close();
    const settings = { ...place, prefix: "fx/lake", copyBytes: 100_000_000 };
    const config = { dataDir, storage: settings };
    const faults = async () => (await verifyLake(config, () => {})).flatMap((report) => report.faults);
    expect(await faults()).toEqual([]);
    expect(LAKE_TABLES.map(({ name }) => name).sort()).toEqual([...TABLES].sort());
    const client = openBucketClient(place);
    await replaceIn(place, `${PREFIX}/daily/${files[0]}`, "changed");
    await client.remove(`fx/lake/daily/${files[1]}`);
    const commit = "fx/lake/held/_delta_log/00000000000000000000.json";
    await replaceIn(place, commit, ((await client.text(commit)) ?? "").replace("CREATE", "CREATF"));
    const planted = "statements/_delta_log/00000000000000000000.checkpoint.parquet";
    await replaceIn(place, `${PREFIX}/${planted}`, "for other readers");
    const found = (await faults()).join("\n");
    expect(found).toContain(`${planted} is not what the commits before it make`);
    expect(found).toContain(`daily/${files[0]}`);
    expect(found).toContain(`daily/${files[1]} is missing`);
    expect(found).toContain("held/_delta_log/00000000000000000000.json is damaged");
    expect([...new Bun.Glob(".verified-*").scanSync({ cwd: dataDir, dot: true, onlyFiles: false })]).toEqual(
      [],
    );
    await onFreshCopy(config, async (copy) => expect(existsSync(join(copy, "daily"))).toBe(true));
  });
});

function files(directory: string, count: number): string[] {
  const folder = join(directory, "daily");
  mkdirSync(folder, { recursive: true });
  return Array.from({ length: count }, (_, at) => {
    const path = join(folder, `part-${at}.parquet`);
    writeFileSync(path, "x".repeat(100));
    return path;
  });
}

function copyOf(directory: string, budget: number) {
  let now = 1_000_000;
  const copy = openCopy({ directory, tables: ["daily"], budget, clock: () => now, readMilliseconds: 1000 });
  return { copy, later: (milliseconds: number) => (now += milliseconds) };
}

test("files unused for longest leave first, until the rest is within the budget", () => {
  const directory = temporaryDirectory();
  const { copy, later } = copyOf(directory, 300);
  const [a, b, c, d] = files(directory, 4) as [string, string, string, string];
  for (const path of [a, b, c]) {
    copy.used(path);
    later(10);
  }
  copy.used(a);
  later(2000);
  expect(copy.bytes()).toBe(300);
  copy.used(d);
  expect([a, b, c, d].map((path) => existsSync(path))).toEqual([true, false, true, true]);
  expect(copy.bytes()).toBe(300);
});

test("what was checked a moment ago stays, also beyond the budget, and goes later", () => {
  const directory = temporaryDirectory();
  const { copy, later } = copyOf(directory, 100);
  const [a, b, c] = files(directory, 3) as [string, string, string];
  for (const path of [a, b]) copy.used(path);
  expect(copy.bytes()).toBe(200);
  later(1000);
  copy.used(c);
  expect([a, b, c].map((path) => existsSync(path))).toEqual([false, false, true]);
});

test("pinned files stay until others are pinned", () => {
  const directory = temporaryDirectory();
  const { copy, later } = copyOf(directory, 100);
  const [a, b, c] = files(directory, 3) as [string, string, string];
  copy.pin("daily", new Set([a]));
  copy.used(a);
  later(5000);
  copy.used(b);
  expect(existsSync(a)).toBe(true);
  copy.pin("daily", new Set([b]));
  later(5000);
  copy.used(c);
  expect([a, b, c].map((path) => existsSync(path))).toEqual([false, true, true]);
});

test("a start finds what is there, the oldest first, and removes downloads that broke off", () => {
  const directory = temporaryDirectory();
  const [a, b, c] = files(directory, 3) as [string, string, string];
  const yesterday = Date.now() / 1000 - 86_400;
  utimesSync(b, yesterday, yesterday);
  const [old, young] = [crypto.randomUUID(), crypto.randomUUID()].map((id) =>
    join(directory, "daily", `.${id}.tmp`),
  ) as [string, string];
  for (const path of [old, young]) writeFileSync(path, "half");
  utimesSync(old, yesterday, yesterday);
  const { copy } = copyOf(directory, 200);
  expect(copy.bytes()).toBe(300);
  copy.used(c);
  expect([a, b, c].map((path) => existsSync(path))).toEqual([true, false, true]);
  expect([old, young].map((path) => existsSync(path))).toEqual([false, true]);
});
