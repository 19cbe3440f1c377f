/** A change of the lake: put in the order of commits, judged, committed table by table, or waiting for the storage. */

import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { DamagedFigures } from "#domain/history/damage.ts";
import { type Instant, yearOf } from "#domain/time/day.ts";
import type { LakeChange, LakeRecord } from "#ports.ts";
import { LakeDamaged } from "#store/delta/damage.ts";
import { isSealed, seal } from "#store/delta/sealed.ts";
import type { StorageAway } from "#store/delta/storage.ts";
import { checkpointIfDue, type Retention } from "#store/delta/upkeep.ts";
import { replaceText, syncPath } from "#store/disk/durable.ts";
import { withEngine } from "#store/parquet/engine.ts";
import type { Emit } from "#telemetry.ts";
import { type DailyTables, marksFor, type State } from "./state.ts";
import { type Differs, writeChange } from "./write.ts";

/**
 * The change with every retrieval after all that the lake has: at least a millisecond later than its newest one. Times of
 * retrieval thus say which commit came first, to those who keep copies, too. Collections run side by side, and a clock can be
 * wrong: both would otherwise put a new row before one that a copy has already. Neither was any figure retrieved before the instant
 * that it describes. A publication instant that is the time at which a figure was first seen goes along.
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

/** The latest instant at which a row came or ended; -Infinity in a lake without rows. */
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
 * Files first; then the followers' commits, then the one of `daily`, which makes all of it visible at once. Rejects with LakeDamaged
 * where the change would be written beside damage.
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
    const commit = async <Name extends "revisions" | "held" | "statements">(name: Name) =>
      written[name].length === 0
        ? state[name]
        : await tables[name].commit(state[name], written[name], "WRITE", now);
    const pins = {
      revisions: await commit("revisions"),
      held: await commit("held"),
      statements: await commit("statements"),
    };
    const actions = [
      ...written.daily,
      ...marksFor(version, now, { pins, coverage, retrievals, isNewDataset }),
    ];
    const daily = await tables.daily.commit(state.daily, actions, "WRITE", now);
    // The change is durable, and a later commit makes the checkpoint as well: a disk without room is no reason to fail.
    for (const table of [tables.daily, tables.revisions, tables.held, tables.statements])
      await checkpointIfDue(table, connection, retention).catch(() => {});
    return { ...pins, daily };
  });
}

/** Whether a change would leave everything as it is. */
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

/** The list is a set: its order means nothing. */
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

/** A change is refused where its figures would go into, or were judged against, a year that is damaged. */
function refuseDamaged(damaged: readonly DamagedFigures[], change: LakeChange, differs: Differs): void {
  for (const { table, path, source, year, sentence } of damaged) {
    const touches = [...change.accepted, ...change.withdrawn].some((figure) => {
      const of = yearOf(figure.date);
      return figure.source === source && year !== null && (of === year || of === year + 1);
    });
    // A list is written as a whole, so what was in the damaged file would be gone.
    if (touches || (table === "held" && differs.held) || (table === "statements" && differs.statements))
      throw new LakeDamaged(path, `${sentence.slice(path.length + 1)}, so nothing is written beside it`);
  }
}

/** Begins with a dot: no reader of the lake takes it for data. */
const DEFERRED_FILE = ".deferred-change.json";

/** More figures are a history, which is collected again as a whole. */
const MOST_FIGURES = 20_000;

interface DeferredChange {
  /** Version of the dataset that it was decided on. Beside another one it would mean something else. */
  readonly base: string;
  readonly change: LakeChange;
}

/** The one change that waits, in a lake's directory. The caller is the one writer. */
export function openDeferred(directory: string, emit: Emit | undefined) {
  const path = join(directory, DEFERRED_FILE);
  return {
    isWaiting: (): boolean => existsSync(path),
    /** Null where nothing waits. What cannot be read is moved aside and logged. */
    read: (): DeferredChange | null => {
      if (!existsSync(path)) return null;
      const text = readFileSync(path, "utf8");
      if (isSealed(text)) return (JSON.parse(text) as { deferred: DeferredChange }).deferred;
      const aside = `${path}.damaged`;
      renameSync(path, aside);
      emit?.({ kind: "lake_damaged", detail: `${aside} is a change that waited, and cannot be read` });
      return null;
    },
    /** Durable when it resolves. What brings no figure, or a whole history, does not wait: it is collected again. */
    defer: async (record: LakeRecord, change: LakeChange, { what }: StorageAway): Promise<void> => {
      const figures = change.accepted.length + change.withdrawn.length;
      if (figures > MOST_FIGURES || (figures === 0 && !heldDiffers(change, record))) return;
      const content = JSON.stringify({ base: record.version, change }).slice(0, -1);
      await replaceText(path, seal(`{"deferred":${content},"sha256":"`));
      emit?.({ kind: "change_deferred", detail: `${figures} figures wait for the storage: ${what}` });
    },
    /** It is committed, or not needed any more: `current` is the version that it is not for. */
    end: ({ base }: DeferredChange, current: string): void => {
      if (current !== base) {
        const detail = `it was decided on version ${base}, and the lake is at ${current} already`;
        emit?.({ kind: "change_dropped", detail });
      }
      rmSync(path, { force: true });
      syncPath(directory);
    },
  };
}
