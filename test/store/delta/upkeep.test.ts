/** Checkpoints, removal of what only versions beyond the retention need, and older versions for as long as they are kept. */

import { describe, expect, test } from "bun:test";
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repairFiles, survey } from "#store/delta/repair.ts";
import {
  type Add,
  actionsOf,
  apply,
  type Remove,
  restorationOf,
  type Snapshot,
  statsOf,
} from "#store/delta/snapshot.ts";
import type { Table } from "#store/delta/table.ts";
import { checkpoint, checkpointIfDue, cleanUp, commitsSinceCheckpoint } from "#store/delta/upkeep.ts";
import { withEngine } from "#store/parquet/engine.ts";
import { copyOf } from "#test/store/lake/sample.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commitFile, contentOf, DAY, flip, grow, open, START, sidecarFile } from "./sample.ts";

const KEPT = 3 * DAY;

/** A checkpoint of the newest version, as upkeep makes it on that version's day. */
async function checkpointOf(directory: string, table: Table): Promise<void> {
  const snapshot = table.latest() as Snapshot;
  const retention = { now: snapshot.timestamp, keptMilliseconds: KEPT };
  await withEngine(directory, (connection) => checkpoint(table, snapshot, connection, retention));
}

/** Versions 0 to 9 as commits alone. */
const plain = temporaryDirectory();
/** The same with checkpoints of the versions 4 and 7. */
const marked = temporaryDirectory();
const table = open(marked);
for (const last of [4, 7, 9]) {
  await grow(marked, table, last);
  if (last < 9) await checkpointOf(marked, table);
}
copyOf(marked, plain);
for (const name of readdirSync(open(plain).log.folder))
  if (name.includes("checkpoint")) rmSync(join(open(plain).log.folder, name));

function entries(table: Table): string[] {
  return readdirSync(table.log.folder).sort();
}

/** Rows of a version by its statistics; every file of it must be there, and intact. */
async function rowsOf(table: Table, snapshot: Snapshot): Promise<number> {
  expect(await table.verifier.audit(snapshot.files.values())).toEqual([]);
  return [...snapshot.files.values()].reduce((sum, add) => sum + statsOf(add).numRecords, 0);
}

/** Oslo has ten rows and one more for each version; Rome has five. */
const expectedRows = (version: number) => 15 + version;

