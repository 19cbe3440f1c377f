/** One version of a table: the actions of the Delta protocol (https://github.com/delta-io/delta/blob/master/PROTOCOL.md), and the state after all commits up to it. Pure. */

export interface DataFile {
  /** Relative to the table's directory. */
  readonly path: string;
  readonly partitionValues: Readonly<Record<string, string>>;
  readonly size: number;
  readonly dataChange: boolean;
  /** JSON: numRecords, minValues, maxValues, nullCount. */
  readonly stats: string;
  /** Facts without a field in the protocol: lower-case hex SHA-256 of the whole file; for a copy, what it was copied from. */
  readonly tags: { readonly sha256: string; readonly origin?: string };
}

/** A data file that belongs to the table from this commit on. Instants are milliseconds. */
export interface Add extends DataFile {
  readonly modificationTime: number;
}

/** A data file that left the table; it stays on disk for readers of older versions. */
export interface Remove extends DataFile {
  readonly deletionTimestamp: number;
  readonly extendedFileMetadata: true;
}

/** A number that an application stores in the table, in the commit of the data. */
export interface Txn {
  readonly appId: string;
  readonly version: number;
  readonly lastUpdated: number;
}

export interface Protocol {
  readonly minReaderVersion: number;
  readonly minWriterVersion: number;
}

export interface MetaData {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly format: { readonly provider: "parquet"; readonly options: Readonly<Record<string, string>> };
  readonly schemaString: string;
  readonly partitionColumns: readonly string[];
  readonly configuration: Readonly<Record<string, string>>;
  readonly createdTime: number;
}

export type Action =
  | { readonly add: Add }
  | { readonly remove: Remove }
  | { readonly txn: Txn }
  | { readonly protocol: Protocol }
  | { readonly metaData: MetaData };

export interface FileStats {
  readonly numRecords: number;
  readonly minValues: Readonly<Record<string, string | number>>;
  readonly maxValues: Readonly<Record<string, string | number>>;
  readonly nullCount: Readonly<Record<string, number>>;
}

export function statsOf({ stats }: Pick<Add, "stats">): FileStats {
  return JSON.parse(stats) as FileStats;
}

export function removalOf({ modificationTime: _, ...file }: Add, now: number): Action {
  return { remove: { ...file, deletionTimestamp: now, dataChange: true, extendedFileMetadata: true } };
}

export function restorationOf(remove: Remove, now: number): Action {
  const { deletionTimestamp: _, extendedFileMetadata: __, ...file } = remove;
  return { add: { ...file, modificationTime: now, dataChange: true } };
}

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
 * Returns the state after a commit; `before` is null for the first one, or for a checkpoint, which have protocol and schema. Forgets
 * files that were removed at `removedAfter` or earlier.
 */
export function apply(
  before: Snapshot | null,
  { version, timestamp, actions }: Commit,
  removedAfter = Number.NEGATIVE_INFINITY,
): Snapshot {
  let protocol = before?.protocol as Protocol;
  let metaData = before?.metaData as MetaData;
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
  return { version, timestamp, protocol, metaData, files, removed, txns };
}

/** Returns the actions that make a snapshot, with the files that were removed after an instant. */
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
