/** One consistent state of the daily tables: a commit of `daily` names the matching versions of the others. */

import { join } from "node:path";
import type { Retrieval } from "#domain/acceptance/statements.ts";
import { DAILY_SOURCES } from "#domain/currency/source.ts";
import type { DamagedFigures } from "#domain/history/damage.ts";
import type { Coverage } from "#domain/intake/reading.ts";
import { isCurrent } from "#store/delta/current.ts";
import { LakeDamaged } from "#store/delta/damage.ts";
import { digitsOf } from "#store/delta/log.ts";
import type { Mode, TableDefinition } from "#store/delta/schema.ts";
import { type Action, type Add, removalOf, restorationOf, type Snapshot } from "#store/delta/snapshot.ts";
import type { LakeStorage } from "#store/delta/storage.ts";
import { dataFilesOf, openTable, type Table } from "#store/delta/table.ts";
import { DAILY, HELD, REVISIONS, STATEMENTS } from "./tables.ts";

const FOLLOWERS = ["revisions", "held", "statements"] as const;
/** Tables are brought up to date in this order. Revisions come first: a corrected value is then always in one of the tables. */
export const TABLE_NAMES = [...FOLLOWERS, "daily"] as const;
type Follower = (typeof FOLLOWERS)[number];
export type TableName = Follower | "daily";
export type DailyTables = Readonly<Record<TableName, Table>>;
export type State = Readonly<Record<TableName, Snapshot>>;

export async function ofFollowers<T>(work: (name: Follower) => Promise<T>): Promise<Record<Follower, T>> {
  return {
    revisions: await work("revisions"),
    held: await work("held"),
    statements: await work("statements"),
  };
}

const DATASET = "crossrate/dataset";
const pinOf = (table: Follower) => `crossrate/${table}`;
const coverageOf = (source: string) => `crossrate/coverage/${source}`;
const RETRIEVALS = "crossrate/read/";
const retrievalKey = ({ source, route }: Retrieval) => `${RETRIEVALS}${source}/${route}`;
const newestKey = ({ source, route }: Pick<Retrieval, "source" | "route">) =>
  `crossrate/newest/${source}/${route}`;

export function openDailyTables(
  directory: string,
  mode: Mode,
  keptMilliseconds?: number,
  storage: LakeStorage | null = null,
): DailyTables {
  const open = (definition: TableDefinition) =>
    openTable(directory, definition, mode, keptMilliseconds, storage);
  return { daily: open(DAILY), revisions: open(REVISIONS), held: open(HELD), statements: open(STATEMENTS) };
}

/** Returns the newest state, or null before the first commit. Throws LakeDamaged when a log is damaged or missing. */
export function newestState(tables: DailyTables): State | null {
  const daily = tables.daily.latest();
  if (daily !== null) return stateOf(tables, daily);
  // The log of `daily` is made last, but before any data file: data files without this log mean that the log was lost.
  for (const { definition, directory } of Object.values(tables)) {
    if (dataFilesOf(directory).length > 0)
      throw new LakeDamaged(
        tables.daily.log.folder,
        `is missing, although there is data in ${definition.name}`,
      );
  }
  return null;
}

/** Returns the state of an older version of `daily`; null when a version that it names was cleaned up meanwhile. */
export function olderState(tables: DailyTables, daily: Snapshot): State | null {
  const isKept = FOLLOWERS.every((name) => tables[name].at(pinned(daily, name)) !== null);
  return isKept ? stateOf(tables, daily) : null;
}

function pinned(daily: Snapshot, name: Follower): number {
  return daily.txns.get(pinOf(name))?.version ?? -1;
}

/** Returns the state of a version of `daily`. Throws LakeDamaged when a version that it names is missing. */
function stateOf(tables: DailyTables, daily: Snapshot): State {
  const follower = (name: Follower): Snapshot => {
    const version = pinned(daily, name);
    tables[name].latest();
    const snapshot = tables[name].at(version);
    if (snapshot === null)
      throw new LakeDamaged(
        join(tables[name].log.folder, `${digitsOf(version)}.json`),
        `is missing: version ${daily.version} of daily belongs to it`,
      );
    return snapshot;
  };
  return {
    daily,
    revisions: follower("revisions"),
    held: follower("held"),
    statements: follower("statements"),
  };
}

/** Makes the dataset's `version`: the table's version at the last change of data, and its instant. It is never reused. */
export function datasetVersion({ daily }: Pick<State, "daily">): string {
  const { version, lastUpdated } = daily.txns.get(DATASET) ?? { version: 0, lastUpdated: 0 };
  return `${version}-${lastUpdated.toString(36)}`;
}

/** Returns a key of all that a state's record holds: statements change without a new version of the dataset. */
export function recordKey(state: State): string {
  return `${datasetVersion(state)} ${state.statements.version}`;
}

export function tableVersionOf(version: string): number | null {
  const digits = /^(\d{1,15})-[0-9a-z]+$/.exec(version)?.[1];
  return digits === undefined ? null : Number(digits);
}

export function coverageIn({ daily }: State): readonly Coverage[] {
  return DAILY_SOURCES.flatMap((source) => {
    const txn = daily.txns.get(coverageOf(source));
    return txn === undefined ? [] : [{ source, coveredThrough: txn.version, retrievedAt: txn.lastUpdated }];
  });
}

