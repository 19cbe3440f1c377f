/** Official publications as a table of the lake: a copy of the ledger, which stays the truth. */

import { join, resolve } from "node:path";
import { PublicationDamaged } from "#domain/account/ledger.ts";
import { MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import type { CopiedLedger } from "#ports/official.ts";
import { refreshCurrent } from "#store/delta/current.ts";
import { type DamagedFile, LakeDamaged } from "#store/delta/damage.ts";
import { type Mode, RETENTION_DAYS } from "#store/delta/schema.ts";
import { type Action, type Add, filesOf, type Snapshot } from "#store/delta/snapshot.ts";
import { onNewest, openTable } from "#store/delta/table.ts";
import { checkpointIfDue, maintain, removeUncommitted } from "#store/delta/upkeep.ts";
import { makeFolder } from "#store/disk/durable.ts";
import { openLock, type WriterLock } from "#store/disk/writer-lock.ts";
import type { LakeOptions } from "#store/lake/lake.ts";
import { withEngine } from "#store/parquet/engine.ts";
import { copyTable, digestOf, fileOf, isCopied, OFFICIAL, originOf } from "./copy.ts";

export type OfficialLake = ReturnType<typeof openOfficialLake>;

export const OFFICIAL_LOCK = `${OFFICIAL.name}/.writer.sqlite`;

/** Reads and makes nothing before the first call of a method. */
export function openOfficialLake(options: LakeOptions) {
  const directory = resolve(options.directory);
  const mode: Mode = options.simulated ? "simulated" : "real";
  const now = options.now ?? Date.now;
  const { retentionDays = RETENTION_DAYS, storage = null } = options;
  const table = openTable(directory, OFFICIAL, mode, undefined, storage);
  const reported = new Set<string>();
  /** Tables whose versions were compared one by one: a restored ledger may have the same number of other versions. */
  const compared = new Set<string>();
  let opened: WriterLock | null = null;

  const lock = (): WriterLock => {
    makeFolder(table.directory);
    opened ??= openLock(join(directory, OFFICIAL_LOCK), options.waitSeconds);
    return opened;
  };
  const newest = async (): Promise<Snapshot> => {
    table.refuseOtherMode();
    const isNew = table.latest() === null;
    const snapshot = await table.ensure(now());
    // The commit that makes the table has an entry like every other.
    if (isNew) await options.chain?.follow([table]);
    return snapshot;
  };
  const retention = () => ({ now: now(), keptMilliseconds: retentionDays * MILLISECONDS_PER_DAY });

  const commit = async (before: Snapshot, actions: readonly Action[]): Promise<Snapshot> => {
    const after = actions.length === 0 ? before : await table.commit(before, actions, "WRITE", now());
    // Without a change, too: a writer that died may have left an old file, or an unsigned commit.
    refreshCurrent(directory, table, after);
    await options.chain?.follow([table]);
    return after;
  };

  const copy = async (ledger: CopiedLedger, signal: AbortSignal | undefined): Promise<readonly string[]> => {
    const before = await newest();
    const counts = await ledger.history.counts();
    const outdated: CopiedLedger["tables"][number][] = [];
    for (const official of ledger.tables) {
      const file = fileOf(before, official.id);
      const isCurrent =
        isCopied(file, ledger.id, counts.get(official.id) ?? 0) &&
        (file === null || compared.has(official.id) || (await isSame(ledger, official.id, file)));
      if (isCurrent) compared.add(official.id);
      else outdated.push(official);
    }
    const copied = new Map<string, readonly Action[]>();
    if (outdated.length === 0) await commit(before, []);
    else
      await withEngine(directory, async (connection) => {
        try {
          for (const official of outdated) {
            const writing = { connection, table, ledger, official, signal, now: now() };
            const actions = await copyTable(writing, before).catch(skipDamaged);
            if (actions.length > 0) copied.set(official.id, actions);
          }
          await commit(before, [...copied.values()].flat());
          await checkpointIfDue(table, connection, retention());
        } catch (fault) {
          removeUncommitted(table, [...copied.values()].flat());
          throw fault;
        }
      });
    return [...copied.keys()];
  };

  /** A table stays as it is while a version in the ledger or its own file is damaged; the others go on. Reports damage once. */
  const skipDamaged = (fault: unknown): readonly Action[] => {
    const isOfLedger = fault instanceof PublicationDamaged;
    if (!isOfLedger && !(fault instanceof LakeDamaged)) throw fault;
    if (!reported.has(fault.message)) {
      if (isOfLedger) {
        const { table: of, publication, version, detail } = fault;
        options.emit?.({ kind: "publication_damaged", table: of, publication, version, detail });
      } else options.emit?.({ kind: "lake_damaged", detail: fault.message });
    }
    reported.add(fault.message);
    return [];
  };

  return {
    /**
     * Copies the ledger's changes in one commit or none; resolves with the ids of the changed tables. Rejects as the ledger does, with
     * LakeBusy, WrongMode, LakeDamaged.
     */
    follow: (ledger: CopiedLedger, signal?: AbortSignal) =>
      lock().exclusive(() => onNewest(storage, () => copy(ledger, signal))),
    /** The next run compares versions one by one: the ledger may have been set back. */
    forget: () => compared.clear(),
    /** The table, which has no version before the first copy. */
    table,
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

async function isSame(ledger: CopiedLedger, id: string, file: Add): Promise<boolean> {
  return originOf(file)?.digest === digestOf(await ledger.history.marks(id));
}
