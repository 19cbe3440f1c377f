/** Damage to a log: whichever of its files is missing, cut or changed is named, and an older state never passes for the newest. */

import { describe, expect, test } from "bun:test";
import {
  copyFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { LakeDamaged } from "#store/delta/damage.ts";
import type { Add, Snapshot } from "#store/delta/snapshot.ts";
import type { Table } from "#store/delta/table.ts";
import { checkpoint } from "#store/delta/upkeep.ts";
import { withEngine } from "#store/parquet/engine.ts";
import { copyOf } from "#test/store/lake/sample.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commitFile, contentOf, DAY, faultOf, flip, grow, open, START, sidecarFile } from "./sample.ts";

/** Versions 0 to 6, a checkpoint at 3, and nothing before it any more. */
const grown = temporaryDirectory();
/** Versions 0 to 3 without a checkpoint. */
const young = temporaryDirectory();
const table = open(young);
await grow(young, table, 3);
const older = open(grown);
await grow(grown, older, 3);
await withEngine(grown, (connection) =>
  checkpoint(older, older.latest() as Snapshot, connection, { now: START, keptMilliseconds: DAY }),
);
await grow(grown, older, 6);
older.log.removeBefore(3);

test("a byte that flips anywhere in a commit, the head or a checkpoint is noticed when the table is opened", () => {
  const directory = copyOf(grown);
  const table = open(directory);
  for (const path of [commitFile(table, 5), join(table.log.folder, ".head.json"), sidecarFile(table, 3)]) {
    const whole = readFileSync(path);
    for (let at = 0; at < whole.length; at += at < 200 || at > whole.length - 200 ? 1 : 7) {
      flip(path, at);
      expect(faultOf(() => open(directory).latest())).toMatchObject({ name: "LakeDamaged", path });
      writeFileSync(path, whole);
    }
  }
  expect(contentOf(open(directory).latest())).toEqual(contentOf(open(grown).latest()));
});

/** A file that fails when it is read: reading it fails as on a disk with a damaged sector. */
const unreadable = (path: string) => {
  rmSync(path);
  symlinkSync("/proc/self/mem", path);
  return path;
};

test.skipIf(process.platform !== "linux")(
  "what the disk cannot read is damage and is named: an entry of the log, and a data file",
  async () => {
    const directory = copyOf(grown);
    const { log, definition } = open(directory);
    for (const name of ["00000000000000000005.json", ".00000000000000000003.checkpoint.json"]) {
      const path = join(log.folder, name);
      const whole = readFileSync(path);
      unreadable(path);
      const what = `${path} cannot be read from the disk`;
      expect(faultOf(() => open(directory).latest())).toMatchObject({ name: "LakeDamaged", what });
      rmSync(path);
      writeFileSync(path, whole);
    }
    const table = open(directory);
    const [add] = [...(table.latest() as Snapshot).files.values()] as [Add];
    unreadable(table.pathOf(add));
    expect(await table.verifier.check({ ...add, size: 0 })).toMatchObject({
      table: definition.name,
      kind: "unreadable",
    });
  },
);

type Damage = readonly [string, (table: Table) => string];

const write = (path: string, text: string) => {
  writeFileSync(path, text);
  return path;
};
const remove = (path: string) => {
  rmSync(path);
  return path;
};
const cut = (path: string) => write(path, readFileSync(path, "utf8").slice(0, -10));
const head = (table: Table) => join(table.log.folder, ".head.json");
/** The newest whole line fewer: still JSON lines, as an unsealed log would be. */
const shortened = (path: string) => write(path, readFileSync(path, "utf8").split("\n").slice(1).join("\n"));

function swapped(table: Table, a: number, b: number): string {
  const [one, other] = [commitFile(table, a), commitFile(table, b)];
  renameSync(one, `${one}.aside`);
  renameSync(other, one);
  renameSync(`${one}.aside`, other);
  return one;
}

function copied(from: string, to: string): string {
  copyFileSync(from, to);
  return to;
}

const IN_BOTH: readonly Damage[] = [
  ["the newest commit is missing", (table) => remove(commitFile(table, table.latest()?.version as number))],
  ["the newest commit is cut", (table) => cut(commitFile(table, table.latest()?.version as number))],
  ["the newest commit is empty", (table) => write(commitFile(table, table.latest()?.version as number), "")],
  ["the head is missing", (table) => remove(head(table))],
  ["the head is cut", (table) => cut(head(table))],
  ["the head is empty", (table) => write(head(table), "")],
  ["the head is a commit", (table) => copied(commitFile(table, 3), head(table))],
  [
    "the newest commit is there twice",
    (table) => {
      const newest = table.latest()?.version as number;
      return copied(commitFile(table, newest), commitFile(table, newest + 1));
    },
  ],
  [
    "every commit and checkpoint is missing",
    (table) => {
      const entries = readdirSync(table.log.folder).filter((name) => name !== ".head.json");
      for (const name of entries) rmSync(join(table.log.folder, name));
      return commitFile(table, 0);
    },
  ],
];

const IN_YOUNG: readonly Damage[] = [
  ["the first commit is missing", (table) => remove(commitFile(table, 0))],
  ["a commit in the middle is missing", (table) => remove(commitFile(table, 2))],
  ["a commit in the middle is cut", (table) => cut(commitFile(table, 2))],
  ["a commit in the middle is empty", (table) => write(commitFile(table, 1), "")],
  ["a commit in the middle has lost a line", (table) => shortened(commitFile(table, 1))],
  ["two commits are swapped", (table) => swapped(table, 1, 2)],
  ["a commit is there twice", (table) => copied(commitFile(table, 1), commitFile(table, 2))],
];

const IN_GROWN: readonly Damage[] = [
  ["the checkpoint is missing", (table) => remove(sidecarFile(table, 3))],
  ["the checkpoint is cut", (table) => cut(sidecarFile(table, 3))],
  ["the checkpoint is empty", (table) => write(sidecarFile(table, 3), "")],
  ["the checkpoint has lost a line", (table) => shortened(sidecarFile(table, 3))],
  [
    "the checkpoint is under a later version",
    (table) => copied(sidecarFile(table, 3), sidecarFile(table, 5)),
  ],
  ["a commit takes the checkpoint's place", (table) => copied(commitFile(table, 4), sidecarFile(table, 3))],
  ["a commit after it is missing", (table) => remove(commitFile(table, 4))],
  ["commits after it are swapped", (table) => swapped(table, 4, 5)],
];

describe.each([
  ["a log from its beginning", () => young, [...IN_BOTH, ...IN_YOUNG]],
  ["a log from a checkpoint on", () => grown, [...IN_BOTH, ...IN_GROWN]],
] as const)("in %s", (_, from, damages) => {
  test.each([...damages])(
    "%s: the file is named, and there is no older state in its place",
    (_name, damage) => {
      const directory = copyOf(from());
      const path = damage(open(directory));
      expect(faultOf(() => open(directory).latest())).toMatchObject({ name: "LakeDamaged", path });
    },
  );

  test("a commit of another table is not one of this", async () => {
    const directory = copyOf(from());
    const other = temporaryDirectory();
    const foreign = open(other);
    await grow(other, foreign, 6);
    const newest = open(directory).latest()?.version as number;
    const path = copied(commitFile(foreign, newest), commitFile(open(directory), newest));
    expect(faultOf(() => open(directory).latest())).toMatchObject({ name: "LakeDamaged", path });
  });
});

test("a log that lost its older entries is noticed also by a table that was opened before", () => {
  const directory = copyOf(young);
  const table = open(directory);
  expect(table.latest()?.version).toBe(3);
  rmSync(commitFile(table, 3));
  expect(faultOf(() => table.latest())).toBeInstanceOf(LakeDamaged);
});
