/** The actions of a Delta log that this program writes and reads: https://github.com/delta-io/delta/blob/master/PROTOCOL.md. */

/** A data file that belongs to the table from this commit on. */
export interface Add {
  /** Relative to the table's directory. */
  readonly path: string;
  readonly partitionValues: Readonly<Record<string, string>>;
  readonly size: number;
  /** Milliseconds. */
  readonly modificationTime: number;
  readonly dataChange: boolean;
  /** JSON: numRecords, minValues, maxValues, nullCount. */
  readonly stats: string;
  readonly tags: FileTags;
}

/** Facts without a field in the protocol. */
interface FileTags {
  /** Lower-case hex SHA-256 of the whole file. */
  readonly sha256: string;
}

/** A data file that left the table; it stays on disk for readers of older versions. */
export interface Remove {
  readonly path: string;
  /** Milliseconds. */
  readonly deletionTimestamp: number;
  readonly dataChange: boolean;
  readonly extendedFileMetadata: true;
  readonly partitionValues: Readonly<Record<string, string>>;
  readonly size: number;
  readonly stats: string;
  readonly tags: FileTags;
}

/** A number that an application stores in the table, in the commit of the data. */
export interface Txn {
  readonly appId: string;
  readonly version: number;
  /** Milliseconds. */
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

/** The numbers of `stats` that this program uses. */
export interface FileStats {
  readonly numRecords: number;
  readonly minValues: Readonly<Record<string, string | number>>;
  readonly maxValues: Readonly<Record<string, string | number>>;
  readonly nullCount: Readonly<Record<string, number>>;
}

export function statsOf({ stats }: Pick<Add, "stats">): FileStats {
  return JSON.parse(stats) as FileStats;
}

export function removalOf(add: Add, now: number): Action {
  const { path, partitionValues, size, stats, tags } = add;
  return {
    remove: {
      path,
      deletionTimestamp: now,
      dataChange: true,
      extendedFileMetadata: true,
      partitionValues,
      size,
      stats,
      tags,
    },
  };
}

export function restorationOf(remove: Remove, now: number): Action {
  const { path, partitionValues, size, stats, tags } = remove;
  return { add: { path, partitionValues, size, modificationTime: now, dataChange: true, stats, tags } };
}
