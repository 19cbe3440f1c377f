/** The lake of daily figures: open, read, commit. The tables' logs are authoritative; one process writes at a time. */

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Lake, LakeRecord } from "#ports.ts";
import { CURRENT_FOLDER, isCurrent, refreshCurrent } from "#store/delta/current.ts";
import { LakeDamaged } from "#store/delta/damage.ts";
import { type Mode, RETENTION_DAYS, WrongMode } from "#store/delta/schema.ts";
import { filesOf } from "#store/delta/snapshot.ts";
import type { Table } from "#store/delta/table.ts";
import { maintain } from "#store/delta/upkeep.ts";
import { makeFolder } from "#store/disk/durable.ts";
import { openWriterLock } from "#store/disk/writer-lock.ts";
import { withEngine } from "#store/parquet/engine.ts";
import type { Emit } from "#telemetry.ts";
import { commitChange, heldDiffers, isEmpty, statementsDiffer } from "./commit.ts";
import { isOldLake, oldModeOf } from "./conversion/old-files.ts";
import { damageOf, readRecord, refuseDamaged } from "./damaged.ts";
import { loadRecord } from "./read.ts";
import {
  coverageIn,
  type DailyTables,
  datasetVersion,
  marksFor,
  modeOf,
  newestState,
  olderState,
  openDailyTables,
  recordKey,
  retrievalsIn,
  type State,
  settle,
  TABLE_NAMES,
  tableVersionOf,
} from "./state.ts";

interface LakeOptions {
  /** The lake's own directory; created when it is not there. */
  readonly directory: string;
  /** Kind of rates in it: a lake of the other kind is refused. */
  readonly simulated: boolean;
  readonly emit?: Emit;
  /** How long to wait for another process that is writing. */
  readonly waitSeconds?: number;
  /** How long versions before the newest stay readable. */
  readonly retentionDays?: number;
  readonly now?: () => number;
}

/** The lake, and its tables for those who send them as files. */
export interface OpenedLake extends Lake {
  readonly tables: DailyTables;
}

export const LOCK_FILE = ".writer.sqlite";
const WAIT_SECONDS = 30;
const DAY_MILLISECONDS = 86_400_000;

/**
 * Opens a lake, marking a new one with its mode before any rate is written; a lake of the layout before this one is
 * converted. Damaged data files do not prevent it: their rows are missing from the record, and named
 * there. Rejects with WrongMode, LakeDamaged when a log is damaged, NewerFormat, LakeBusy, or the file system's fault.
 */
