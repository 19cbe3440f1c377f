/** Official publications as a table of the lake: a copy of the ledger, which stays the truth. */

import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import type { CopiedLedger, VersionKey } from "#ports/official.ts";
import { isCurrent, refreshCurrent } from "#store/delta/current.ts";
import { type DamagedFile, sentenceOf } from "#store/delta/damage.ts";
import { repairTable, setAside } from "#store/delta/repair.ts";
import { type Mode, RETENTION_DAYS } from "#store/delta/schema.ts";
import { filesOf, type Snapshot } from "#store/delta/snapshot.ts";
import { isTable, onNewest, openTable, type Table } from "#store/delta/table.ts";
import { checkpointIfDue, maintain } from "#store/delta/upkeep.ts";
import { makeFolder } from "#store/disk/durable.ts";
import { openLock, underLock, type WriterLock } from "#store/disk/writer-lock.ts";
import type { LakeOptions } from "#store/lake/lake.ts";
import { withEngine } from "#store/parquet/engine.ts";
import type { Emit, TelemetryEvent } from "#telemetry.ts";
import {
  allKeys,
  type Copied,
  copyTable,
  fileOf,
  isComplete,
  ledgerActions,
  ledgerIn,
  markIn,
  nameOf,
  OFFICIAL,
} from "./copy.ts";

export type OfficialLake = ReturnType<typeof openOfficialLake>;

const OFFICIAL_LOCK = `${OFFICIAL.name}/.writer.sqlite`;

/** Reads and makes nothing before the first call of a method. */
export function openOfficialLake(options: LakeOptions) {
  const directory = resolve(options.directory);
  const mode: Mode = options.simulated ? "simulated" : "real";
  const now = options.now ?? Date.now;
  const { retentionDays = RETENTION_DAYS, storage = null } = options;
  const table = openTable(directory, OFFICIAL, mode, undefined, storage);
  const reports = openReports(options.emit, retentionDays);
  /** The comparison by table at which the lake was last complete. */
  const done = new Map<string, string>();
  let opened: WriterLock | null = null;

  const lock = (): WriterLock => {
    makeFolder(table.directory);
    opened ??= openLock(join(directory, OFFICIAL_LOCK), options.waitSeconds);
    return opened;
  };
  const newest = async (): Promise<Snapshot> => {
    table.refuseOtherMode();
    return await table.ensure(now());
  };
  const retention = () => ({ now: now(), keptMilliseconds: retentionDays * MILLISECONDS_PER_DAY });

  /** Finds the tables that differ between ledger and lake, by the lake's log: no file is read. */
  const outdated = async (snapshot: Snapshot, { ledger, rebuilt, signal }: Copying) => {
    const counts = await ledger.history.counts();
    const tables: Outdated[] = [];
    for (const official of ledger.tables) {
      const { id } = official;
      const compared = [ledger.id, counts.get(id), markIn(snapshot, id), fileOf(snapshot, id)?.path].join(
        " ",
      );
      if (!rebuilt.has(id) && done.get(id) === compared) continue;
      const keys = await allKeys(ledger, id, signal);
      if (!rebuilt.has(id) && isComplete(snapshot, id, keys)) done.set(id, compared);
      else tables.push({ official, keys });
    }
    return tables;
  };

  const copy = (copying: Copying) => lock().exclusive(() => onNewest(storage, () => copyOnce(copying)));

  const copyOnce = async (copying: Copying) => {
    const { ledger, rebuilt, signal } = copying;
    const before = await newest();
    const noted = ledgerIn(before);
    const left = await outdated(before, copying);
    const copied: Copied[] = [];
    const commit = async (): Promise<Snapshot> => {
      const note = noted === ledger.id ? [] : ledgerActions(before, ledger.id, now());
      const actions = [...copied.flatMap((one) => one.actions), ...note];
      const after = actions.length === 0 ? before : await table.commit(before, actions, "WRITE", now());
      if (!isCurrent(directory, table, after) || after !== before) refreshCurrent(directory, table, after);
      await options.chain?.follow([table]);
      const other = noted === ledger.id ? null : noted;
      if (rebuilt.size === 0) reports.takenOut(before, after, summed(copied), other);
      return after;
    };
    if (left.length > 0) {
      await withEngine(directory, async (connection) => {
        try {
          for (const { official, keys } of left) {
            const writing = { connection, table, ledger, official, signal, now: now() };
            const one = await copyTable(writing, before, keys, rebuilt.has(official.id));
            copied.push(one);
            reports.damage(official.id, one);
          }
          setAsideDamaged(await commit(), copied);
          await checkpointIfDue(table, connection, retention());
        } catch (fault) {
          removeUncommitted(table, copied);
          throw fault;
        }
      });
    } else await commit();
    return summed(copied);
  };

  const setAsideDamaged = ({ files }: Snapshot, copied: readonly Copied[]) => {
    const damaged = new Set(table.verifier.known().map(({ path }) => path));
    const removed = copied.flatMap(({ actions }) =>
      actions.flatMap((action) => ("remove" in action ? action.remove.path : [])),
    );
    const paths = removed.filter((path) => damaged.has(path) && !files.has(path));
    setAside(directory, OFFICIAL.name, paths, now());
  };

  return {
    /** Copies the ledger's changes in one commit or none. Rejects as the ledger does, with LakeBusy, WrongMode, LakeDamaged. */
    follow: (ledger: CopiedLedger, signal?: AbortSignal) => copy({ ledger, rebuilt: new Set(), signal }),
    /** The table, which has no version before the first copy. */
    table,
    /**
     * Rewrites the files of these tables from the ledger; a damaged file is moved aside. A version that is damaged in the
     * ledger stays in the old file's copy. Rejects as `follow`.
     */
    rebuild: (ids: readonly string[], ledger: CopiedLedger) =>
      copy({ ledger, rebuilt: new Set(ids), signal: undefined }),
    audit: async (): Promise<readonly DamagedFile[]> => {
      const snapshot = table.latest();
      return snapshot === null ? [] : await table.verifier.audit(filesOf(snapshot));
    },
    /** Writes a checkpoint and removes files that only versions older than the retention need. */
    upkeep: async (): Promise<void> => {
      if (table.latest() === null) return;
      await lock().exclusive(async () => {
        await onNewest(storage, async () =>
          maintain(table, await newest(), retention(), (use) => withEngine(directory, use)),
        );
      });
    },
    close: async () => await opened?.close(),
  };
}

