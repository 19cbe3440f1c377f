/** The log on disk: a version is committed once and visible to every reader, also after a writer that died; foreign logs are refused. */

import { describe, expect, spyOn, test } from "bun:test";
import * as fs from "node:fs";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LakeDamaged } from "#store/delta/damage.ts";
import { CommitConflict } from "#store/delta/log.ts";
import { openTable, type Table } from "#store/delta/table.ts";
import { cleanUp } from "#store/delta/upkeep.ts";
import { copyOf } from "#test/store/lake/sample.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commitFile, contentOf, DAY, faultOf, grow, MEASUREMENTS, open, START } from "./sample.ts";

/** Versions 0 to 3. */
const young = temporaryDirectory();
await grow(young, open(young), 3);

const head = (table: Table) => join(table.log.folder, ".head.json");

describe("a commit", () => {
  test("of a version that exists is a conflict and changes nothing", async () => {
    const directory = copyOf(young);
    const [one, other] = [open(directory), open(directory)];
    const base = one.latest();
    expect(contentOf(other.latest())).toEqual(contentOf(base));
    await one.commit(base, [{ txn: { appId: "one", version: 1, lastUpdated: START } }], "WRITE", START);
    const before = readFileSync(commitFile(one, 4));
    const head = readFileSync(join(one.log.folder, ".head.json"));
    const attempt = other.commit(
      base,
      [{ txn: { appId: "other", version: 1, lastUpdated: START } }],
      "WRITE",
      START,
    );
    expect(await attempt.catch((fault: unknown) => fault)).toBeInstanceOf(CommitConflict);
    expect(readFileSync(commitFile(one, 4)).equals(before)).toBe(true);
    expect(readFileSync(join(one.log.folder, ".head.json")).equals(head)).toBe(true);
    expect(readdirSync(one.log.folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    expect(other.latest()?.txns.has("one")).toBe(true);
    expect(other.latest()?.txns.has("other")).toBe(false);
  });

  test("ends with its table, its version and what it did, in the form of the protocol", () => {
    const table = open(young);
    const lines = readFileSync(commitFile(table, 2), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map((line) => Object.keys(line).join())).toEqual(["remove", "add", "txn", "commitInfo"]);
    expect(lines.at(-1).commitInfo).toMatchObject({
      timestamp: START + 2 * DAY,
      operation: "WRITE",
      engineInfo: "Crossrate",
      table: table.latest()?.metaData.id,
      version: 2,
    });
  });
});

test("a writer that died before it moved the head has committed; the next one continues after it", async () => {
  const directory = copyOf(young);
  const table = open(directory);
  const before = readFileSync(head(table));
  await grow(directory, table, 5);
  writeFileSync(head(table), before);
  const next = open(directory);
  const [opening, flushing] = [spyOn(fs, "openSync"), spyOn(fs, "fsyncSync")];
  expect(next.latest()?.version).toBe(5);
  // Nobody knows whether the dead one had flushed its commit.
  expect(opening.mock.calls).toEqual([[table.log.folder, "r"]]);
  expect(flushing).toHaveBeenCalledTimes(1);
  for (const spy of [opening, flushing]) spy.mockRestore();
  await grow(directory, next, 6);
  expect(JSON.parse(readFileSync(head(table), "utf8")).head.version).toBe(6);
});

test("a table whose first writer died before its first commit is as new", async () => {
  const directory = temporaryDirectory();
  const dead = open(directory);
  await dead.log.writeHead({ table: "an-id", version: -1 });
  const table = open(directory);
  expect(table.latest()).toBeNull();
  await grow(directory, table, 0);
  expect(open(directory).latest()?.metaData.id).toBe("an-id");
});

test("a table of a newer format is refused by name, and left as it is", async () => {
  const directory = temporaryDirectory();
  const id = crypto.randomUUID();
  const { log } = open(directory);
  await log.writeHead({ table: id, version: -1 });
  const metaData = {
    id,
    name: "measurements",
    description: "",
    format: { provider: "parquet", options: {} },
    schemaString: "{}",
    partitionColumns: [],
    configuration: { "crossrate.format": "3", "crossrate.mode": "real" },
    createdTime: START,
  } as const;
  const actions = [{ protocol: { minReaderVersion: 1, minWriterVersion: 2 } }, { metaData }];
  await log.writeCommit({ version: 0, timestamp: START, actions }, { table: id, operation: "CREATE TABLE" });
  const before = readFileSync(commitFile(open(directory), 0));
  const fault = faultOf(() => openTable(directory, MEASUREMENTS, "real").latest());
  expect((fault as Error).message).toStartWith(`${join(directory, "measurements")} has lake format 3`);
  expect(readFileSync(commitFile(open(directory), 0)).equals(before)).toBe(true);
  expect(existsSync(commitFile(open(directory), 1))).toBe(false);
});

test("a log that another program made is not taken for one of ours", async () => {
  const directory = temporaryDirectory();
  const table = open(directory);
  await grow(directory, table, 1);
  const lines = readFileSync(commitFile(table, 1), "utf8").trimEnd().split("\n").slice(0, -1);
  const path = commitFile(table, 2);
  const info = { commitInfo: { timestamp: START, operation: "WRITE" } };
  writeFileSync(path, `${lines.join("\n")}\n${JSON.stringify(info)}\n`);
  expect(faultOf(() => open(directory).latest())).toMatchObject({ name: "LakeDamaged", path });
  expect(String(faultOf(() => open(directory).latest()))).toContain("not written by Crossrate");
  expect(
    await cleanUp(table, { now: START, keptMilliseconds: 0 }).catch((fault: unknown) => fault),
  ).toBeInstanceOf(LakeDamaged);
});

const FILES = 200;

test("of several writers with one process id one makes each file, with its own text", async () => {
  const folder = temporaryDirectory();
  const ends = ["a", "b", "c"].map((name) => {
    const worker = new Worker(new URL("./same-pid.ts", import.meta.url).href);
    const ended = new Promise<{ name: string; made: number[]; faults: string[] }>((done, failed) => {
      worker.onmessage = ({ data }) => done(data);
      worker.onerror = failed;
    });
    worker.postMessage({ folder, name, files: FILES });
    return ended.finally(() => worker.terminate());
  });
  const all = await Promise.all(ends);
  expect(all.flatMap(({ faults }) => faults)).toEqual([]);
  expect(all.flatMap(({ made }) => made).sort((a, b) => a - b)).toEqual(
    Array.from({ length: FILES }, (_, nth) => nth),
  );
  const foreign = all.flatMap(({ name, made }) =>
    made.filter((nth) => readFileSync(join(folder, String(nth)), "utf8") !== `${name} `.repeat(1000)),
  );
  expect(foreign).toEqual([]);
});