export async function openLake(options: LakeOptions): Promise<OpenedLake> {
  const directory = resolve(options.directory);
  const mode: Mode = options.simulated ? "simulated" : "real";
  const now = options.now ?? Date.now;
  makeFolder(directory);
  const lock = openWriterLock(join(directory, LOCK_FILE), options.waitSeconds ?? WAIT_SECONDS);
  const keptMilliseconds = (options.retentionDays ?? RETENTION_DAYS) * DAY_MILLISECONDS;
  const tables = openDailyTables(directory, mode, keptMilliseconds);
  let known: { readonly record: LakeRecord; readonly files: string } | null = null;
  const retention = () => ({ now: now(), keptMilliseconds });

  const recordOf = async (state: State): Promise<LakeRecord> => {
    const damaged = await damageOf(tables, state);
    const files = `${recordKey(state)} ${damaged.map(({ damage }) => damage.path).join(" ")}`;
    if (known?.files !== files)
      known = { files, record: await readRecord(directory, tables, state, damaged) };
    // Coverage advances without a new version of the dataset.
    return { ...known.record, coverage: coverageIn(state), retrievals: retrievalsIn(state) };
  };

  const create = async (): Promise<State> => {
    // The files themselves are gone with it: `current/` may have the last copy, and is not to be emptied.
    if (existsSync(join(directory, CURRENT_FOLDER, "daily")))
      throw new LakeDamaged(tables.daily.log.folder, "is missing, although there is current/daily");
    for (const table of [tables.revisions, tables.held, tables.statements])
      if (table.latest() === null) await table.commit(null, [], "CREATE TABLE", now());
    const pins = {
      revisions: newestOf(tables.revisions),
      held: newestOf(tables.held),
      statements: tables.statements.latest(),
    };
    await tables.daily.commit(null, marksFor(0, now(), { pins, coverage: [] }), "CREATE TABLE", now());
    return newestState(tables) as State;
  };

  /** Under the lock: the newest state, with what a dead writer left behind taken back. */
  const settled = async (): Promise<State> => {
    const found = newestState(tables);
    return found === null ? await create() : await settle(tables, found, now());
  };

  const refreshAll = (state: State) => {
    for (const name of TABLE_NAMES) {
      const snapshot = state[name];
      if (snapshot !== null) refreshCurrent(directory, tables[name], snapshot);
    }
  };

  const checkMode = (state: State | null) => {
    const found = state === null ? undefined : modeOf(state);
    if (found !== undefined && found !== mode) throw new WrongMode(directory, found);
  };

  try {
    if (isOldLake(directory)) {
      const { convertLake } = await import("./conversion/convert.ts");
      await lock.exclusive(async () => {
        // Another process may have converted it in the meantime.
        if (!isOldLake(directory)) return;
        const found = await oldModeOf(directory);
        if (found !== undefined && found !== mode) throw new WrongMode(directory, found);
        await convertLake({ directory, tables, emit: options.emit, now: now() });
      });
    }
    const found = newestState(tables);
    checkMode(found);
    if (found === null || !isSettled(directory, tables, found))
      await lock.exclusive(async () => {
        const state = await settled();
        checkMode(state);
        refreshAll(state);
      });
  } catch (fault) {
    await lock.close();
    throw fault;
  }

  return {
    tables,
    version: async () => datasetVersion(newestState(tables) as State),
    read: async () => await recordOf(newestState(tables) as State),
    at: async (version) => {
      const wanted = tableVersionOf(version);
      const daily = wanted === null ? null : tables.daily.at(wanted);
      const state = daily === null ? null : olderState(tables, daily);
      if (state === null || datasetVersion(state) !== version) return null;
      const damaged = await damageOf(tables, state);
      // Files of an older version go with the retention: their absence is no damage.
      if (damaged.length > 0) return null;
      return { ...(await loadRecord(directory, tables, state, new Set())), damaged: [] };
    },
    commit: (decide, progress) =>
      lock.exclusive(async () => {
        const state = await settled();
        const record = await recordOf(state);
        const change = decide(record);
        if (change === null || isEmpty(change, record)) return datasetVersion(state);
        refuseDamaged(record.damaged, change, {
          held: heldDiffers(change, record),
          statements: statementsDiffer(change, record),
        });
        const next = await commitChange(
          { directory, tables, now: now(), retention: retention() },
          state,
          change,
          record,
          progress,
        );
        // All of them: a writer that died may have left one as it was.
        refreshAll(next);
        return datasetVersion(next);
      }),
    audit: async () => {
      const state = newestState(tables) as State;
      for (const name of TABLE_NAMES) {
        const snapshot = state[name];
        if (snapshot !== null) await tables[name].verifier.audit(filesOf(snapshot));
      }
      return (await recordOf(state)).damaged;
    },
    upkeep: () =>
      lock.exclusive(async () => {
        const state = await settled();
        for (const name of TABLE_NAMES) {
          const snapshot = state[name];
          if (snapshot !== null)
            await maintain(tables[name], snapshot, retention(), (work) => withEngine(directory, work));
        }
      }),
    close: () => lock.close(),
  };
}

/** Whether nothing is left to do of what a writer that died had begun. */
function isSettled(directory: string, tables: DailyTables, state: State): boolean {
  return TABLE_NAMES.every((name) => {
    const snapshot = state[name];
    if (snapshot === null) return tables[name].latest() === null;
    return (
      tables[name].latest()?.version === snapshot.version && isCurrent(directory, tables[name], snapshot)
    );
  });
}

function newestOf(table: Table) {
  const found = table.latest();
  if (found === null) throw new Error(`${table.directory} has no version`);
  return found;
}
