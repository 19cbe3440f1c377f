/** Signed lakes for the tests, what an attacker does to them, and what a verification says. */

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { headOfLake, verifyLake, verifyLakeHistory } from "#assembly/inspection.ts";
import { type Entry, type EntryBody, hashOf, NO_HASH, type SigningKey, sealed } from "#domain/chain/entry.ts";
import type { Head } from "#domain/chain/state.ts";
import type { LakePlace } from "#store/bucket/storage.ts";
import { openChain } from "#store/chain/chain.ts";
import { openSegments } from "#store/chain/segments.ts";
import { digitsOf, seal } from "#store/delta/log.ts";
import { openLake } from "#store/lake/lake.ts";
import type { TelemetryEvent } from "#telemetry.ts";
import { copyOf, firstChange, secondChange } from "#test/store/lake/sample.ts";
import { onceInFile } from "#test/support/at-end.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

export async function openSigned(
  dataDir: string,
  {
    now = Date.now,
    given = [],
  }: { readonly now?: () => number; readonly given?: readonly SigningKey[] } = {},
) {
  const directory = join(dataDir, "lake");
  const emitted: TelemetryEvent[] = [];
  const emit = (event: TelemetryEvent) => {
    if (event.kind !== "lake_committed") emitted.push(event);
  };
  const chain = openChain({ directory, keys: { dataDir, fromSetting: given }, mode: "real", now, emit });
  const lake = await openLake({ directory, simulated: false, chain, now, emit });
  return { dataDir, directory, lake, chain, emitted };
}

/** Opened and closed again: what a start of the server does to the history. */
export async function restarted(
  dataDir: string,
  given: readonly SigningKey[] = [],
): Promise<readonly string[]> {
  const { lake, emitted } = await openSigned(dataDir, { given });
  await lake.close();
  return emitted.map((event) => ("detail" in event ? `${event.kind}: ${event.detail}` : event.kind));
}

/** A data directory with two changes of figures, three commits without any, all signed: a copy of its own. */
export async function signedCopy(): Promise<string> {
  return copyOf(await original());
}

const original = onceInFile(async () => {
  const dataDir = temporaryDirectory();
  const { lake, emitted } = await openSigned(dataDir);
  await lake.commit(firstChange);
  await lake.commit(secondChange);
  for (let at = 1; at <= 3; at++)
    await lake.commit(({ coverage, held, statements }) => ({
      ...{ accepted: [], withdrawn: [], held, statements },
      coverage: coverage.map((entry) => ({ ...entry, retrievedAt: entry.retrievedAt + 1000 })),
    }));
  await lake.close();
  if (emitted.length > 0) throw new Error(JSON.stringify(emitted));
  return dataDir;
});

/** Everything that `crossrate verify` would call wrong, on the disk or in a bucket. */
export async function faultsOf(
  dataDir: string,
  kept: Head | null = null,
  given: readonly SigningKey[] = [],
  storage: LakePlace | null = null,
): Promise<readonly string[]> {
  const config = { dataDir, lakeSigningKeys: given, storage };
  const history = await verifyLakeHistory(config, kept);
  const tables = await verifyLake(config, () => {});
  return [...history.faults, ...tables.flatMap(({ faults }) => faults)];
}

/** What it would say beside. */
export async function notesOf(dataDir: string, storage: LakePlace | null = null) {
  const { tables, notes } = await verifyLakeHistory({ dataDir, lakeSigningKeys: [], storage }, null);
  return [...tables, ...notes];
}

export const headOf = async (dataDir: string) => (await headOfLake({ dataDir, storage: null })) as Head;

export function entriesOf(dataDir: string): readonly Entry[] {
  return [...openSegments(join(dataDir, "lake")).linesFrom(0)].map(({ entry }) => entry);
}

export function segmentPaths(dataDir: string): readonly string[] {
  const folder = join(dataDir, "lake/chain");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".ndjson"))
    .sort()
    .map((name) => join(folder, name));
}

export function commitPath(dataDir: string, table: string, version: number): string {
  return join(dataDir, "lake", table, "_delta_log", `${digitsOf(version)}.json`);
}

/** Changes the text of a commit, and seals it again as if it had been written so. */
export function forgeCommit(path: string, change: (text: string) => string): void {
  const text = readFileSync(path, "utf8");
  const changed = change(text.slice(0, text.lastIndexOf('"sha256":"') + '"sha256":"'.length));
  if (text.startsWith(changed)) throw new Error(`${path} is as it was`);
  writeFileSync(path, seal(changed));
}

/** Writes the whole history anew with a key, as somebody does who has it. */
export function resign(dataDir: string, key: SigningKey, change?: (entry: Entry) => object | null): void {
  const lines = resigned(entriesOf(dataDir), key, change);
  const [first, ...others] = segmentPaths(dataDir);
  for (const path of others) Bun.spawnSync(["rm", path]);
  writeFileSync(first as string, lines.map((line) => `${line}\n`).join(""));
}

function resigned(
  old: readonly Entry[],
  key: SigningKey,
  change: (entry: Entry) => object | null = (entry) => entry,
): readonly string[] {
  const entries: Entry[] = [];
  for (const one of old) {
    const said = change(one);
    if (said === null) continue;
    const { signature: _, ...body } = { signature: "", ...said } as Entry;
    const last = entries.at(-1);
    const place = { sequence: entries.length, previous: last === undefined ? NO_HASH : hashOf(last) };
    const named = body.kind === "begin" ? { public_key: key.publicKey } : {};
    entries.push(sealed({ ...body, ...named, ...place, key: key.id } as EntryBody, key));
  }
  return entries.map(lineOf);
}

export function writeLines(path: string, entries: readonly Entry[]): void {
  writeFileSync(path, entries.map((entry) => `${lineOf(entry)}\n`).join(""));
}

function lineOf(entry: Entry): string {
  return JSON.stringify(
    entry,
    [...new Set([...Object.keys(entry), "held", "revisions", "statements"])].sort(),
  );
}
