/** The lake's place by the settings: a directory of this machine, or a bucket of which the directory is a copy. */

import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "#config.ts";
import type { Fencing } from "#ports/fencing.ts";
import type { Clock } from "#ports.ts";
import { INTRADAY } from "#store/archive/table.ts";
import { openLakeStorage, refuseCopy } from "#store/bucket/storage.ts";
import type { LakeStorage } from "#store/delta/storage.ts";
import { DAILY, HELD, REVISIONS, STATEMENTS } from "#store/lake/tables.ts";
import { OFFICIAL } from "#store/official-lake/table.ts";
import type { Emit } from "#telemetry.ts";

export const LAKE_TABLES = [DAILY, REVISIONS, HELD, STATEMENTS, INTRADAY, OFFICIAL];

type Place = Pick<Config, "storage">;

const MILLISECONDS = 1000;
/** What a verification has on the disk at a time, as far as it can: each file is read once. */
const VERIFIED_BYTES = 64_000_000;
const VERIFIED_MILLISECONDS = 2_000;

/** Null where the directory is the lake itself. Rejects as openLakeStorage, and with OtherLake for a directory that is a copy. */
export async function storageOf(
  { storage }: Place,
  directory: string,
  { clock, emit, fencing }: { readonly clock: Clock; readonly emit: Emit; readonly fencing: Fencing },
): Promise<LakeStorage | null> {
  if (storage === null) {
    refuseCopy(directory);
    return null;
  }
  const tables = LAKE_TABLES.map(({ name }) => name);
  return await openLakeStorage({
    place: storage,
    directory,
    tables,
    leader: DAILY.name,
    emit,
    fencing,
    now: clock.now,
  });
}

/** Runs `work` on a copy of the lake in its bucket that has nothing yet, and takes entries as they are; then removes it. */
export async function onFreshCopy<T>(
  { storage, dataDir }: { readonly storage: NonNullable<Config["storage"]>; readonly dataDir: string },
  work: (directory: string, opened: LakeStorage) => Promise<T>,
): Promise<T> {
  const directory = join(dataDir, `.verified-${crypto.randomUUID()}`);
  const tables = LAKE_TABLES.map(({ name }) => name);
  const place = { ...storage, copyBytes: VERIFIED_BYTES };
  const how = { tables, leader: DAILY.name, checks: false, readMilliseconds: VERIFIED_MILLISECONDS };
  try {
    const opened = await openLakeStorage({ place, directory, ...how });
    try {
      return await work(directory, opened);
    } finally {
      await opened.close();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** One sentence for /status while the storage does not answer, with the age of what is served; else null. */
export function storageFault(storage: LakeStorage | null, clock: Clock): string | null {
  const state = storage?.state();
  if (state === undefined || state.fault === null) return null;
  const { address, answeredAt, fault } = state;
  const since =
    answeredAt === null
      ? "has not answered since this process started"
      : `last answered ${Math.max(0, Math.round((clock.now() - answeredAt) / MILLISECONDS))} s ago`;
  return `${address} ${since} (${fault}); the copy on this server is served`;
}
