/** One version of a table: the state of its log after all commits up to it. Pure. */

import type { Action, Add, MetaData, Protocol, Remove, Txn } from "./actions.ts";

export interface Snapshot {
  readonly version: number;
  /** The instant of this version's commit, in milliseconds. */
  readonly timestamp: number;
  readonly protocol: Protocol;
  readonly metaData: MetaData;
  readonly files: ReadonlyMap<string, Add>;
  /** Files of older versions by path, while the log has them. */
  readonly removed: ReadonlyMap<string, Remove>;
  readonly txns: ReadonlyMap<string, Txn>;
}

export interface Commit {
  readonly version: number;
  readonly timestamp: number;
  readonly actions: readonly Action[];
}

/**
 * Returns the state after a commit; `before` is null for the first one, or for a checkpoint. Files removed up to an
 * instant are forgotten. Null when the table has no schema.
 */
export function apply(
  before: Snapshot | null,
  { version, timestamp, actions }: Commit,
  removedAfter = Number.NEGATIVE_INFINITY,
): Snapshot | null {
  let protocol = before?.protocol;
  let metaData = before?.metaData;
  const files = new Map(before?.files);
  const removed = new Map(before?.removed);
  const txns = new Map(before?.txns);
  for (const action of actions) {
    if ("add" in action) {
      files.set(action.add.path, action.add);
      removed.delete(action.add.path);
    } else if ("remove" in action) {
      files.delete(action.remove.path);
      removed.set(action.remove.path, action.remove);
    } else if ("txn" in action) txns.set(action.txn.appId, action.txn);
    else if ("protocol" in action) protocol = action.protocol;
    else if ("metaData" in action) metaData = action.metaData;
  }
  for (const [path, { deletionTimestamp }] of removed)
    if (deletionTimestamp <= removedAfter) removed.delete(path);
  if (protocol === undefined || metaData === undefined) return null;
  return { version, timestamp, protocol, metaData, files, removed, txns };
}

/** Returns the actions that make a snapshot; removed files only when removed after an instant. */
export function actionsOf(snapshot: Snapshot, removedAfter: number): readonly Action[] {
  const { protocol, metaData, files, removed, txns } = snapshot;
  return [
    { protocol },
    { metaData },
    ...[...txns.values()].map((txn) => ({ txn })),
    ...[...files.values()].map((add) => ({ add })),
    ...[...removed.values()]
      .filter(({ deletionTimestamp }) => deletionTimestamp > removedAfter)
      .map((remove) => ({ remove })),
  ];
}

export function filesOfPartition({ files }: Snapshot, partition: Add["partitionValues"]): readonly Add[] {
  const columns = Object.entries(partition);
  return [...files.values()].filter(({ partitionValues }) =>
    columns.every(([column, value]) => partitionValues[column] === value),
  );
}

/** Returns the files in the order of their paths, which is that of their partitions. */
export function filesOf({ files }: Snapshot): readonly Add[] {
  return [...files.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}
