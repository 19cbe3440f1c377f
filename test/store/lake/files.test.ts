/** Files of a lake for readers far away: manifests made from the logs, each version under a name of its own, and nothing else. */

import { beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "#domain/chain/entry.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { LakeRecord } from "#ports.ts";
import { openQuoteArchive } from "#store/archive/archive.ts";
import { INTRADAY } from "#store/archive/table.ts";
import { openTable } from "#store/delta/table.ts";
import { openLakeFiles } from "#store/lake/files.ts";
import { loadCached } from "#store/lake/record.ts";
import { newestState, openDailyTables, recordKey, type State } from "#store/lake/state.ts";
import { at, quote } from "#test/store/archive/sample.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { firstChange, loggedFiles, openedLake, secondChange } from "./sample.ts";

const CURRENT = "current/daily/source=ecb_daily/year=2025/rates.parquet";

async function filledLake() {
  let now = Date.UTC(2026, 0, 6);
  const directory = temporaryDirectory();
  const lake = await openedLake(directory, { now: () => now });
  await lake.commit(firstChange);
  const intraday = openTable(directory, INTRADAY, "real");
  const files = openLakeFiles({ daily: lake.tables, intraday, official: null });
  const manifest = async () => JSON.parse((await files.manifest()).text);
  const forward = (days: number) => {
    now += days * 86_400_000;
  };
  return { directory, lake, files, manifest, forward };
}

async function refusalOf(attempt: () => Promise<unknown>): Promise<unknown> {
  const fault = await attempt().then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(fault).toBeInstanceOf(Failure);
  return (fault as Failure).code;
}

test("the manifest lists every file of the version with rows, bytes, digest, dates and values", async () => {
  const { directory, lake, files, manifest } = await filledLake();
  const version = await lake.commit(() => secondChange());
  const found = await manifest();
  expect(found).toMatchObject({
    format: 2,
    mode: "real",
    version,
    manifests: { intraday: "intraday/manifest.json" },
  });
  expect(found.coverage).toEqual([
    { source: "ecb_daily", covered_through: "2025-01-03", retrieved_at: "2026-01-06T15:00:00Z" },
  ]);
  const listed = found.files.map(({ path }: { path: string }) => join(directory, path));
  expect(listed).toEqual(["daily", "revisions", "held"].flatMap((table) => loggedFiles(directory, table)));
  for (const { path, current, bytes, sha256: digest, rows } of found.files) {
    const content = readFileSync(join(directory, path));
    expect([bytes, digest]).toEqual([content.length, sha256(content)]);
    expect(readFileSync(join(directory, current)).equals(content)).toBe(true);
    expect(rows).toBeGreaterThan(0);
    for (const name of [path, current]) {
      const file = await files.open(name);
      expect(file).toEqual({ bytes, sha256: digest, path: join(directory, path) });
    }
  }
  expect(found.files.find(({ current }: { current: string }) => current === CURRENT)).toMatchObject({
    rows: 2,
    dates: { first: "2025-01-02", last: "2025-01-03" },
    values: { least: 1.0299, greatest: 11.7445 },
  });
  const { text, sha256: digest } = await files.manifest();
  expect(digest).toBe(sha256(text));
  expect(await files.manifest()).toEqual({ text, sha256: digest });
});

test("without a log there is a refusal that passes, not an empty lake", async () => {
  const { directory, lake } = await filledLake();
  await lake.close();
  const tables = openTables(directory);
  expect(await refusalOf(() => openLakeFiles(tables).manifest("intraday"))).toBe("service_unavailable");
  rmSync(join(directory, "daily/_delta_log/.head.json"));
  expect(await refusalOf(() => openLakeFiles(openTables(directory)).manifest())).toBe("data_unavailable");
  expect(existsSync(join(directory, "daily/_delta_log/.head.json"))).toBe(false);
});

function openTables(directory: string) {
  const intraday = openTable(directory, INTRADAY, "real");
  return { daily: openDailyTables(directory, "real"), intraday, official: null };
}

test("quotes have a manifest of their own, which a flush renews", async () => {
  const { directory, lake } = await filledLake();
  const archive = await openQuoteArchive({ directory, simulated: false, access: "write" });
  const files = openLakeFiles({ daily: lake.tables, intraday: archive.table, official: null });
  const start = at("2026-03-02T08:00:00Z");
  const daily = await files.manifest();
  for (const [count, mid] of [
    [1, "0.9"],
    [2, "0.91"],
  ] as const) {
    await archive.append([quote("USD/EUR", mid, start + count * 60_000)]);
    await archive.flush();
    const found = JSON.parse((await files.manifest("intraday")).text);
    expect(found.files).toHaveLength(1);
    expect(found.files[0]).toMatchObject({
      current: "current/intraday/date=2026-03-02/quotes.parquet",
      rows: count,
      observed: { first: "2026-03-02T08:01:00.000Z", last: `2026-03-02T08:0${count}:00.000Z` },
    });
    const file = await files.open(found.files[0].path);
    expect(file?.sha256).toBe(sha256(readFileSync(file?.path as string)));
  }
  expect(await files.manifest()).toEqual(daily);
});

// The column cache is never believed over the files: another state, a torn or a foreign cache is as good as none.
let directory = "";
let cache = "";
beforeEach(async () => {
  directory = temporaryDirectory();
  cache = join(directory, ".columns.cache");
  const lake = await openedLake(directory);
  await lake.commit(() => firstChange());
  await lake.commit(() => secondChange());
  await lake.read();
});

async function read(): Promise<LakeRecord> {
  const lake = await openedLake(directory);
  const snapshot = await lake.read();
  await lake.close();
  return snapshot;
}

/** Typed arrays as lists: their equality is about numbers, not about buffers. */
function plain(snapshot: LakeRecord): unknown {
  const listed = (_: string, value: unknown) =>
    ArrayBuffer.isView(value) ? Array.from(value as Uint8Array) : value;
  return JSON.parse(JSON.stringify(snapshot, listed));
}

/** Names the state that the cache is of. */
function stateKey(): string {
  return recordKey(newestState(openDailyTables(directory, "real")) as State);
}

test("the cache equals the files", async () => {
  await read();
  expect(loadCached(directory, stateKey())).not.toBeNull();
  const cached = await read();
  rmSync(cache);
  const fresh = await read();
  expect(plain(cached)).toEqual(plain(fresh));
  expect((cached as LakeRecord).superseded).toHaveLength(2);
  expect(existsSync(cache)).toBe(true);
});

test("another version is not answered from it", async () => {
  expect(loadCached(directory, "3-0000000000000000")).toBeNull();
});

test("a file that changed is noticed although the cache is of its version, and the cache stays as it was", async () => {
  const { version } = await read();
  const cached = readFileSync(cache);
  const path = loggedFiles(directory, "daily").find((file) => file.includes("ecb_daily/year=2025")) as string;
  const whole = readFileSync(path);
  const flipped = Buffer.from(whole);
  flipped[200] = (flipped[200] as number) ^ 1;
  writeFileSync(path, flipped);
  const damaged = await read();
  expect(damaged.observations.count).toBe(5);
  expect(damaged.version).not.toBe(version);
  expect(readFileSync(cache).equals(cached)).toBe(true);
  writeFileSync(path, whole);
  expect(await read()).toMatchObject({ version, damaged: [] });
});

test("wherever it is cut or changed, it is ignored", () => {
  const [whole, key] = [readFileSync(cache), stateKey()];
  const ignored = (bytes: Buffer): boolean => {
    writeFileSync(cache, bytes);
    return loadCached(directory, key) === null;
  };
  for (let at = 0; at < whole.length; at++) {
    const changed = Buffer.from(whole);
    changed[at] = (changed[at] as number) ^ (1 << (at % 8));
    expect([at, ignored(whole.subarray(0, at)), ignored(changed)]).toEqual([at, true, true]);
  }
  for (const other of [Buffer.concat([whole, whole]), Buffer.alloc(whole.length)])
    expect(ignored(other)).toBe(true);
  expect(ignored(whole)).toBe(false);
});

test("a cache that cannot be written does no harm", async () => {
  rmSync(cache);
  mkdirSync(cache);
  expect((await read()).observations.count).toBe(7);
});
