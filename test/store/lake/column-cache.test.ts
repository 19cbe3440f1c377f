/** The column cache is never believed over the files: another state, a torn or a foreign cache is as good as none. */

import { beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LakeRecord } from "#ports.ts";
import { loadCached } from "#store/lake/record.ts";
import { newestState, openDailyTables, recordKey, type State } from "#store/lake/state.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { firstChange, loggedFiles, openedLake, secondChange } from "./sample.ts";

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
