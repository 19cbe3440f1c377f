/** The lake: open, read, commit. Files are the truth, the manifest follows them, one process writes at a time. */

import { existsSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Lake, LakeChange, LakeRecord } from "#ports.ts";
import type { Tell } from "#telemetry.ts";
import { loadCached, saveCached } from "./column-cache.ts";
import { describeFiles } from "./describe.ts";
import { makeFolder, removeFile, replaceText } from "./durable.ts";
import { describesFiles } from "./inventory.ts";
import { LOCK_FILE, leftovers, PENDING_FILE } from "./layout.ts";
import { type Manifest, type Mode, manifestOf, readManifest, writeManifest } from "./manifest.ts";
import { loadRecord } from "./read.ts";
import { openWriterLock } from "./writer-lock.ts";

export interface LakeOptions {
  /** The lake's own directory; created when it is not there. */
  readonly directory: string;
  /** Kind of rates in it: a lake of the other kind is refused. */
  readonly simulated: boolean;
  readonly tell?: Tell;
  /** How long to wait for another process that is writing. */
  readonly waitSeconds?: number;
}

/** The lake was made by the other mode of the product: real rates and made-up ones never mix. */
export class WrongMode extends Error {
  constructor(directory: string, found: Mode) {
    const other =
      found === "simulated" ? "simulated rates, which serve refuses" : "real rates, which the demo refuses";
    super(`${directory} holds ${other}; set DATA_DIR to another directory`);
    this.name = "WrongMode";
  }
}

const WAIT_SECONDS = 30;

/**
 * Opens a lake, marking a new one with its mode before any rate goes in, and clears away what a writer that died
 * left behind. Rejects with WrongMode, LakeBusy, or what the file system says.
 */
export async function openLake(options: LakeOptions): Promise<Lake> {
  const directory = resolve(options.directory);
  const mode: Mode = options.simulated ? "simulated" : "real";
  makeFolder(directory);
  const lock = openWriterLock(join(directory, LOCK_FILE), options.waitSeconds ?? WAIT_SECONDS);
  let record: LakeRecord | null = null;

  const current = async (): Promise<{ manifest: Manifest; record: LakeRecord }> => {
    const manifest = readManifest(directory);
    if (manifest === null)
      throw new Error(`${directory}: the manifest is missing or unreadable; start again to repair it`);
    if (record === null || record.version !== manifest.version) record = await recordOf(directory, manifest);
    // Coverage can advance without a new version.
    record = { ...record, coverage: manifest.coverage };
    return { manifest, record };
  };

  // Looked at again under the lock: what seemed left over may belong to a writer that was alive and is done now.
  const mendIfNeeded = async () => {
    if (needsRepair(directory)) await mend(directory, mode, options.tell);
  };
  const checkMode = () => {
    const found = readManifest(directory)?.mode;
    if (found !== undefined && found !== mode) throw new WrongMode(directory, found);
  };

  try {
    checkMode();
    if (needsRepair(directory)) await lock.exclusive(mendIfNeeded);
    checkMode();
  } catch (fault) {
    await lock.close();
    throw fault;
  }

  return {
    version: async () => {
      const manifest = readManifest(directory);
      if (manifest === null) throw new Error(`${directory}: the manifest is missing or unreadable`);
      return manifest.version;
    },
    read: async () => {
      for (;;) {
        const found = await lock.shared(async () =>
          needsRepair(directory) ? null : (await current()).record,
        );
        if (found !== null) return found;
        await lock.exclusive(mendIfNeeded);
      }
    },
    commit: (decide, progress) =>
      lock.exclusive(async () => {
        await mendIfNeeded();
        const before = await current();
        const change = decide(before.record);
        if (change === null || isEmpty(change, before.record)) return before.manifest.version;
        const manifest = await write(directory, before.manifest, change, before.record, progress);
        return manifest.version;
      }),
    close: () => lock.close(),
  };
}

/** From the cache where it is of this very state, else from the Parquet files. */
async function recordOf(directory: string, manifest: Manifest): Promise<LakeRecord> {
  const cached = await loadCached(directory, manifest.version);
  if (cached !== null) return { ...cached, coverage: manifest.coverage };
  const record = await loadRecord(directory, manifest);
  saveCached(directory, record);
  return record;
}

/** Cheap enough for every start: is there a trace of a dead writer, or a file the manifest does not speak of? */
function needsRepair(directory: string): boolean {
  if (existsSync(join(directory, PENDING_FILE)) || leftovers(directory).length > 0) return true;
  const manifest = readManifest(directory);
  return manifest === null || !describesFiles(directory, manifest);
}

/** Runs alone under the lock, so that a temporary file it finds belongs to nobody alive. */
async function mend(directory: string, mode: Mode, tell: Tell | undefined): Promise<void> {
  const stale = leftovers(directory);
  for (const path of stale) rmSync(join(directory, path), { force: true });
  const { repair } = await import("./repair.ts");
  const detail = await repair(directory, mode);
  removeFile(join(directory, PENDING_FILE));
  if (stale.length > 0) tell?.({ kind: "lake_repaired", detail: `removed ${stale.length} unfinished files` });
  if (detail !== null) tell?.({ kind: "lake_repaired", detail });
}

/** The mark comes first and goes last: while it stands, the manifest may be behind the files. */
async function write(
  directory: string,
  before: Manifest,
  change: LakeChange,
  record: LakeRecord,
  progress: ((written: number, total: number) => void) | undefined,
): Promise<Manifest> {
  const dataChanges =
    change.accepted.length > 0 || change.withdrawn.length > 0 || heldDiffers(change, record);
  const sequence = before.sequence + (dataChanges ? 1 : 0);
  if (!dataChanges) {
    const advanced = { ...before, coverage: change.coverage };
    await writeManifest(directory, advanced);
    return advanced;
  }
  await replaceText(join(directory, PENDING_FILE), `${sequence}\n`);
  // Loaded when it is first needed: serving from the cache must not pay for DuckDB.
  const { applyChange } = await import("./write.ts");
  const touched = await applyChange(
    directory,
    change,
    { mode: before.mode, sequence, heldDiffers: heldDiffers(change, record) },
    progress,
  );
  const kept = before.files.filter(({ path }) => !touched.includes(path));
  const manifest = manifestOf(before.mode, sequence, change.coverage, [
    ...kept,
    ...(await describeFiles(directory, touched)),
  ]);
  await writeManifest(directory, manifest);
  removeFile(join(directory, PENDING_FILE));
  return manifest;
}

function isEmpty(change: LakeChange, record: LakeRecord): boolean {
  return (
    change.accepted.length === 0 &&
    change.withdrawn.length === 0 &&
    !heldDiffers(change, record) &&
    JSON.stringify(change.coverage) === JSON.stringify(record.coverage)
  );
}

/** The list is a set: its order says nothing. */
function heldDiffers(change: LakeChange, record: LakeRecord): boolean {
  const canonical = (held: LakeChange["held"]) =>
    held
      .map((figure) => JSON.stringify(Object.entries(figure).sort(([a], [b]) => (a < b ? -1 : 1))))
      .sort()
      .join("\n");
  return change.held.length !== record.held.length || canonical(change.held) !== canonical(record.held);
}
