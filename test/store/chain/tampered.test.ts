/** Every way to change a signed lake: what a verification says of it, and what only a head kept outside finds. */

import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Entry, readSigningKey, type SigningKey, sha256 } from "#domain/chain/entry.ts";
import { digitsOf } from "#store/delta/log.ts";
import type { Snapshot } from "#store/delta/snapshot.ts";
import { openTable } from "#store/delta/table.ts";
import { checkpoint } from "#store/delta/upkeep.ts";
import { DAILY } from "#store/lake/tables.ts";
import { withEngine } from "#store/parquet/engine.ts";
import { newSigningKey } from "#test/api/sample-chain.ts";
import { flip } from "#test/store/delta/sample.ts";
import { add, loggedFiles, observation } from "#test/store/lake/sample.ts";
import {
  commitPath,
  entriesOf,
  faultsOf,
  forgeCommit,
  headOf,
  openSigned,
  resign,
  restarted,
  segmentPaths,
  signedCopy,
  writeLines,
} from "./signed-lake.ts";

const keyOf = (dataDir: string) =>
  readSigningKey(readFileSync(join(dataDir, "signing.key"), "utf8")) as SigningKey;
const NEWEST = 5;
const merged = (text: string) => text.replace('"operation":"WRITE"', '"operation":"MERGE"');

/** Writes the head of the log, too, as somebody does who knows it. */
function endBefore(dataDir: string): void {
  const path = join(dataDir, "lake/daily/_delta_log/.head.json");
  const { table } = JSON.parse(readFileSync(path, "utf8")).head;
  const text = `{"head":{"table":"${table}","version":${NEWEST - 1},"sha256":"`;
  writeFileSync(path, `${text}${sha256(text)}"}}\n`);
}

test("a lake as it was signed has no fault, also against a head that was kept earlier", async () => {
  const dataDir = await signedCopy();
  const kept = await headOf(dataDir);
  expect(await faultsOf(dataDir, kept)).toEqual([]);
  const [early, next] = entriesOf(dataDir).slice(4) as [Entry, Entry];
  const earlier = { ...kept, sequence: 4, hash: next.previous, signature: early.signature };
  expect(await faultsOf(dataDir, earlier)).toEqual([]);
});

test("a changed byte of a data file is found, in the newest version and in a retained one", async () => {
  const dataDir = await signedCopy();
  const [newest] = loggedFiles(join(dataDir, "lake"), "daily");
  flip(newest as string);
  expect(await faultsOf(dataDir)).toEqual([expect.stringContaining("does not have its content")]);

  const other = await signedCopy();
  const all = new Set(loggedFiles(join(other, "lake"), "daily"));
  const old = loggedFiles(join(other, "lake"), "daily", 1).find((path) => !all.has(path));
  flip(old as string);
  expect(await faultsOf(other)).toEqual([expect.stringContaining("it is of an older version")]);
});

test("a data file exchanged together with its digest in the log is found", async () => {
  const dataDir = await signedCopy();
  const lake = join(dataDir, "lake");
  const [path] = loggedFiles(lake, "daily");
  const before = sha256(readFileSync(path as string));
  flip(path as string);
  const after = sha256(readFileSync(path as string));
  for (let version = 0; version <= NEWEST; version++) {
    const commit = commitPath(dataDir, "daily", version);
    if (readFileSync(commit, "utf8").includes(before))
      forgeCommit(commit, (text) => text.replaceAll(before, after));
  }
  const faults = await faultsOf(dataDir);
  expect(faults).toContainEqual(
    expect.stringMatching(/^the commit of version \d of daily was changed after entry \d+/),
  );
  expect(faults).toContainEqual(
    expect.stringMatching(/^the files of version 5 of daily are not those that entry \d+ has signed$/),
  );
});

/** Puts a checkpoint of the newest version of daily there, with one figure's file under another name: readers take it for the table. */
async function forgeCheckpoint(dataDir: string, version = NEWEST) {
  const lake = join(dataDir, "lake");
  const table = openTable(lake, DAILY, "real");
  const newest = table.latest() as Snapshot;
  const files = new Map([...newest.files].map(([path, one]) => [path, { ...one, path: `${path}.forged` }]));
  const write = (snapshot: Snapshot) =>
    withEngine(lake, (connection) =>
      checkpoint(table, snapshot, connection, { now: 0, keptMilliseconds: 0 }),
    );
  return { table, honest: () => write(newest), forged: () => write({ ...newest, version, files }) };
}

