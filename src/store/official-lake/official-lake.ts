/** Official publications as a table of the lake: a copy of the ledger, which stays the truth. */

import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import type { CopiedLedger, CopyReport, OfficialCopy, VersionKey } from "#ports/official.ts";
import { isCurrent, refreshCurrent } from "#store/delta/current.ts";
import type { DamagedFile } from "#store/delta/damage.ts";
import { setAside } from "#store/delta/repair.ts";
import { type Mode, marksOf, RETENTION_DAYS, WrongMode } from "#store/delta/schema.ts";
import { filesOf, type Snapshot } from "#store/delta/snapshot.ts";
import { openTable, type Table } from "#store/delta/table.ts";
import { makeFolder } from "#store/disk/durable.ts";
import { openLock } from "#store/disk/ready-lock.ts";
import type { WriterLock } from "#store/disk/writer-lock.ts";
import type { Tell } from "#telemetry.ts";
import type { Copied } from "./copy.ts";
import { allKeys } from "./ledger-keys.ts";
import { fileOf, isComplete, ledgerActions, ledgerIn, OFFICIAL, standingIn } from "./table.ts";
import { openCopyTold } from "./tell.ts";

export interface OfficialLakeOptions {
  /** The lake's directory; the table lies in `official/` under it. */
  readonly directory: string;
  /** Kind of rates in it: a table of the other kind is refused. */
  readonly simulated: boolean;
  readonly tell?: Tell;
  /** How long to wait for another process that is writing. */
  readonly waitSeconds?: number;
  /** How long versions of the table before the newest stay readable. */
  readonly retentionDays?: number;
  readonly now?: () => number;
}

export interface OfficialLake extends OfficialCopy {
  /** For those who send its files. It has no version before the first copy. */
  readonly table: Table;
  /**
   * The files of these tables anew, of everything that the ledger has: for one that is damaged, which is set aside. A
   * version that is damaged in the ledger stays where the old file has it. Rejects as `follow`.
   */
  rebuild(ids: readonly string[], ledger: CopiedLedger): Promise<CopyReport>;
  /** Reads every file again, and resolves with those that are not what the log says. */
  audit(): Promise<readonly DamagedFile[]>;
  /** Checkpoint of the log; removal of what only versions before the retention need. */
  upkeep(): Promise<void>;
  close(): Promise<void>;
}

export const OFFICIAL_LOCK = `${OFFICIAL.name}/.writer.sqlite`;
const WAIT_SECONDS = 30;
const DAY_MILLISECONDS = 86_400_000;

