/** The port to storage that several machines share. The table's folder on the disk is then a copy; without storage it is the table. */

import { Failure } from "#domain/faults/errors.ts";
import type { Add } from "./snapshot.ts";

/** The storage does not answer, or refuses. Requests that need it are answered with `data_unavailable`. */
export class StorageAway extends Failure {
  readonly what: string;

  constructor(what: string) {
    super("data_unavailable", { reason: "a file of the lake is in storage that does not answer right now" });
    this.name = "StorageAway";
    this.what = what;
    this.message = `the lake's storage cannot be used: ${what}`;
  }
}

/** A collector's token, stored with its commits: a collector that another has replaced cannot commit any more. */
export interface FencingToken {
  /** Names the ledger that gave the epoch: epochs of two ledgers cannot be compared. */
  readonly ledger: string;
  /** The epoch of the lease, which rises with every new holder. */
  readonly epoch: number;
}

/** Returns the current token; null in a process that has never collected, such as a command. */
export type Fencing = () => FencingToken | null;

export type StoredFile = Pick<Add, "path" | "size" | "tags">;

/** One table in the storage. Every method rejects with StorageAway when the storage does not answer. */
export interface TableStorage {
  readonly fencing: Fencing;
  /** Makes data files of the copy durable in the storage. Readers see them when a commit names them. */
  upload(files: readonly StoredFile[]): Promise<void>;
  /** Puts a commit under its version. Rejects with CommitConflict when another writer's commit has it. */
  putCommit(version: number, text: string): Promise<void>;
  /** Resolves with false when another writer has made the checkpoint of this version. */
  putCheckpoint(version: number, files: CheckpointFiles): Promise<boolean>;
  /** Brings the Parquet checkpoints into the copy, and resolves with all names in the folder of the log. For verification only. */
  fetchLog(): Promise<readonly string[]>;
  /** Brings a data file into the copy; resolves with false when the storage has no such content. */
  fetch(file: StoredFile): Promise<boolean>;
  /** Notes a read: the files unused for longest leave the copy first. */
  used(file: StoredFile): void;
  /** Keeps these files of the table in the copy, until the next call. */
  pin(files: Iterable<StoredFile>): void;
  /** Removes data files that are not retained, except young ones: another writer may be about to commit them. */
  sweep(retained: ReadonlySet<string>): Promise<{ readonly files: number; readonly bytes: number }>;
  /** Removes log entries before a version, if the storage has the checkpoint of that version. */
  removeLogBefore(version: number): Promise<void>;
}

export interface CheckpointFiles {
  /** Path of the Parquet file, for other engines. */
  readonly parquet: string;
  /** Content of `_last_checkpoint`. */
  readonly pointer: string;
  readonly sidecar: string;
}

/** The signed history in the storage, in segments as `openSegments` names them. Segments are never removed or joined there. */
export interface HistoryStorage {
  /** Puts the segment that begins with a sequence. Rejects with CommitConflict when there is one, and with StorageAway. */
  put(first: number, text: string): Promise<void>;
  /** Returns one sentence when the storage lacks an entry of the copy, or has an unreadable segment; else null. */
  fault(): string | null;
  /** Returns true while the copy lacks segments: the next `follow` brings a part of a long history. */
  isBehind(): boolean;
}

export interface StorageState {
  /** Without credentials. */
  readonly address: string;
  /** The last answer of the storage in this process; null before the first. */
  readonly answeredAt: number | null;
  /** Null while it answers. */
  readonly fault: string | null;
}

/** Returns the storage without fencing, for commits that every process may make: accepted quotes that are still in its journal. */
export function unfenced(storage: LakeStorage | null): LakeStorage | null {
  if (storage === null) return null;
  return { ...storage, of: (table) => ({ ...storage.of(table), fencing: () => null }) };
}

export interface LakeStorage {
  of(table: string): TableStorage;
  readonly history: HistoryStorage;
  /** Brings new versions and history entries into the copy. Rejects with StorageAway, and with LakeDamaged for a damaged table there. */
  follow(): Promise<void>;
  /** Runs `follow` for a timer, one at a time. An outage or damage does not reject: `state` reports it. */
  look(): Promise<void>;
  state(): StorageState;
  close(): Promise<void>;
}