describe("what readers of the Delta table would take for it is found:", () => {
  const faultOf = async (dataDir: string, part: string) =>
    expect(await faultsOf(dataDir)).toEqual([expect.stringContaining(part)]);

  test("a Parquet checkpoint put beside the commits; the same of what they make is none", async () => {
    const dataDir = await signedCopy();
    const { table, honest, forged } = await forgeCheckpoint(dataDir);
    const sidecar = join(table.log.folder, `.${digitsOf(NEWEST)}.checkpoint.json`);
    await honest();
    rmSync(sidecar);
    expect(await faultsOf(dataDir)).toEqual([]);
    await forged();
    rmSync(sidecar);
    await faultOf(dataDir, "0005.checkpoint.parquet is not what the commits before it make");
  });

  test("one in the place of another, together with its digest", async () => {
    const dataDir = await signedCopy();
    const { table, honest, forged } = await forgeCheckpoint(dataDir);
    const sidecar = join(table.log.folder, `.${digitsOf(NEWEST)}.checkpoint.json`);
    await honest();
    const text = readFileSync(sidecar, "utf8");
    await forged();
    const digest = /"parquetSha256":"([0-9a-f]{64})"/;
    const [, other = ""] = digest.exec(readFileSync(sidecar, "utf8")) ?? [];
    writeFileSync(sidecar, text);
    forgeCommit(sidecar, (before) => before.replace(digest, `"parquetSha256":"${other}"`));
    await faultOf(dataDir, "0005.checkpoint.parquet is not what the commits before it make");
  });

  test("a checkpoint of a version that does not exist", async () => {
    const dataDir = await signedCopy();
    const { table, forged } = await forgeCheckpoint(dataDir, NEWEST + 1);
    await forged();
    rmSync(join(table.log.folder, `.${digitsOf(NEWEST + 1)}.checkpoint.json`));
    await faultOf(dataDir, "0006.checkpoint.parquet is of no version, and other readers may follow it");
  });

  test("statistics by which a reader leaves a file out, in a checkpoint of both forms", async () => {
    const dataDir = await signedCopy();
    const { table, honest } = await forgeCheckpoint(dataDir);
    await honest();
    forgeCommit(join(table.log.folder, `.${digitsOf(NEWEST)}.checkpoint.json`), (text) =>
      text.replaceAll('\\"maxValues\\":{\\"date\\":\\"20', '\\"maxValues\\":{\\"date\\":\\"19'),
    );
    await faultOf(dataDir, "the checkpoint of version 5 in");
  });

  test("commits joined in one file, as another program writes them", async () => {
    const dataDir = await signedCopy();
    const name = `${digitsOf(0)}.${digitsOf(NEWEST)}.compacted.json`;
    writeFileSync(join(dataDir, "lake/daily/_delta_log", name), "");
    await faultOf(dataDir, `${name} is of no version`);
  });
});

test("a changed copy of an entry is found; the same line twice, as a crash leaves it, is no fault", async () => {
  const dataDir = await signedCopy();
  const last = segmentPaths(dataDir).at(-1) as string;
  const text = readFileSync(last, "utf8");
  writeFileSync(last, text + text);
  expect(await faultsOf(dataDir)).toEqual([]);
  writeFileSync(last, text + text.replace('"version":5', '"version":4'));
  expect(await faultsOf(dataDir)).toEqual([
    expect.stringMatching(/^entry \d+ is stored twice, and the copies differ$/),
  ]);
});

test("a commit that was changed and sealed again is named, and the server signs nothing after it", async () => {
  const dataDir = await signedCopy();
  forgeCommit(commitPath(dataDir, "daily", NEWEST), merged);
  expect(await faultsOf(dataDir)).toEqual([
    expect.stringMatching(/^the commit of version 5 of daily was changed after entry \d+ had signed it$/),
  ]);
  const { lake, emitted } = await openSigned(dataDir);
  await add(lake, { accepted: [observation("2025-01-06", "USD", "1.0388")] });
  await lake.close();
  const detail = expect.stringContaining("the commit of version 5 of daily is not the one that was signed");
  expect(emitted).toEqual([{ kind: "history_unsigned", detail }]);
  // An older one is not looked at by a server: a verification finds it.
  const other = await signedCopy();
  forgeCommit(commitPath(other, "held", 1), merged);
  expect(await faultsOf(other)).toEqual([
    expect.stringContaining("the commit of version 1 of held was changed"),
  ]);
});

test("a removed commit is named, at the end and before it, and so is a whole table", async () => {
  const dataDir = await signedCopy();
  rmSync(commitPath(dataDir, "daily", 3));
  expect(await faultsOf(dataDir)).toContainEqual(
    expect.stringMatching(/^the commit of version 3 of daily is missing: entry \d+ has signed it$/),
  );

  const other = await signedCopy();
  rmSync(commitPath(other, "daily", NEWEST));
  endBefore(other);
  expect(await faultsOf(other)).toEqual([
    expect.stringMatching(/^the commit of version 5 of daily is missing: entry \d+ has signed it$/),
  ]);
  expect(await restarted(other)).toEqual([
    expect.stringMatching(
      /^history_unsigned: daily ends with version 4, and version 5 was signed: nothing more is signed/,
    ),
  ]);

  const third = await signedCopy();
  rmSync(join(third, "lake/statements"), { recursive: true });
  expect(await faultsOf(third)).toContain("the table statements was signed, and is gone");
});

