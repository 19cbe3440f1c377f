/** Commits a change of the lake: orders it, judges it, and commits table by table, or defers it while the storage is away. */

import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "#domain/chain/entry.ts";
import type { DamagedFigures } from "#domain/history/damage.ts";
import { type Instant, yearOf } from "#domain/time/day.ts";
import type { LakeChange, LakeRecord } from "#ports.ts";
import { LakeDamaged } from "#store/delta/damage.ts";
import { isSealed, seal } from "#store/delta/log.ts";
import type { StorageAway } from "#store/delta/storage.ts";
import { checkpointIfDue, type Retention } from "#store/delta/upkeep.ts";
import { replaceText, syncPath } from "#store/disk/durable.ts";
import { withEngine } from "#store/parquet/engine.ts";
import type { Emit } from "#telemetry.ts";
import { type DailyTables, marksFor, ofFollowers, type State } from "./state.ts";
import { type Differs, writeChange } from "./write.ts";

/**
 * Moves every retrieval to at least a millisecond after the newest one of the lake: times of retrieval then show the
 * order of commits, also in copies. Collections run side by side and clocks can be wrong; both could put a new row
 * before one that a copy already has. No figure was retrieved before the instant that it describes. A publication
 * instant that is the time of the first sight moves with it.
 */
export function inCommitOrder(record: LakeRecord, change: LakeChange | null): LakeChange | null {
  if (change === null) return null;
  const earliest = newestRetrieval(record) + 1;
  return {
    ...change,
    accepted: change.accepted.map((row) => {
      const retrievedAt = Math.max(row.retrievedAt, row.observedAt, earliest);
      if (retrievedAt === row.retrievedAt) return row;
      const isFirstSeen = row.publishedAt === row.retrievedAt;
      return { ...row, retrievedAt, publishedAt: isFirstSeen ? retrievedAt : row.publishedAt };
    }),
    withdrawn: change.withdrawn.map((row) => ({
      ...row,
      retrievedAt: Math.max(row.retrievedAt, earliest),
    })),
  };
}

function newestRetrieval({ observations, superseded }: LakeRecord): Instant {
  let newest = Number.NEGATIVE_INFINITY;
  for (const retrievedAt of observations.retrievedAt) newest = Math.max(newest, retrievedAt);
  for (const { supersededAt } of superseded) newest = Math.max(newest, supersededAt);
  return newest;
}

interface Writing {
  readonly directory: string;
  readonly tables: DailyTables;
  readonly now: number;
  readonly retention: Retention;
}

/**
 * Writes files first, then commits the followers, then `daily`, which makes all of it visible at once. Rejects with
 * LakeDamaged when the change would be written beside damage.
 */
export async function commitChange(
  { directory, tables, now, retention }: Writing,
  state: State,
  change: LakeChange,
  record: LakeRecord,
  progress: ((written: number, total: number) => void) | undefined,
): Promise<State> {
  const differs: Differs = {
    held: heldDiffers(change, record),
    statements: statementsDiffer(change, record),
  };
  refuseDamaged(record.damaged, change, differs);
  const version = state.daily.version + 1;
  const { coverage, retrievals = record.retrievals } = change;
  const isNewDataset = change.accepted.length + change.withdrawn.length > 0 || differs.held;
  if (!isNewDataset && !differs.statements) {
    const marks = marksFor(version, now, { pins: null, coverage, retrievals });
    return { ...state, daily: await tables.daily.commit(state.daily, marks, "WRITE", now) };
  }
  return await withEngine(directory, async (connection) => {
    const written = await writeChange(connection, tables, state, change, differs, now, progress);
    const pins = await ofFollowers(async (name) =>
      written[name].length === 0
        ? state[name]
        : await tables[name].commit(state[name], written[name], "WRITE", now),
    );
    const actions = [
      ...written.daily,
      ...marksFor(version, now, { pins, coverage, retrievals, isNewDataset }),
    ];
    const daily = await tables.daily.commit(state.daily, actions, "WRITE", now);
    // The change is durable, and a later commit can make the checkpoint: a full disk is no reason to fail.
    for (const table of Object.values(tables))
      await checkpointIfDue(table, connection, retention).catch(() => {});
    return { ...pins, daily };
  });
}

