/** The lake's place by the settings: a directory of this machine, or a bucket with the directory as its copy. */

import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "#config.ts";
import type { Clock } from "#ports.ts";
import { INTRADAY } from "#store/archive/table.ts";
import { openLakeStorage, refuseCopy } from "#store/bucket/storage.ts";
import type { Fencing, LakeStorage } from "#store/delta/storage.ts";
import { DAILY, HELD, REVISIONS, STATEMENTS } from "#store/lake/tables.ts";
import { OFFICIAL } from "#store/official-lake/official-lake.ts";
import type { Emit } from "#telemetry.ts";

export const LAKE_TABLES = [DAILY, REVISIONS, HELD, STATEMENTS, INTRADAY, OFFICIAL];

const NAMES = { tables: LAKE_TABLES.map(({ name }) => name), leader: DAILY.name };
/** The most bytes that a fresh copy keeps on disk. Few are enough: each file is read once. */
const VERIFIED_BYTES = 64_000_000;
const VERIFIED_MILLISECONDS = 2_000;

/** Null where the directory is the lake itself. Rejects as openLakeStorage, and for a copy. */
export async function storageOf(
  { storage }: Pick<Config, "storage">,
  directory: string,
  { clock, emit, fencing }: { readonly clock: Clock; readonly emit: Emit; readonly fencing: Fencing },
): Promise<LakeStorage | null> {
  if (storage === null) {
    refuseCopy(directory);
    return null;
  }
  return await openLakeStorage({ place: storage, directory, ...NAMES, emit, fencing, now: clock.now });
}

/** Runs `work` on an empty copy of the lake in its bucket, then removes it. Entries are not checked. */
export async function onFreshCopy<T>(
  { storage, dataDir }: { readonly storage: NonNullable<Config["storage"]>; readonly dataDir: string },
  work: (directory: string, opened: LakeStorage) => Promise<T>,
): Promise<T> {
  const directory = join(dataDir, `.verified-${crypto.randomUUID()}`);
  const place = { ...storage, copyBytes: VERIFIED_BYTES };
  const how = { checks: false, readMilliseconds: VERIFIED_MILLISECONDS };
  try {
    const opened = await openLakeStorage({ place, directory, ...NAMES, ...how });
    try {
      return await work(directory, opened);
    } finally {
      await opened.close();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** A sentence for /status while the storage does not answer, with the age of the served copy; else null. */
export function storageFault(storage: LakeStorage | null, clock: Clock): string | null {
  const state = storage?.state();
  if (state === undefined || state.fault === null) return null;
  const { address, answeredAt, fault } = state;
  const since =
    answeredAt === null
      ? "has not answered since this process started"
      : `last answered ${Math.max(0, Math.round((clock.now() - answeredAt) / 1000))} s ago`;
  return `${address} ${since} (${fault}); the copy on this server is served`;
}
