/** What is signed and when: crashes, several processes, keys, clean-up, repairs, and lakes from before; tampering is in tampered.test.ts. */

import { expect, test } from "bun:test";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { newSigningKey as changeKey, repairLake } from "#assembly/inspection.ts";
import { filesText, isSignedBy, readSigningKey, sha256 } from "#domain/chain/entry.ts";
import { openChain } from "#store/chain/chain.ts";
import { readKeys } from "#store/chain/keys.ts";
import { CHAIN_FOLDER, openSegments } from "#store/chain/segments.ts";
import { openLake } from "#store/lake/lake.ts";
import { openDailyTables } from "#store/lake/state.ts";
import { newSigningKey } from "#test/api/sample-chain.ts";
import { flip } from "#test/store/delta/sample.ts";
import {
  add,
  contents,
  figureAt,
  firstChange,
  loggedFiles,
  observation,
  secondChange,
} from "#test/store/lake/sample.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import {
  commitPath,
  entriesOf,
  faultsOf,
  headOf,
  notesOf,
  openSigned,
  restarted,
  segmentPaths,
  signedCopy,
} from "./signed-lake.ts";

test("every commit of every table has one entry, which follows from its files; daily comes after those it names", async () => {
  const dataDir = await signedCopy();
  const [begin, ...commits] = entriesOf(dataDir);
  expect(begin).toMatchObject({ kind: "begin", sequence: 0, mode: "real", format: "crossrate-chain/1" });
  expect(Date.parse(begin?.at ?? "")).not.toBeNaN();
  const publicKey = begin?.kind === "begin" ? begin.public_key : "";
  const seen = new Map<string, number>();
  for (const entry of commits) {
    if (entry.kind !== "commit") throw new Error(entry.kind);
    const { table, version } = entry;
    expect(version).toBe((seen.get(table) ?? -1) + 1);
    seen.set(table, version);
    expect(entry.sha256).toBe(sha256(readFileSync(commitPath(dataDir, table, version))));
    const folder = join(dataDir, "lake", table);
    const files = loggedFiles(join(dataDir, "lake"), table, version)
      .filter((path) => existsSync(path))
      .map((path) => ({ path: path.slice(folder.length + 1), sha256: sha256(readFileSync(path)) }));
    expect(entry.files).toBe(sha256(filesText(files)));
    expect(isSignedBy(entry, publicKey)).toBe(true);
    expect("with" in entry).toBe(table === "daily");
    if (table !== "daily") continue;
    const { revisions, held, statements } = Object.fromEntries(seen);
    expect(entry.with).toEqual({ revisions, held, statements } as NonNullable<typeof entry.with>);
  }
  expect(Object.fromEntries(seen)).toEqual({ revisions: 1, held: 1, statements: 1, daily: 5 });
});

test("the key is made once, readable by its owner only; with the setting it does not count", async () => {
  const dataDir = await signedCopy();
  const path = join(dataDir, "signing.key");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const { key } = await headOf(dataDir);
  expect(readSigningKey(readFileSync(path, "utf8"))?.id).toBe(key);
  const setting = newSigningKey();
  expect(readKeys({ dataDir, fromSetting: [setting] })).toEqual({ signer: setting, former: [] });
});

test("whatever of its steps a writer died after, the next start makes the same entries", async () => {
  const whole = await signedCopy();
  const lines = segmentPaths(whole).map((path) => readFileSync(path, "utf8"));
  for (let kept = 1; kept <= lines.length; kept++) {
    const dataDir = await signedCopy();
    for (const path of segmentPaths(dataDir).slice(kept)) rmSync(path);
    // Also before anything heals it: commits without an entry are at the end only.
    expect(await faultsOf(dataDir)).toEqual([]);
    expect(await restarted(dataDir)).toEqual([]);
    const made = segmentPaths(dataDir).map((path) => readFileSync(path, "utf8"));
    expect(made.join("")).toBe(lines.join(""));
  }
});