export function isEmpty(change: LakeChange, record: LakeRecord): boolean {
  return (
    change.accepted.length === 0 &&
    change.withdrawn.length === 0 &&
    !heldDiffers(change, record) &&
    !statementsDiffer(change, record) &&
    (change.retrievals === undefined ||
      JSON.stringify(change.retrievals) === JSON.stringify(record.retrievals)) &&
    JSON.stringify(change.coverage) === JSON.stringify(record.coverage)
  );
}

/** Compares sets: the order of the list means nothing. */
function heldDiffers(change: LakeChange, record: LakeRecord): boolean {
  const canonical = (held: LakeChange["held"]) =>
    held
      .map((figure) => JSON.stringify(Object.entries(figure).sort(([a], [b]) => (a < b ? -1 : 1))))
      .sort()
      .join("\n");
  return change.held.length !== record.held.length || canonical(change.held) !== canonical(record.held);
}

/** Both lists are in the table's order. */
function statementsDiffer({ statements }: LakeChange, record: LakeRecord): boolean {
  if (statements === undefined || statements === record.statements) return false;
  return JSON.stringify(statements) !== JSON.stringify(record.statements);
}

/** Refuses a change with figures of a damaged year, or judged against one. */
function refuseDamaged(damaged: readonly DamagedFigures[], change: LakeChange, differs: Differs): void {
  for (const { table, path, source, year, sentence } of damaged) {
    const touches = [...change.accepted, ...change.withdrawn].some((figure) => {
      const of = yearOf(figure.date);
      return figure.source === source && year !== null && (of === year || of === year + 1);
    });
    // A list is written as a whole: the rows of the damaged file would be lost.
    if (touches || (table === "held" && differs.held) || (table === "statements" && differs.statements))
      throw new LakeDamaged(path, `${sentence.slice(path.length + 1)}, so nothing is written beside it`);
  }
}

/** Readers of the lake skip a name that begins with a dot. */
const DEFERRED_FILE = ".deferred-change.json";

/** A change with more figures is a history, which is collected again as a whole. */
const MOST_FIGURES = 20_000;

interface DeferredChange {
  /** The dataset version that the change was decided on, for the log. */
  readonly base: string;
  /** Digest of the record that it was decided on. The change is wrong for any other: it has whole lists of statements and retrievals. */
  readonly decidedOn: string;
  readonly change: LakeChange;
}

function digestOf({ version, coverage, retrievals, statements }: LakeRecord): string {
  const facts = [...coverage, ...retrievals, ...statements].map((fact) => JSON.stringify(fact));
  return sha256([version, ...facts.sort()].join("\n"));
}

/** Opens the one waiting change of a lake's directory. The caller is the one writer. */
export function openDeferred(directory: string, emit: Emit | undefined) {
  const path = join(directory, DEFERRED_FILE);
  return {
    isWaiting: (): boolean => existsSync(path),
    /** Returns null without a waiting change. An unreadable one is moved aside and logged. */
    read: (): DeferredChange | null => {
      if (!existsSync(path)) return null;
      const text = readFileSync(path, "utf8");
      if (isSealed(text)) return (JSON.parse(text) as { deferred: DeferredChange }).deferred;
      const aside = `${path}.damaged`;
      renameSync(path, aside);
      emit?.({ kind: "lake_damaged", detail: `${aside} is a change that waited, and cannot be read` });
      return null;
    },
    /** Resolves when the change is durable. A change without figures, or with a whole history, is not kept: it is collected again. */
    defer: async (record: LakeRecord, change: LakeChange, { what }: StorageAway): Promise<void> => {
      const figures = change.accepted.length + change.withdrawn.length;
      if (figures > MOST_FIGURES || (figures === 0 && !heldDiffers(change, record))) return;
      const waiting: DeferredChange = { base: record.version, decidedOn: digestOf(record), change };
      const content = JSON.stringify(waiting).slice(0, -1);
      await replaceText(path, seal(`{"deferred":${content},"sha256":"`));
      emit?.({ kind: "change_deferred", detail: `${figures} figures wait for the storage: ${what}` });
    },
    isOf: ({ decidedOn }: DeferredChange, record: LakeRecord): boolean => decidedOn === digestOf(record),
    /** Removes a change that was committed, or is obsolete because another machine has committed since. */
    end: ({ base }: DeferredChange, isObsolete: boolean): void => {
      if (isObsolete) {
        const detail = `it was decided on version ${base}, and another machine has committed since`;
        emit?.({ kind: "change_dropped", detail });
      }
      rmSync(path, { force: true });
      syncPath(directory);
    },
  };
}
