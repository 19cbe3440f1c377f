/** Commits a change of the lake: orders it, judges it, and commits table by table. */

import type { DamagedFigures } from "#domain/history/damage.ts";
import { type Instant, yearOf } from "#domain/time/day.ts";
import type { LakeChange, LakeRecord } from "#ports.ts";
import { LakeDamaged } from "#store/delta/damage.ts";
import { checkpointIfDue, type Retention } from "#store/delta/upkeep.ts";
import { withEngine } from "#store/parquet/engine.ts";
import { type DailyTables, marksFor, ofFollowers, type State } from "./state.ts";
import { type Differs, writeChange } from "./write.ts";

/**
 * Moves every retrieval to at least a millisecond after the newest one of the lake: times of retrieval then show the order of
 * commits, also in copies. Collections run side by side and clocks can be wrong; both could put a new row before one that a copy
 * already has. Nor may a figure's retrieval be before the instant that the figure describes. A publication instant that only says
 * when the figure was first seen moves with the retrieval.
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
    const written = await writeChange(connection, tables, state, change, differs, now);
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