export function retrievalsIn({ daily }: State): readonly Retrieval[] {
  const retrievals: Retrieval[] = [];
  for (const source of DAILY_SOURCES) {
    const prefix = `${RETRIEVALS}${source}/`;
    for (const [id, { version: from, lastUpdated: at }] of daily.txns) {
      if (!id.startsWith(prefix)) continue;
      const route = id.slice(prefix.length);
      const newest = daily.txns.get(newestKey({ source, route }));
      retrievals.push({
        source,
        route,
        from,
        at: at ?? 0,
        newest: newest?.version ?? null,
        modifiedAt: newest?.lastUpdated || null,
      });
    }
  }
  return retrievals;
}

const REPAIRED = "crossrate/repaired/";

/** A year of a source. */
export interface SourceYear {
  readonly source: string;
  readonly year: string;
}

/** Returns the years that a repair has taken figures out of, for sources whose history has not been collected again since. */
export function repairedIn(state: State): readonly DamagedFigures[] {
  const lacking = coverageIn(state).filter(({ coveredThrough }) => coveredThrough === 0);
  return lacking.flatMap(({ source }) => {
    const prefix = `${REPAIRED}${source}/`;
    const years = [...state.daily.txns.keys()].filter((id) => id.startsWith(prefix));
    return years.map((id) => {
      const year = Number(id.slice(prefix.length));
      const path = `daily/source=${source}/year=${year}`;
      const sentence = `${path} was repaired, and its figures are not back yet: repeat crossrate backfill`;
      return { table: "daily" as const, path, sentence, source, year };
    });
  });
}

/** Returns the actions of `daily` that record a commit's coverage, retrievals and pins. */
export function marksFor(
  version: number,
  now: number,
  marks: {
    /** The versions of the other tables, when one of them changed. */
    readonly pins: Pick<State, Follower> | null;
    /** False when only statements changed, which no answer contains; true by default. */
    readonly isNewDataset?: boolean;
    readonly coverage: readonly Coverage[];
    readonly retrievals?: readonly Retrieval[];
    readonly repaired?: readonly SourceYear[];
  },
): Action[] {
  const txn = (appId: string, version: number, lastUpdated: number): Action => ({
    txn: { appId, version, lastUpdated },
  });
  const { pins, coverage, retrievals = [], repaired = [], isNewDataset = pins !== null } = marks;
  return [
    ...(pins === null ? [] : pinsOf(pins, now)),
    ...(isNewDataset ? [txn(DATASET, version, now)] : []),
    ...coverage.map(({ source, coveredThrough, retrievedAt }) =>
      txn(coverageOf(source), coveredThrough, retrievedAt),
    ),
    ...repaired.map(({ source, year }) => txn(`${REPAIRED}${source}/${year}`, 1, now)),
    ...retrievals.map((look) => txn(retrievalKey(look), look.from, look.at)),
    ...retrievals.flatMap((look) =>
      look.newest === null ? [] : [txn(newestKey(look), look.newest, look.modifiedAt ?? 0)],
    ),
  ];
}

function pinsOf(state: Pick<State, Follower>, now: number): Action[] {
  return FOLLOWERS.map((name) => ({
    txn: { appId: pinOf(name), version: state[name].version, lastUpdated: now },
  }));
}

/** Makes the tables of an empty lake, or completes those that a dead writer had begun. The caller is the one writer. */
export async function createTables(tables: DailyTables, now: number): Promise<State> {
  const pins = await ofFollowers((name) => tables[name].ensure(now));
  const marks = marksFor(0, now, { pins, coverage: [] });
  return { ...pins, daily: await tables.daily.commit(null, marks, "CREATE TABLE", now) };
}

/** Returns false when a dead writer left something to complete. */
export function isSettled(directory: string, tables: DailyTables, state: State): boolean {
  return TABLE_NAMES.every(
    (name) =>
      tables[name].latest()?.version === state[name].version &&
      isCurrent(directory, tables[name], state[name]),
  );
}

/** Takes tables that a dead writer left ahead back to what `daily` names. Resolves with the state, then the newest of all tables. */
export async function settle(tables: DailyTables, state: State, now: number): Promise<State> {
  let settled = state;
  for (const name of FOLLOWERS) {
    const newest = tables[name].latest();
    if (newest === null || newest.version === state[name].version) continue;
    const restored = await tables[name].commit(newest, difference(newest, state[name], now), "RESTORE", now);
    settled = { ...settled, [name]: restored };
  }
  if (settled === state) return state;
  // The content is the same: the dataset's version stays, only the versions of the other tables move.
  return { ...settled, daily: await tables.daily.commit(state.daily, pinsOf(settled, now), "RESTORE", now) };
}

/** Returns the actions that turn the files of one version into another's. */
function difference(from: Snapshot, to: Snapshot, now: number): Action[] {
  const gone = [...from.files.values()].filter(({ path }) => !to.files.has(path));
  const missing = [...to.files.values()].filter(({ path }) => !from.files.has(path));
  return [
    ...gone.map((add: Add) => removalOf(add, now)),
    ...missing.map((add: Add) => {
      const removed = from.removed.get(add.path);
      return removed === undefined ? { add } : restorationOf(removed, now);
    }),
  ];
}