test("two processes that append at once make one history, and both go on after many segments were joined", async () => {
  const dataDir = temporaryDirectory();
  const one = await openSigned(dataDir);
  const other = await openSigned(dataDir);
  const daily = openDailyTables(one.directory, "real");
  const commits = async (name: "daily" | "held", chain: typeof one.chain, count: number) => {
    for (let at = 0; at < count; at++) {
      const table = daily[name];
      await table.commit(table.latest(), [], "WRITE", Date.now());
      await chain.follow([table]);
    }
  };
  await Promise.all([commits("daily", one.chain, 135), commits("held", other.chain, 135)]);
  expect(one.emitted).toEqual([]);
  expect(other.emitted).toEqual([]);
  expect(segmentPaths(dataDir).length).toBeLessThan(200);
  const sequences = entriesOf(dataDir).map(({ sequence }) => sequence);
  expect(sequences).toEqual(Array.from({ length: 275 }, (_, at) => at));
  // One that slept meanwhile, and one that starts from the state that was saved.
  await commits("held", one.chain, 1);
  const later = openChain({ directory: one.directory, keys: { dataDir, fromSetting: [] }, mode: "real" });
  expect(later.state()?.sequence).toBe(275);
  expect(later.entryOf("daily", 3)).toMatchObject({ version: 3 });
  expect(later.entryOf("daily", 136)).toBeNull();
  await one.lake.close();
  await other.lake.close();
  expect(await faultsOf(dataDir)).toEqual([]);
});

test("a history that cannot be appended to is reported once, and never stops a commit", async () => {
  const dataDir = await signedCopy();
  const kept = join(dataDir, "kept.key");
  renameSync(join(dataDir, "signing.key"), kept);
  const { lake, emitted } = await openSigned(dataDir);
  for (const date of ["2025-01-06", "2025-01-07"])
    await add(lake, { accepted: [observation(date, "USD", "1.0388")] });
  await lake.close();
  const detail = expect.stringContaining("that signs the history is not here");
  expect(emitted).toEqual([{ kind: "history_unsigned", detail }]);
  expect((await contents(join(dataDir, "lake"))).current.join("\n")).toContain("2025-01-07");
  expect(existsSync(join(dataDir, "signing.key"))).toBe(false);
  renameSync(kept, join(dataDir, "signing.key"));
  expect(await restarted(dataDir)).toEqual([]);
  expect(await faultsOf(dataDir)).toEqual([]);
  expect((await notesOf(dataDir)).filter((note) => note.includes("no entry yet"))).toEqual([]);
});

test("commits that clean-up takes while the key is away are named, before and after the repair that goes on after them", async () => {
  const dataDir = await signedCopy();
  const kept = join(dataDir, "kept.key");
  renameSync(join(dataDir, "signing.key"), kept);
  let now = Date.now();
  const { lake } = await openSigned(dataDir, { now: () => now });
  for (const date of ["2025-01-06", "2025-01-07", "2025-01-08"]) {
    await add(lake, { accepted: [observation(date, "USD", "1.0388")] });
    now += 8 * 86_400_000;
    await lake.upkeep();
  }
  await lake.close();
  renameSync(kept, join(dataDir, "signing.key"));
  expect(await restarted(dataDir)).toEqual([expect.stringContaining("is gone, and was not signed yet")]);
  expect(await faultsOf(dataDir)).toContainEqual(
    "daily: version 6 went without an entry, so nothing after that is signed: crossrate repair goes on from what is there",
  );
  await repairLake({ dataDir, lakeSigningKeys: [], storage: null }, now, true);
  expect(await restarted(dataDir)).toEqual([]);
  expect(await faultsOf(dataDir)).toEqual([]);
  expect((await notesOf(dataDir)).join("\n")).toContain(
    "versions 0 to 8 are signed, but not version 6, those from 7 on can be checked",
  );
  // Put where the one that was cleaned up had been.
  copyFileSync(commitPath(dataDir, "daily", 7), commitPath(dataDir, "daily", 6));
  expect(await faultsOf(dataDir)).toContainEqual("version 6 of daily has no entry, and later ones have");
});