/** Nothing is read or made before the first call. */
export function openOfficialLake(options: OfficialLakeOptions): OfficialLake {
  const directory = resolve(options.directory);
  const mode: Mode = options.simulated ? "simulated" : "real";
  const now = options.now ?? Date.now;
  const table = openTable(directory, OFFICIAL, mode);
  const { retentionDays = RETENTION_DAYS } = options;
  const told = openCopyTold(options.tell, retentionDays);
  /** By table: what was looked at when nothing was left to do. */
  const done = new Map<string, string>();
  let opened: WriterLock | null = null;

  const lock = (): WriterLock => {
    makeFolder(table.directory);
    opened ??= openLock(join(directory, OFFICIAL_LOCK), options.waitSeconds ?? WAIT_SECONDS);
    return opened;
  };
  const newest = async (): Promise<Snapshot> => {
    const found = table.latest();
    const written = found === null ? mode : marksOf(found.metaData.configuration).mode;
    if (written !== undefined && written !== mode) throw new WrongMode(directory, written);
    return found ?? (await table.commit(null, [], "CREATE TABLE", now()));
  };
  const retention = () => ({ now: now(), keptMilliseconds: retentionDays * DAY_MILLISECONDS });

  /** Tables of which the ledger has something else than the lake, as far as its log says: no file is read. */
  const outdated = async (snapshot: Snapshot, copying: Copying): Promise<readonly Outdated[]> => {
    const { ledger, anew, signal } = copying;
    const counts = await ledger.history.counts();
    const found: Outdated[] = [];
    for (const official of ledger.tables) {
      const { id } = official;
      const mark = standingIn(snapshot, id)?.mark;
      const looked = [ledger.id, counts.get(id), mark, fileOf(snapshot, id)?.path].join(" ");
      if (!anew.has(id) && done.get(id) === looked) continue;
      const keys = await allKeys(ledger, id, signal);
      if (!anew.has(id) && isComplete(snapshot, id, keys)) done.set(id, looked);
      else found.push({ official, keys });
    }
    return found;
  };

  const copy = async (copying: Copying): Promise<CopyReport> => {
    const { ledger, anew, signal } = copying;
    const before = await newest();
    const known = ledgerIn(before);
    const left = await outdated(before, copying);
    const copied: Copied[] = [];
    const commit = async (): Promise<Snapshot> => {
      const noted = known === ledger.id ? [] : ledgerActions(before, ledger.id, now());
      const actions = [...copied.flatMap((one) => one.actions), ...noted];
      const after = actions.length === 0 ? before : await table.commit(before, actions, "WRITE", now());
      if (!isCurrent(directory, table, after) || after !== before) refreshCurrent(directory, table, after);
      const other = known === ledger.id ? null : known;
      if (anew.size === 0) told.takenOut(before, after, summed(copied), other);
      return after;
    };
    if (left.length > 0) {
      // Loaded when it is needed: to find that nothing is new must not load DuckDB.
      const { copyTable } = await import("./copy.ts");
      const { checkpointIfDue } = await import("#store/delta/upkeep.ts");
      const { withEngine } = await import("#store/delta/engine.ts");
      await withEngine(directory, async (connection) => {
        try {
          for (const { official, keys } of left) {
            const writing = { connection, table, ledger, official, signal, now: now() };
            const one = await copyTable(writing, before, keys, anew.has(official.id));
            copied.push(one);
            told.damage(official.id, one);
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

  /** What was damaged is kept for people, where no reader takes it for data. */
  const setAsideDamaged = ({ files }: Snapshot, copied: readonly Copied[]) => {
    const damaged = new Set(table.verifier.known().map(({ path }) => path));
    const removed = copied.flatMap(({ actions }) =>
      actions.flatMap((action) => ("remove" in action ? action.remove.path : [])),
    );
    const paths = removed.filter((path) => damaged.has(path) && !files.has(path));
    setAside(directory, OFFICIAL.name, paths, now());
  };

  return {
    table,
    follow: (ledger, signal) => lock().exclusive(() => copy({ ledger, anew: new Set(), signal })),
    rebuild: (ids, ledger) => lock().exclusive(() => copy({ ledger, anew: new Set(ids), signal: undefined })),
    audit: async () => {
      const found = table.latest();
      return found === null ? [] : await table.verifier.audit(filesOf(found));
    },
    upkeep: async () => {
      if (table.latest() === null) return;
      const { checkpoint, cleanUp, commitsSinceCheckpoint } = await import("#store/delta/upkeep.ts");
      const { withEngine } = await import("#store/delta/engine.ts");
      await lock().exclusive(async () => {
        const found = await newest();
        if (commitsSinceCheckpoint(table) > 0)
          await withEngine(directory, (connection) => checkpoint(table, found, connection, retention()));
        await cleanUp(table, retention());
      });
    },
    close: async () => await opened?.close(),
  };
}

interface Copying {
  readonly ledger: CopiedLedger;
  /** Tables whose file is made anew whatever it has. */
  readonly anew: ReadonlySet<string>;
  readonly signal: AbortSignal | undefined;
}

interface Outdated {
  readonly official: CopiedLedger["tables"][number];
  readonly keys: readonly VersionKey[];
}

/** After a fault: the files of a commit that is there stay, those of one that failed are nobody's. */
function removeUncommitted(table: Table, copied: readonly Copied[]): void {
  const files = table.latest()?.files;
  for (const action of copied.flatMap(({ actions }) => actions))
    if ("add" in action && files?.has(action.add.path) !== true)
      rmSync(table.pathOf(action.add), { force: true });
}

function summed(copied: readonly Copied[]): CopyReport {
  const sum = (of: (one: Copied) => number) => copied.reduce((total, one) => total + of(one), 0);
  return {
    added: sum(({ added }) => added),
    dropped: sum(({ dropped }) => dropped),
    lacking: sum(({ damaged, refused }) => damaged.length + (refused === null ? 0 : 1)),
  };
}
