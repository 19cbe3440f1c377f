/** The lake of daily figures: open, read, commit. The tables' logs are authoritative; one process writes at a time. */

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import type { Lake, LakeChange, LakeRecord } from "#ports.ts";
import type { Chain } from "#store/chain/chain.ts";
import { refreshCurrent } from "#store/delta/current.ts";
import { LakeDamaged } from "#store/delta/damage.ts";
import { type Mode, RETENTION_DAYS } from "#store/delta/schema.ts";
import { filesOf } from "#store/delta/snapshot.ts";
import type { LakeStorage } from "#store/delta/storage.ts";
import { onNewest } from "#store/delta/table.ts";
import { maintain } from "#store/delta/upkeep.ts";
import { makeFolder } from "#store/disk/durable.ts";
import { openLock } from "#store/disk/writer-lock.ts";
import { withEngine } from "#store/parquet/engine.ts";
import type { Emit } from "#telemetry.ts";
import { commitChange, inCommitOrder, isEmpty } from "./commit.ts";
import { damageOf, loadRecord, readRecord } from "./record.ts";
import {
  coverageIn,
  createTables,
  type DailyTables,
  datasetVersion,
  isSettled,
  newestState,
  olderState,
  openDailyTables,
  recordKey,
  repairedIn,
  retrievalsIn,
  type State,
  settle,
  TABLE_NAMES,
  tableVersionOf,
} from "./state.ts";

export interface LakeOptions {
  readonly directory: string;
  readonly simulated: boolean;
  readonly emit?: Emit;
  /** The longest wait for another process that is writing. */
  readonly waitSeconds?: number;
  readonly retentionDays?: number;
  readonly chain?: Chain | undefined;
  readonly now?: () => number;
  /** The storage that several machines share; by default the directory is the lake itself. */
  readonly storage?: LakeStorage | null;
}

export interface OpenedLake extends Lake {
  readonly tables: DailyTables;
  /** Follows the storage. For a timer; an outage does not reject. */
  keepUp(): Promise<void>;
  /** Commits this process's fencing token: an earlier collector cannot commit any more. */
  fence(): Promise<void>;
}

export const LOCK_FILE = ".writer.sqlite";

/** This file exists from a repair's first change to its last: meanwhile intact tables may lack figures that nothing would collect again. */
export const REPAIR_FILE = ".repair";

export function brokenRepairIn(directory: string): LakeDamaged | null {
  const path = join(directory, REPAIR_FILE);
  return existsSync(path) ? new LakeDamaged(path, "was left by a repair that has not ended") : null;
}

/**
 * Opens a lake; a new one is marked with its mode before any rate is written. Damaged data files do not prevent it: the
 * record lacks their rows and names them. Rejects with WrongMode, LakeDamaged when a log is damaged,
 * LakeBusy, or the file system's fault.
 */
