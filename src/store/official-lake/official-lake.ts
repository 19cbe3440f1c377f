/** Official publications as a table of the lake: a copy of the ledger, which stays the truth. */

import { join, resolve } from "node:path";
import { MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import type { CopiedLedger } from "#ports/official.ts";
import { refreshCurrent } from "#store/delta/current.ts";
import { type DamagedFile, sentenceOf } from "#store/delta/damage.ts";
import { type Mode, RETENTION_DAYS } from "#store/delta/schema.ts";
import { type Action, type Add, filesOf, type Snapshot } from "#store/delta/snapshot.ts";
import { onNewest, openTable } from "#store/delta/table.ts";
import { checkpointIfDue, maintain, removeUncommitted } from "#store/delta/upkeep.ts";
import { makeFolder } from "#store/disk/durable.ts";
import { openLock, type WriterLock } from "#store/disk/writer-lock.ts";
import type { LakeOptions } from "#store/lake/lake.ts";
import { withEngine } from "#store/parquet/engine.ts";
import type { Emit, TelemetryEvent } from "#telemetry.ts";
import { type Copied, copyTable, digestOf, fileOf, isCopied, nameOf, OFFICIAL, originOf } from "./copy.ts";

export type OfficialLake = ReturnType<typeof openOfficialLake>;

export const OFFICIAL_LOCK = `${OFFICIAL.name}/.writer.sqlite`;

/** Reads and makes nothing before the first call of a method. */
export function openOfficialLake(options: LakeOptions) {
  const directory = resolve(options.directory);
  const mode: Mode = options.simulated ? "simulated" : "real";
  const now = options.now ?? Date.now;
  const { retentionDays = RETENTION_DAYS, storage = null } = options;
  const table = openTable(directory, OFFICIAL, mode, undefined, storage);
  const reports = openReports(options.emit, retentionDays);
  /** Tables whose versions were compared one by one: a ledger is restored while no process has it. */
  const compared = new Set<string>();
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
    const copied: Copied[] = [];
    if (outdated.length === 0) await commit(before, []);
    else
      await withEngine(directory, async (connection) => {
        try {
          for (const official of outdated) {
            const one = await copyTable({ connection, table, ledger, official, signal, now: now() }, before);
            copied.push(one);
            reports.damage(one);
          }
          const after = await commit(
            before,
            copied.flatMap(({ actions }) => actions),
          );
          reports.takenOut(before, after, ledger.id);
          await checkpointIfDue(table, connection, retention());
        } catch (fault) {
          removeUncommitted(
            table,
            copied.flatMap(({ actions }) => actions),
          );
          throw fault;
        }
      });
    return copied.filter(({ actions }) => actions.length > 0).map(({ id }) => id);
  };

  return {
    /**
     * Copies the ledger's changes in one commit or none; resolves with the ids of the changed tables. Rejects as the ledger does, with
     * LakeBusy, WrongMode, LakeDamaged.
     */
    follow: (ledger: CopiedLedger, signal?: AbortSignal) =>
      lock().exclusive(() => onNewest(storage, () => copy(ledger, signal))),
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

/** Logs a fault once, and the tables that had what the ledger does not have. */
function openReports(emit: Emit | undefined, retentionDays: number) {
  const reported = new Set<string>();
  const once = (name: string, event: TelemetryEvent) => {
    if (!reported.has(name)) emit?.(event);
    reported.add(name);
  };
  return {
    damage: ({ id, refused, damaged }: Copied) => {
      if (refused !== null) {
        const detail = `${sentenceOf(refused)}; nothing is written over it: crossrate repair says how to go on`;
        once(refused.path, { kind: "lake_damaged", detail });
      }
      for (const { publication, version, detail } of damaged) {
        const name = `${id} ${nameOf({ publication, version })}`;
        once(name, { kind: "publication_damaged", table: id, publication, version, detail });
      }
    },
    takenOut: (before: Snapshot, after: Snapshot, ledger: string) => {
      const tables = filesOf(before).flatMap((add) => {
        const id = add.partitionValues["table_id"] as string;
        const [origin, next] = [originOf(add), fileOf(after, id)];
        if (origin === null || next?.path === add.path) return [];
        if (origin.ledger !== ledger) return `${id}, a copy of another ledger (${origin.ledger})`;
        const copied = next && originOf(next);
        const rest = origin.versions - (copied?.versions ?? 0);
        if (rest > 0) return `${id}, with ${rest} versions that the ledger does not have`;
        const isOther = rest === 0 && origin.damaged === 0 && copied?.damaged === 0;
        return isOther ? `${id}, with other versions than the ledger has` : [];
      });
      if (tables.length === 0) return;
      const detail = `official: version ${after.version} of the table is a copy of what the ledger has now; version ${before.version} has ${tables.join("; ")}, and is kept for ${retentionDays} days`;
      emit?.({ kind: "lake_repaired", detail });
    },
  };
}