interface Copying {
  readonly ledger: CopiedLedger;
  readonly rebuilt: ReadonlySet<string>;
  readonly signal: AbortSignal | undefined;
}

interface Outdated {
  readonly official: CopiedLedger["tables"][number];
  readonly keys: readonly VersionKey[];
}

/** Repairs the table as repairTable does; the next copy from the ledger brings missing rows back. Rejects with LakeBusy. */
export async function repairOfficial(
  lakeDirectory: string,
  mode: Mode,
  now: number,
  apply: boolean,
): Promise<readonly string[]> {
  const directory = resolve(lakeDirectory);
  if (!isTable(directory, OFFICIAL)) return [];
  const steps = await underLock(join(directory, OFFICIAL_LOCK), () =>
    repairTable(directory, OFFICIAL, mode, now, apply),
  );
  return steps.length === 0
    ? []
    : [...steps, "the next copy from the ledger has all official publications again"];
}

/** Removes the files of a failed commit; committed files stay. */
function removeUncommitted(table: Table, copied: readonly Copied[]): void {
  const files = table.latest()?.files;
  for (const action of copied.flatMap(({ actions }) => actions))
    if ("add" in action && files?.has(action.add.path) !== true)
      rmSync(table.pathOf(action.add), { force: true });
}

/** `dropped`: versions that the ledger lacks. `lacking`: skipped tables, and versions that are damaged in the ledger. */
function summed(copied: readonly Copied[]) {
  const sum = (of: (one: Copied) => number) => copied.reduce((total, one) => total + of(one), 0);
  return {
    added: sum(({ added }) => added),
    dropped: sum(({ dropped }) => dropped),
    lacking: sum(({ damaged, refused }) => damaged.length + (refused === null ? 0 : 1)),
  };
}

/** Logs a fault once, and the rows that a run removed from the table. */
function openReports(emit: Emit | undefined, retentionDays: number) {
  const reported = new Set<string>();
  const once = (name: string, event: TelemetryEvent) => {
    if (!reported.has(name)) emit?.(event);
    reported.add(name);
  };
  return {
    damage: (id: string, { refused, damaged }: Copied) => {
      if (refused !== null) {
        const detail = `${sentenceOf(refused)}; nothing is written over it: crossrate repair says how to go on`;
        once(refused.path, { kind: "lake_damaged", detail });
      }
      for (const { publication, version, detail } of damaged) {
        const name = `${id} ${nameOf({ publication, version })}`;
        once(name, { kind: "publication_damaged", table: id, publication, version, detail });
      }
    },
    /** `other` is the ledger that the table was copied from before, when it is another one. */
    takenOut: (
      before: Snapshot,
      after: Snapshot,
      { dropped }: ReturnType<typeof summed>,
      other: string | null,
    ) => {
      if (dropped === 0 && other === null) return;
      const copyOf = other === null ? "" : `it was a copy of another ledger (${other}); `;
      const kept =
        dropped === 0
          ? "everything in it is in this one"
          : `${dropped} versions that the ledger does not have were taken out by version ${after.version} of the table; version ${before.version} has them, and is kept for ${retentionDays} days`;
      emit?.({ kind: "lake_repaired", detail: `official: ${copyOf}${kept}` });
    },
  };
}