export async function openLake(options: LakeOptions): Promise<OpenedLake> {
  const directory = resolve(options.directory);
  const mode: Mode = options.simulated ? "simulated" : "real";
  const now = options.now ?? Date.now;
  makeFolder(directory);
  const lock = openLock(join(directory, LOCK_FILE), options.waitSeconds);
  const keptMilliseconds = (options.retentionDays ?? RETENTION_DAYS) * MILLISECONDS_PER_DAY;
  const { storage = null, emit } = options;
  const tables = openDailyTables(directory, mode, keptMilliseconds, storage);
  let cached: { readonly record: LakeRecord; readonly files: string } | null = null;
  const retention = () => ({ now: now(), keptMilliseconds });

  const recordOf = async (state: State): Promise<LakeRecord> => {
    // The copy must be able to serve the newest state without the storage.
    for (const name of TABLE_NAMES) tables[name].storage?.pin(state[name].files.values());
    const damaged = await damageOf(tables, state);
    const files = `${recordKey(state)} ${damaged.map(({ damage }) => damage.path).join(" ")}`;
    if (cached?.files !== files)
      cached = { files, record: await readRecord(directory, tables, state, damaged) };
    // Coverage advances without a new version of the dataset.
    const marked = {
      coverage: coverageIn(state),
      retrievals: retrievalsIn(state),
      repaired: repairedIn(state),
    };
    return { ...cached.record, ...marked };
  };

  /** Under the lock. Resolves with the newest state, after taking back the leftovers of a dead writer. */
  const settled = async (): Promise<State> => {
    const newest = newestState(tables);
    return newest === null ? await createTables(tables, now()) : await settle(tables, newest, now());
  };

  const snapshotsOf = (state: State) =>
    TABLE_NAMES.map((name) => ({ table: tables[name], snapshot: state[name] }));
  const refreshAll = (state: State) => {
    for (const { table, snapshot } of snapshotsOf(state)) refreshCurrent(directory, table, snapshot);
  };

  const allTables = TABLE_NAMES.map((name) => tables[name]);
  /** Under the lock. Signs the commits in order, also those of a writer that died before it signed them. */
  const follow = async () => options.chain?.follow(allTables);

  try {
    const broken = brokenRepairIn(directory);
    if (broken !== null) throw broken;
    const newest = newestState(tables);
    tables.daily.refuseOtherMode();
    // In shared storage a table ahead of the others may belong to a commit that another machine is making.
    if (newest === null || (storage === null && !isSettled(directory, tables, newest)))
      await lock.exclusive(async () => {
        const state = await onNewest(storage, settled);
        tables.daily.refuseOtherMode();
        refreshAll(state);
      });
    await options.chain?.catchUp(allTables, lock);
  } catch (fault) {
    await lock.close();
    throw fault;
  }

  const commitOn = async (state: State, record: LakeRecord, change: LakeChange): Promise<State> => {
    const began = performance.now();
    const writing = { directory, tables, now: now(), retention: retention() };
    const next = await commitChange(writing, state, change, record);
    // Refreshes all tables: a writer that died may have left an old file.
    refreshAll(next);
    await follow();
    const milliseconds = Math.round(performance.now() - began);
    emit?.({ kind: "lake_committed", version: datasetVersion(next), milliseconds });
    return next;
  };

  return {
    tables,
    keepUp: async () => {
      if (storage === null) return;
      await storage.look();
      if (storage.state().fault === null) await options.chain?.catchUp(allTables, lock);
    },
    version: async () => datasetVersion(newestState(tables) as State),
    read: async () => await recordOf(newestState(tables) as State),
    at: async (version) => {
      const number = tableVersionOf(version);
      const daily = number === null ? null : tables.daily.at(number);
      const state = daily === null ? null : olderState(tables, daily);
      if (state === null || datasetVersion(state) !== version) return null;
      const damaged = await damageOf(tables, state);
      // Files of an older version are removed after the retention: their absence is no damage.
      if (damaged.length > 0) return null;
      return { ...(await loadRecord(directory, tables, state, new Set())), damaged: [] };
    },
    commit: (decide) =>
      lock.exclusive(async () => {
        const state = await onNewest(storage, settled);
        const record = await recordOf(state);
        // `decide` is called once only: it releases the documents as it judges them.
        const change = inCommitOrder(record, decide(record));
        if (change === null || isEmpty(change, record)) return datasetVersion(state);
        return datasetVersion(await commitOn(state, record, change));
      }),
    audit: async () => {
      const state = newestState(tables) as State;
      for (const { table, snapshot } of snapshotsOf(state)) await table.verifier.audit(filesOf(snapshot));
      return (await recordOf(state)).damaged;
    },
    upkeep: () =>
      lock.exclusive(async () => {
        const state = await onNewest(storage, settled);
        // Sign before anything is removed.
        await follow();
        for (const { table, snapshot } of snapshotsOf(state))
          await maintain(table, snapshot, retention(), (work) => withEngine(directory, work));
      }),
    fence: () =>
      lock.exclusive(async () => {
        await onNewest(storage, async () => {
          const state = await settled();
          await tables.daily.commit(state.daily, [], "FENCE", now());
        });
        await follow();
      }),
    close: () => lock.close(),
  };
}