describe("a checkpoint", () => {
  test("and the commits after it are the state that all commits from the first one on are", () => {
    const [whole, short] = [open(plain), open(marked)];
    expect(contentOf(short.latest())).toEqual(contentOf(whole.latest()));
    for (let version = 0; version <= 9; version++)
      expect(contentOf(short.at(version))).toEqual(contentOf(whole.at(version)));
  });

  test("lists the files that were removed within the retention, and no others", () => {
    const { actions } = open(marked).log.readCheckpoint(7, null);
    const removed = actions.flatMap((action) =>
      "remove" in action ? [action.remove.deletionTimestamp] : [],
    );
    expect(removed.length).toBeGreaterThan(2);
    expect(Math.min(...removed)).toBeGreaterThan(START + 7 * DAY - KEPT);
    const directory = copyOf(marked);
    open(directory).log.removeBefore(7);
    const { files } = open(directory).at(7) as Snapshot;
    expect(files).toEqual((open(plain).at(7) as Snapshot).files);
  });

  test("of a table to which a removed file came back has it", () => {
    const before = open(marked).latest() as Snapshot;
    const [removed] = before.removed.values();
    const commit = { version: before.version + 1, timestamp: START };
    const back = [restorationOf(removed as Remove, START)];
    const after = apply(before, { ...commit, actions: back });
    const read = apply(null, { ...commit, actions: actionsOf(after, 0) });
    expect(contentOf(read)).toEqual(contentOf(after));
    expect(read.files.has(removed?.path ?? "")).toBe(true);
  });

  test("that other engines cannot read is named by a survey, and changes nothing here", async () => {
    const directory = copyOf(marked);
    const faults = async () => (await survey(open(directory))).log;
    expect(await faults()).toEqual([]);
    const path = open(directory).log.checkpointFile(4);
    flip(path);
    expect(await faults()).toEqual([`${path} does not have its content`]);
    rmSync(path);
    expect(await faults()).toEqual([`${path} is missing`]);
    expect(contentOf(open(directory).latest())).toEqual(contentOf(open(plain).latest()));
  });

  test("before the one that a clean-up needs stays, in case that is damaged", async () => {
    const directory = copyOf(marked);
    await cleanUp(open(directory), { now: START + 9 * DAY + KEPT, keptMilliseconds: KEPT });
    const { commits, checkpoints } = open(directory).log.list();
    expect([checkpoints, commits[0]]).toEqual([[4, 7], 4]);
  });

  test("that a writer died of, at any point of its making, changes nothing", async () => {
    const source = copyOf(plain);
    await checkpointOf(source, open(source));
    const made = entries(open(source)).filter((name) => !entries(open(plain)).includes(name));
    const order = [
      "00000000000000000009.checkpoint.parquet",
      "_last_checkpoint",
      ".00000000000000000009.checkpoint.json",
    ];
    expect(made.sort()).toEqual([...order].sort());
    for (let count = 0; count <= order.length; count++) {
      const directory = copyOf(plain);
      const { folder } = open(directory).log;
      for (const name of order.slice(0, count))
        copyFileSync(join(open(source).log.folder, name), join(folder, name));
      writeFileSync(join(folder, ".00000000000000000009.checkpoint.json.tmp"), "half");
      writeFileSync(join(folder, "00000000000000000009.checkpoint.parquet.tmp"), "half");
      const table = open(directory);
      expect(contentOf(table.latest())).toEqual(contentOf(open(plain).latest()));
      await checkpointOf(directory, table);
      expect(contentOf(open(directory).latest())).toEqual(contentOf(open(plain).latest()));
      expect(entries(table)).toEqual(entries(open(source)));
    }
  });

  test("is made every twenty commits, and counted from", async () => {
    const directory = temporaryDirectory();
    const table = open(directory);
    const retention = { now: START, keptMilliseconds: KEPT };
    await grow(directory, table, 19);
    await withEngine(directory, async (connection) => {
      await checkpointIfDue(table, connection, retention);
      expect(table.log.list().checkpoints).toEqual([]);
      await table.commit(table.latest(), [], "WRITE", START + 20 * DAY);
      await checkpointIfDue(table, connection, retention);
      expect(table.log.list().checkpoints).toEqual([20]);
      await table.commit(table.latest(), [], "WRITE", START + 21 * DAY);
      await checkpointIfDue(table, connection, retention);
    });
    expect(table.log.list().checkpoints).toEqual([20]);
    expect(commitsSinceCheckpoint(table)).toBe(1);
  });
});

