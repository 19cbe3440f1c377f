/** A lake in a bucket: opens its tables together, marks the copy with the bucket's address, and takes what others commit. */

import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { LakeDamaged } from "#store/delta/damage.ts";
import { type Fencing, type LakeStorage, StorageAway } from "#store/delta/storage.ts";
import { makeFolder, replaceText } from "#store/disk/durable.ts";
import { openLock } from "#store/disk/writer-lock.ts";
import type { Emit } from "#telemetry.ts";
import { type BucketPlace, inGroups, openBucketClient, type Patience } from "./client.ts";
import { openCopy } from "./copy.ts";
import { openSharedHistory } from "./shared-history.ts";
import { type Arrivals, openSharedTable, type SharedTable } from "./shared-table.ts";

export interface LakePlace extends BucketPlace {
  /** Without slashes at its ends; may be empty. */
  readonly prefix: string;
  readonly copyBytes: number;
}

export interface LakeStorageOptions {
  readonly place: LakePlace;
  readonly directory: string;
  readonly tables: readonly string[];
  /** The table that names versions of the others: its commits are taken last. */
  readonly leader: string;
  readonly emit?: Emit;
  readonly now?: () => number;
  /** False takes damaged entries, too, to find damage. */
  readonly checks?: boolean;
  readonly fencing?: Fencing;
  readonly patience?: Partial<Patience>;
  readonly orphanAge?: number;
  readonly segmentsAtOnce?: number;
  readonly readMilliseconds?: number;
}

const MARK_FILE = ".copy-of";
/** The second line of the mark, once every table has been brought up to date. */
const WHOLE = "whole";
const LOCK_FILE = ".copy.sqlite";
const LOCK_SECONDS = 120;
/** No upload takes longer than a day. */
const ORPHAN_AGE = 86_400_000;
/** One look at so many segments takes some seconds. */
const SEGMENTS_AT_ONCE = 2_000;
/** How often whole logs are listed: a machine may have missed versions that were cleaned up since. */
const LIST_MILLISECONDS = 600_000;

/**
 * Opens the storage of a lake and brings its copy up to date. When the storage does not answer, a copy that was up to date
 * before is served, and the outage is logged. Rejects with StorageAway, LakeDamaged, LakeBusy, and for the directory of another lake.
 */