test("a new key is signed by the old one, also where the process died before it took the new file", async () => {
  const dataDir = await signedCopy();
  const before = await headOf(dataDir);
  const server = await openSigned(dataDir);
  const key = await changeKey({ dataDir, lakeSigningKeys: [], storage: null }, Date.now());
  expect(key).not.toBe(before.key);
  const last = entriesOf(dataDir).at(-1);
  expect(last).toMatchObject({ kind: "key", key: before.key, new_key: key });
  // A server that runs meanwhile goes on with it.
  await add(server.lake, { accepted: [observation("2025-01-06", "USD", "1.0388")] });
  await server.lake.close();
  expect(server.emitted).toEqual([]);
  expect((await headOf(dataDir)).key).toBe(key);
  expect(await faultsOf(dataDir, before)).toEqual([]);
  expect(await notesOf(dataDir)).toContainEqual(expect.stringContaining(`takes over from ${before.key}`));

  renameSync(join(dataDir, "signing.key"), join(dataDir, "signing.key.next"));
  expect(await restarted(dataDir)).toEqual([]);
  const again = await changeKey({ dataDir, lakeSigningKeys: [], storage: null }, Date.now());
  expect(again).not.toBe(key);
  expect(existsSync(join(dataDir, "signing.key.next"))).toBe(false);
  expect(await faultsOf(dataDir, before)).toEqual([]);
});

test("keys of the setting sign, and the one after the comma signs the change to the one before it", async () => {
  const dataDir = temporaryDirectory();
  const [old, next] = [newSigningKey(), newSigningKey()];
  expect(await restarted(dataDir, [old])).toEqual([]);
  expect(existsSync(join(dataDir, "signing.key"))).toBe(false);
  expect(await restarted(dataDir, [next])).toEqual([expect.stringContaining(`the key ${old.id} that signs`)]);
  expect(await restarted(dataDir, [next, old])).toEqual([]);
  expect((await headOf(dataDir)).key).toBe(next.id);
  expect(await restarted(dataDir, [next])).toEqual([]);
  expect(await faultsOf(dataDir, null, [next])).toEqual([]);
});

test("a lake from before is signed from its newest version on, with the files that older ones have brought", async () => {
  const dataDir = temporaryDirectory();
  const directory = join(dataDir, "lake");
  const plain = await openLake({ directory, simulated: false });
  await plain.commit(firstChange);
  await plain.commit(secondChange);
  await plain.close();
  expect(await restarted(dataDir)).toEqual([]);
  const first = entriesOf(dataDir).find((entry) => entry.kind === "commit" && entry.table === "daily");
  expect(first).toMatchObject({ version: 2 });
  expect(await faultsOf(dataDir)).toEqual([]);
  expect((await notesOf(dataDir)).join("\n")).toContain("daily      versions 2 to 2 are signed");
  flip(loggedFiles(directory, "daily")[0] as string);
  expect(await faultsOf(dataDir)).toHaveLength(1);
});

test("clean-up takes commits and files, never an entry; what is left can still be checked", async () => {
  const dataDir = temporaryDirectory();
  let now = Date.UTC(2026, 0, 6);
  const { lake, emitted } = await openSigned(dataDir, { now: () => now });
  for (let at = 0; at < 3; at++) {
    await add(lake, { accepted: [figureAt(at)] });
    now += 8 * 86_400_000;
    await lake.upkeep();
  }
  await lake.close();
  expect(emitted).toEqual([]);
  expect(existsSync(commitPath(dataDir, "daily", 0))).toBe(false);
  expect(entriesOf(dataDir)).toContainEqual(
    expect.objectContaining({ kind: "commit", table: "daily", version: 0 }),
  );
  expect(await faultsOf(dataDir)).toEqual([]);
  expect((await notesOf(dataDir)).join("\n")).toMatch(
    /daily {6}versions 0 to 3 are signed, those from \d on can be checked; the commits of \d older ones were cleaned up/,
  );
  // What the newest version consists of is covered without the commits that are gone.
  flip(loggedFilesOf(lake)[0] as string);
  expect(await faultsOf(dataDir)).toHaveLength(1);
});

function loggedFilesOf({ tables }: { readonly tables: ReturnType<typeof openDailyTables> }) {
  return [...(tables.daily.latest()?.files.values() ?? [])].map(tables.daily.pathOf);
}