describe("removal", () => {
  test("day by day: every version within the retention is whole, the others go, and the newest never does", async () => {
    const directory = temporaryDirectory();
    const table = open(directory);
    for (let day = 0; day <= 14; day++) {
      await grow(directory, table, day);
      await checkpointOf(directory, table);
      const now = START + day * DAY;
      await cleanUp(table, { now, keptMilliseconds: KEPT });
      for (const opened of [table, open(directory)]) {
        expect(await rowsOf(opened, opened.latest() as Snapshot)).toBe(expectedRows(day));
        for (let version = 0; version <= day; version++) {
          const older = opened.at(version);
          // A version ends with the commit of the next one.
          if (START + (version + 1) * DAY > now - KEPT) {
            expect(older?.version).toBe(version);
            expect(await rowsOf(opened, older as Snapshot)).toBe(expectedRows(version));
          }
        }
      }
      const named = new Set((table.latest() as Snapshot).files.keys());
      for (let version = Math.max(0, day - 4); version < day; version++)
        for (const path of table.at(version)?.files.keys() ?? []) named.add(path);
      const present = Array.from(new Bun.Glob("**/part-*.parquet").scanSync(table.directory));
      for (const path of present) expect(named.has(path)).toBe(true);
    }
    // Older versions are gone with their entries.
    expect(table.at(5)).toBeNull();
    const { commits, checkpoints } = table.log.list();
    expect(checkpoints.at(-1)).toBe(14);
    expect(commits).toContain(checkpoints[0] as number);
    expect(commits.at(-1)).toBe(14);
    expect(commits.length).toBeLessThan(8);
    expect(entries(table).filter((name) => name.endsWith(".parquet"))).toHaveLength(checkpoints.length);
  });

  test("of a table without checkpoints takes files, and no entry of the log", async () => {
    const directory = copyOf(plain);
    const table = open(directory);
    const before = entries(table);
    const { files } = await cleanUp(table, { now: START + 9 * DAY, keptMilliseconds: KEPT });
    expect(files).toBeGreaterThan(4);
    expect(entries(table)).toEqual(before);
    expect(contentOf(open(directory).latest())).toEqual(contentOf(open(plain).latest()));
    expect(await rowsOf(table, table.latest() as Snapshot)).toBe(expectedRows(9));
  });

  test("takes what writers that died left, and nothing that is not this program's", async () => {
    const directory = copyOf(marked);
    const table = open(directory);
    const newest = table.latest() as Snapshot;
    mkdirSync(join(table.directory, "city=Bergen"));
    const left = [
      "city=Bergen/part-0f5d8f8e-0000-4000-8000-000000000000.parquet",
      "_delta_log/.00000000000000000010.json.4242.tmp",
      "_delta_log/..head.json-4242-1.tmp",
      "_delta_log/00000000000000000009.checkpoint.parquet.tmp",
    ];
    const foreign = ["city=Oslo/notes.txt", "city=Oslo/mine.parquet", "README.md"];
    for (const path of [...left, ...foreign]) writeFileSync(join(table.directory, path), "x");
    await cleanUp(table, { now: START + 9 * DAY, keptMilliseconds: KEPT });
    for (const path of left) expect(existsSync(join(table.directory, path))).toBe(false);
    for (const path of foreign) expect(existsSync(join(table.directory, path))).toBe(true);
    expect(contentOf(open(directory).latest())).toEqual(contentOf(newest));
    for (let version = 6; version <= 9; version++)
      expect(await rowsOf(table, open(directory).at(version) as Snapshot)).toBe(expectedRows(version));
  });

  test("that dies after any of its steps leaves a table that opens at the same version", () => {
    const gone = [sidecarFile(open(marked), 4), open(marked).log.checkpointFile(4)].concat(
      [0, 1, 2, 3, 4, 5, 6].map((version) => commitFile(open(marked), version)),
    );
    for (let count = 0; count <= gone.length; count++) {
      const directory = copyOf(marked);
      for (const path of gone.slice(0, count)) rmSync(path.replace(marked, directory));
      const table = open(directory);
      expect(contentOf(table.latest())).toEqual(contentOf(open(plain).latest()));
      for (let version = 7; version <= 9; version++)
        expect(contentOf(table.at(version))).toEqual(contentOf(open(plain).at(version)));
      table.log.removeBefore(7);
      expect(table.log.list()).toEqual({ commits: [7, 8, 9], checkpoints: [7] });
    }
  });

  test("of a table that never was does nothing", async () => {
    const directory = temporaryDirectory();
    const swept = await cleanUp(open(directory), { now: START, keptMilliseconds: 0 });
    expect(swept).toEqual({ files: 0, bytes: 0 });
    expect(readdirSync(directory)).toEqual([]);
  });
});

test("a repair puts the newest intact file of the same partition in the place of a damaged one", async () => {
  const directory = copyOf(plain);
  const table = open(directory);
  const newest = table.latest() as Snapshot;
  const fileOf = ({ files }: Snapshot) =>
    [...files.values()].find(({ partitionValues }) => partitionValues["city"] === "Rome") as Add;
  flip(join(table.directory, fileOf(newest).path), 300);
  const { snapshot } = await repairFiles(directory, table, newest, START + 10 * DAY, true);
  expect(fileOf(snapshot).path).toBe(fileOf(table.at(8) as Snapshot).path);
  expect(snapshot.files.size).toBe(2);
});