export async function openLakeStorage(options: LakeStorageOptions): Promise<LakeStorage> {
  const { place, tables: names, leader, emit, now = Date.now, checks = true } = options;
  const directory = resolve(options.directory);
  const address = addressOf(place);
  makeFolder(directory);
  await markCopy(directory, address, names);
  const client = openBucketClient(place, options.patience);
  const { readMilliseconds } = options;
  const copy = openCopy({ directory, tables: names, budget: place.copyBytes, readMilliseconds });
  const lock = openLock(join(directory, LOCK_FILE), LOCK_SECONDS);
  let listedAt = Number.NEGATIVE_INFINITY;
  // A missing file may be of a version that was cleaned up: the next look takes the whole logs.
  const missed = () => {
    listedAt = Number.NEGATIVE_INFINITY;
  };
  const prefix = place.prefix === "" ? "" : `${place.prefix}/`;
  const bucket = { directory, client, prefix, address, checks };
  const { orphanAge = ORPHAN_AGE, fencing = () => null } = options;
  // The leader is gathered first: what it names is in the other logs by then. It is taken last.
  const ordered = [...names]
    .sort((a, b) => Number(b === leader) - Number(a === leader))
    .map((name) => openSharedTable({ ...bucket, name, copy, orphanAge, fencing, missed }));
  const { segmentsAtOnce = checks ? SEGMENTS_AT_ONCE : Number.POSITIVE_INFINITY } = options;
  const history = openSharedHistory(bucket, segmentsAtOnce);
  let historyFault: string | null = null;
  let answeredAt: number | null = null;
  let fault: string | null = null;
  let isAway = false;

  const away = (what: string) => {
    if (!isAway) emit?.({ kind: "storage_unavailable", address, detail: what });
    isAway = true;
    fault = what;
  };
  const damaged = ({ what, message }: LakeDamaged) => {
    if (fault !== what) emit?.({ kind: "lake_damaged", detail: message });
    fault = what;
  };
  const answered = () => {
    if (isAway) emit?.({ kind: "storage_recovered", address });
    isAway = false;
    fault = null;
    answeredAt = now();
  };
  const bring = async (): Promise<void> => {
    // Real time, not the clock of the rates: an outage happens on this machine.
    const isWhole = performance.now() - listedAt >= LIST_MILLISECONDS;
    const gathered = async (table: SharedTable): Promise<[SharedTable, Arrivals]> => [
      table,
      await (isWhole ? table.arrivals.gatherAll() : table.arrivals.gatherNext()),
    ];
    // The history is gathered before the tables and taken after them: the copy never has an entry of a commit that it lacks.
    const entries = await history.gather(isWhole);
    const [first, ...others] = ordered as [SharedTable, ...SharedTable[]];
    const arrived = [await gathered(first), ...(await inGroups(others, gathered))];
    for (const [table, { added }] of arrived) await table.fetchAll(added);
    for (const [table, arrivals] of arrived.reverse()) await table.arrivals.take(arrivals);
    await history.take(entries);
    const lost = history.storage.fault();
    if (lost !== null && lost !== historyFault) emit?.({ kind: "lake_damaged", detail: lost });
    historyFault = lost;
    if (isWhole) listedAt = performance.now();
  };
  const follow = () =>
    lock.exclusive(async () => {
      try {
        await bring();
        answered();
      } catch (thrown) {
        if (thrown instanceof StorageAway) away(thrown.what);
        throw thrown;
      }
    });

  const isWhole = () => markIn(directory)[1] === WHOLE;
  try {
    await follow();
    if (!isWhole()) await replaceText(join(directory, MARK_FILE), `${address}\n${WHOLE}\n`);
  } catch (thrown) {
    if (!(thrown instanceof StorageAway && isWhole())) {
      await lock.close();
      throw thrown;
    }
  }

  let looking: Promise<void> | null = null;
  const byName = new Map(ordered.map((table) => [table.name, table.storage]));
  return {
    of: (name) => {
      const storage = byName.get(name);
      if (storage === undefined) throw new Error(`${name} is not a table of the lake in ${address}`);
      return storage;
    },
    history: history.storage,
    follow,
    look: () => {
      looking ??= follow()
        .catch((thrown: unknown) => {
          if (thrown instanceof LakeDamaged) damaged(thrown);
          else if (!(thrown instanceof StorageAway)) throw thrown;
        })
        .finally(() => {
          looking = null;
        });
      return looking;
    },
    state: () => ({ address, answeredAt, fault }),
    close: () => lock.close(),
  };
}

/** Refuses the directory of a lake without storage, or of another lake. */
async function markCopy(directory: string, address: string, tables: readonly string[]): Promise<void> {
  const path = join(directory, MARK_FILE);
  const [marked] = markIn(directory);
  if (marked === address) return;
  if (marked !== undefined)
    throw new Error(
      `${directory} is the copy of ${marked}, not of ${address}; set LAKE_URL or DATA_DIR accordingly`,
    );
  if (tables.some((table) => existsSync(join(directory, table, "_delta_log"))))
    throw new Error(
      `${directory} has a lake of its own, which LAKE_URL would hide; set another DATA_DIR, or see "A lake in a bucket" in docs/lake.md`,
    );
  await replaceText(path, `${address}\n`);
}

/** Returns the lines of the mark: the address of the copied lake, and WHOLE. */
function markIn(directory: string): readonly string[] {
  const path = join(directory, MARK_FILE);
  return existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
}

/** Throws for a copy: commits in it would be in no bucket. */
export function refuseCopy(directory: string): void {
  const [marked] = markIn(directory);
  if (marked !== undefined)
    throw new Error(
      `${directory} is the copy of ${marked}; set LAKE_URL to that, or DATA_DIR to another directory`,
    );
}

function addressOf({ bucket, prefix }: LakePlace): string {
  return prefix === "" ? `s3://${bucket}` : `s3://${bucket}/${prefix}`;
}