test("a copy of the segments from the newest to the oldest, as a backup makes it, has every entry although they are joined meanwhile", async () => {
  const [directory, copy] = [temporaryDirectory(), temporaryDirectory()];
  const segments = openSegments(directory);
  const count = 240;
  const entry = {
    ...{ kind: "resume", table: "held", version: 0 },
    previous: "",
    at: "",
    key: "",
    signature: "",
  };
  for (let sequence = 0; sequence < count; sequence++)
    await segments.append([JSON.stringify({ ...entry, sequence })], sequence);
  const names = readdirSync(segments.folder).sort().reverse();
  mkdirSync(join(copy, CHAIN_FOLDER));
  for (const [nth, name] of names.entries()) {
    if (nth === count / 2) await segments.join();
    const from = join(segments.folder, name);
    if (existsSync(from)) copyFileSync(from, join(copy, CHAIN_FOLDER, name));
  }
  expect(readdirSync(segments.folder).length).toBeLessThan(count);
  const copied = [...openSegments(copy).linesFrom(0)].map(({ entry }) => entry.sequence);
  expect(copied).toEqual(Array.from({ length: count }, (_, sequence) => sequence));
});

test("a repair that sets a table back is an entry of its own, which a verification names and the next commits follow", async () => {
  const dataDir = await signedCopy();
  const before = await headOf(dataDir);
  const path = commitPath(dataDir, "daily", 5);
  const config = { dataDir, lakeSigningKeys: [], storage: null };
  flip(path);
  expect((await faultsOf(dataDir)).length).toBeGreaterThan(0);
  const { steps } = await repairLake(config, Date.now(), true);
  expect(steps.join("\n")).toContain(
    "the signed history of daily goes on after version 4; version 5 was signed",
  );
  expect(await faultsOf(dataDir, before)).toEqual([]);
  expect(entriesOf(dataDir)[before.sequence + 1]?.kind).toBe("resume");
  expect((await notesOf(dataDir)).join("\n")).toContain(
    "daily was repaired and goes on after version 4; 1 later ones",
  );
  expect(await restarted(dataDir)).toEqual([]);
  expect(await faultsOf(dataDir, before)).toEqual([]);
});

test("a lake from an older backup goes on after the newest version that is as it was signed, in spite of versions that a repair gave up", async () => {
  const dataDir = await signedCopy();
  const config = { dataDir, lakeSigningKeys: [], storage: null };
  const folder = join(dataDir, "lake/daily");
  const backup = join(dataDir, "backup");
  const restore = (from: string) => {
    rmSync(folder, { recursive: true });
    cpSync(from, folder, { recursive: true });
  };
  const goesOn = async () =>
    (await repairLake(config, Date.now(), true)).steps.filter((step) => step.includes("goes on"));
  const commit = async (count: number) => {
    const { lake } = await openSigned(dataDir);
    for (let at = 0; at < count; at++)
      await lake.commit(({ coverage, held, statements }) => ({
        ...{ accepted: [], withdrawn: [], held, statements },
        coverage: coverage.map((entry) => ({ ...entry, retrievedAt: entry.retrievedAt + 1 })),
      }));
    await lake.close();
  };
  cpSync(folder, join(backup, "5"), { recursive: true });
  await commit(2);
  cpSync(folder, join(backup, "7"), { recursive: true });
  restore(join(backup, "5"));
  expect(await restarted(dataDir)).toEqual([
    expect.stringContaining("daily ends with version 5, and version 7 was signed"),
  ]);
  expect(await goesOn()).toEqual([
    expect.stringContaining("daily goes on after version 5; version 7 was signed"),
  ]);
  await commit(1);
  // Of this backup versions 6 and 7 were given up.
  restore(join(backup, "7"));
  expect(await restarted(dataDir)).toEqual([
    expect.stringContaining("version 6 of daily is not the one that was signed"),
  ]);
  expect(await goesOn()).toEqual([
    expect.stringContaining("daily goes on after version 5; version 6 was signed"),
  ]);
  expect(await restarted(dataDir)).toEqual([]);
  expect(await faultsOf(dataDir)).toEqual([]);
});