test("a removed entry is named, whether with its segment or out of one", async () => {
  const dataDir = await signedCopy();
  const gone = segmentPaths(dataDir)[2] as string;
  const sequence = Number(/(\d+)\.ndjson$/.exec(gone)?.[1]);
  rmSync(gone);
  expect(await faultsOf(dataDir)).toContainEqual(
    expect.stringMatching(
      new RegExp(`^entr(y ${sequence} is|ies ${sequence} to \\d+ are) missing from the history`),
    ),
  );

  const other = await signedCopy();
  const path = segmentPaths(other)[0] as string;
  const lines = readFileSync(path, "utf8").split("\n");
  expect(lines.length).toBeGreaterThan(3);
  writeFileSync(path, [lines[0], ...lines.slice(2)].join("\n"));
  expect(await faultsOf(other)).toContainEqual(expect.stringContaining("missing from the history"));
});

test("a changed entry is named, by its signature and by the entry after it", async () => {
  const dataDir = await signedCopy();
  const path = segmentPaths(dataDir)[2] as string;
  writeFileSync(path, readFileSync(path, "utf8").replace(/"files":"[0-9a-f]{2}/, '"files":"zz'));
  const faults = await faultsOf(dataDir);
  expect(faults).toContainEqual(expect.stringMatching(/^the signature of entry \d+ is wrong$/));
  expect(faults).toContainEqual(expect.stringContaining("that one was changed after it was signed"));
});

test("a history cut short together with its commits is found by a kept head, and by nothing else", async () => {
  const dataDir = await signedCopy();
  const kept = await headOf(dataDir);
  rmSync(segmentPaths(dataDir).at(-1) as string);
  rmSync(commitPath(dataDir, "daily", NEWEST));
  endBefore(dataDir);
  expect(await faultsOf(dataDir)).toEqual([]);
  expect(await faultsOf(dataDir, kept)).toEqual([
    `the history was cut short: the head that was kept is entry ${kept.sequence}, and it ends with entry ${kept.sequence - 1}`,
  ]);
});

test("a history rewritten by somebody without the key is named by the key", async () => {
  const dataDir = await signedCopy();
  const kept = await headOf(dataDir);
  const stranger = newSigningKey();
  resign(dataDir, stranger);
  expect(await faultsOf(dataDir)).toEqual([
    `the history is signed with the key ${stranger.id}, and the key here is ${kept.key}: somebody else has signed it`,
  ]);
  // The same where the owner's key is in the setting, and the other one was put into the directory.
  const owner = keyOf(dataDir);
  const pem = stranger.privateKey.export({ format: "pem", type: "pkcs8" });
  writeFileSync(join(dataDir, "signing.key"), pem);
  expect(await faultsOf(dataDir, null, [owner])).toEqual([
    expect.stringContaining("somebody else has signed it"),
  ]);
  expect(await restarted(dataDir, [owner])).toEqual([
    expect.stringContaining(`history_unsigned: the key ${stranger.id} that signs the history is not here`),
  ]);
  // In the middle of it: the entries before are those of the owner.
  const other = await signedCopy();
  const path = segmentPaths(other).at(-1) as string;
  const [entry] = entriesOf(other).slice(-1) as [Entry];
  writeLines(path, [{ ...entry, key: stranger.id }]);
  expect(await faultsOf(other)).toContainEqual(
    expect.stringContaining("which no entry before it names as the next one"),
  );
});

test("a history rewritten by its operator is found by a kept head, and by nothing else", async () => {
  const dataDir = await signedCopy();
  const kept = await headOf(dataDir);
  const commit = commitPath(dataDir, "held", 1);
  forgeCommit(commit, merged);
  const digest = sha256(readFileSync(commit));
  resign(dataDir, keyOf(dataDir), (entry) =>
    entry.kind === "commit" && entry.table === "held" && entry.version === 1
      ? { ...entry, sha256: digest }
      : entry,
  );
  expect(await faultsOf(dataDir)).toEqual([]);
  expect(await faultsOf(dataDir, kept)).toEqual([
    `the history was rewritten: entry ${kept.sequence} is not the one that was kept`,
  ]);
});

test("a history begun again is found by a kept head, and by nothing else", async () => {
  const dataDir = await signedCopy();
  const kept = await headOf(dataDir);
  rmSync(join(dataDir, "lake/chain"), { recursive: true });
  expect(await faultsOf(dataDir)).toEqual([expect.stringContaining("no signed history: it was removed")]);
  expect(await faultsOf(dataDir, kept)).toContainEqual(expect.stringContaining("the history was cut short"));
  expect(await restarted(dataDir)).toEqual([]);
  expect(await faultsOf(dataDir)).toEqual([]);
  expect(await faultsOf(dataDir, kept)).toEqual([expect.stringContaining("another one, begun again")]);
});

test("names in the folder of the history that are not its own do no harm", async () => {
  const dataDir = await signedCopy();
  writeFileSync(join(dataDir, "lake/chain/notes.txt"), "x");
  writeFileSync(join(dataDir, "lake/chain/.half.ndjson.1.tmp"), "half");
  expect(await faultsOf(dataDir)).toEqual([]);
  expect(readdirSync(join(dataDir, "lake/chain"))).toContain("notes.txt");
});
