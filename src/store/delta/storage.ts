/** The port to storage that several machines share. The table's folder on the disk is then a copy; without storage it is the table. */

import { Failure } from "#domain/faults/errors.ts";
import type { Fencing } from "#ports/fencing.ts";
import type { Add } from "./actions.ts";

/** The storage does not answer, or refuses. Requests that need it are answered with `data_unavailable`. */
export class StorageAway extends Failure {
  /** For operators: which request, and its fault. */
  readonly what: string;

  constructor(what: string) {
    super("data_unavailable", { reason: "a file of the lake is in storage that does not answer right now" });
    this.name = "StorageAway";
    this.what = what;
    this.message = `the lake's storage does not answer: ${what}`;
  }
}

/** A data file by what the log says of it. */
export type StoredFile = Pick<Add, "path" | "size" | "tags">;

/** One table in the storage. Every method rejects with StorageAway when the storage does not answer. */
export interface TableStorage {
  /** The token that commits of this process carry. */
  readonly fencing: Fencing;
  /** Makes data files of the copy durable in the storage. No reader sees them before a commit names them. */
  upload(files: readonly StoredFile[]): Promise<void>;
  /** Puts a commit under its version, unless there is one. Rejects with CommitConflict when it is another writer's. */
  putCommit(version: number, text: string): Promise<void>;
  /** Resolves with false when another writer has made the checkpoint of this version. */
  putCheckpoint(version: number, files: CheckpointFiles): Promise<boolean>;
  /** Brings the Parquet file of a checkpoint into the copy, for verification: nothing else reads it there. */
  fetchCheckpoint(version: number): Promise<void>;
  /** Brings a data file into the copy; resolves with false when the storage has no such content. */
  fetch(file: StoredFile): Promise<boolean>;
  /** To be called for files that are read: those unused for longest leave the copy first. */
  used(file: StoredFile): void;
  /** These files of the table never leave the copy, until others are named. */
  pin(files: Iterable<StoredFile>): void;
  /** Removes data files that are not retained, except young ones: another writer may be about to commit them. */
  sweep(retained: ReadonlySet<string>): Promise<{ readonly files: number; readonly bytes: number }>;
  /** Removes log entries before a version, if the storage has the checkpoint of that version. */
  removeLogBefore(version: number): Promise<void>;
}

export interface CheckpointFiles {
  /** Path of the Parquet file, which other engines read. */
  readonly parquet: string;
  /** Content of `_last_checkpoint`. */
  readonly pointer: string;
  /** The sealed lines that this program reads. */
  readonly sidecar: string;
}

/** The signed history in the storage, in segments as `openSegments` names them. None is ever removed or joined there. */
export interface HistoryStorage {
  /** Puts the segment that begins with a sequence. Rejects with CommitConflict where there is one, and with StorageAway. */
  put(first: number, text: string): Promise<void>;
  /** One sentence while the storage does not have what the copy has, or has a segment that cannot be read; else null. */
  fault(): string | null;
  /** Whether the copy lacks segments that the next `follow` brings: a long history comes in parts. */
  isBehind(): boolean;
}

/** How the storage is reached, for `/status`. */
export interface StorageState {
  /** Without credentials. */
  readonly address: string;
  /** When the storage last answered; null when it never did in this process. */
  readonly answeredAt: number | null;
  /** Null while it answers. */
  readonly fault: string | null;
}

/** The storage for what any process may commit, collecting or not: quotes that it accepted and still has in its journal. */
export function unfenced(storage: LakeStorage | null): LakeStorage | null {
  if (storage === null) return null;
  return { ...storage, of: (table) => ({ ...storage.of(table), fencing: () => null }) };
}

/** The storage of a lake. */
export interface LakeStorage {
  /** The table of this name. */
  of(table: string): TableStorage;
  readonly history: HistoryStorage;
  /**
   * Brings new versions of all tables, and their entries in the signed history, into the copy. Rejects with StorageAway, and with
   * LakeDamaged for damage of a table there.
   */
  follow(): Promise<void>;
  /** The same for a timer: one at a time, and neither an outage nor damage in the storage is a rejection: `state` has it. */
  look(): Promise<void>;
  state(): StorageState;
  close(): Promise<void>;
}
