/** Damage: a data file that does not match its log. Crashes cause no damage; disks, people and other programs do. */

import { existsSync, readFileSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "#domain/faults/errors.ts";
import { inSeveral } from "#domain/queues/fair-queue.ts";
import { type DataFile, statsOf } from "./snapshot.ts";
import type { TableStorage } from "./storage.ts";

type DamageKind = "missing" | "cut" | "changed" | "unreadable";

export interface DamagedFile {
  readonly table: string;
  /** Relative to the table's directory. */
  readonly path: string;
  readonly partitionValues: Readonly<Record<string, string>>;
  readonly kind: DamageKind;
  /** Its rows according to the log. */
  readonly rows: number;
}

/** Files of the log are damaged, or data files that an operation needs. */
export class LakeDamaged extends Error {
  readonly path: string;
  readonly what: string;

  constructor(path: string, what: string) {
    super(`${path} ${what}; crossrate verify lists all damage, crossrate repair says how to go on`);
    this.path = path;
    this.what = `${path} ${what}`;
    this.name = "LakeDamaged";
  }
}

const UNREADABLE = "cannot be read from the disk";

/** Returns LakeDamaged when the disk cannot give the bytes of a file. Any other fault, such as a missing permission, is no damage. */
export function readFault(path: string, fault: unknown): unknown {
  const isUnreadable = /^(EIO|EBADMSG|EUCLEAN)$/.test(String((fault as NodeJS.ErrnoException).code));
  return isUnreadable ? new LakeDamaged(path, UNREADABLE) : fault;
}

/** Returns what `read` returns; null when it meets damage, which `note` gets. */
export function unlessDamaged<T>(read: () => T, note: (fault: LakeDamaged) => void = () => {}): T | null {
  try {
    return read();
  } catch (fault) {
    if (!(fault instanceof LakeDamaged)) throw fault;
    note(fault);
    return null;
  }
}

/** Turns LakeDamaged of `work` into `data_unavailable`, which has no paths: only the operator can repair the damage. */
export async function asFailure<T>(reason: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (fault) {
    if (!(fault instanceof LakeDamaged)) throw fault;
    throw new Failure("data_unavailable", { reason }, fault);
  }
}

export function sentenceOf({ table, path, kind, rows }: DamagedFile): string {
  const what = {
    missing: "is missing",
    cut: "does not have its length",
    changed: "does not have its content",
    unreadable: UNREADABLE,
  };
  return `${table}/${path} ${what[kind]} (the log says ${rows} rows)`;
}

/** Hashing in pieces lets other work run between them. */
const PIECE_BYTES = 512 * 1024;

const AT_ONCE = 8;

/**
 * Remembers intact files in this process by inode, size and modification time. With storage, a missing or wrong file of
 * the copy is fetched; it is damaged only when the storage does not have it either.
 */
export function newVerifier(table: string, directory: string, storage: TableStorage | null = null) {
  const intact = new Map<string, string>();
  const damaged = new Map<string, DamagedFile>();
  /** Whether the file is as it was when it was found intact. A long export asks of thousands. */
  const isUnchanged = (add: DataFile): boolean => {
    const identity = identityOf(join(directory, add.path));
    if (identity === null || intact.get(add.path) !== identity.text) return false;
    storage?.used(add);
    damaged.delete(add.path);
    return true;
  };
  const kindOf = async (add: DataFile): Promise<DamageKind | null> => {
    const path = join(directory, add.path);
    const identity = identityOf(path);
    if (identity === null) return "missing";
    if (identity.size !== add.size) return "cut";
    const digest = await sha256Of(path).catch((fault: unknown) => {
      if (readFault(path, fault) === fault) throw fault;
      return null;
    });
    if (digest === null) return "unreadable";
    if (digest !== add.tags.sha256) return "changed";
    intact.set(add.path, identity.text);
    return null;
  };
  const isThere = ({ path }: DataFile) => existsSync(join(directory, path));
  /** Reads the file whole. */
  const verify = async (add: DataFile): Promise<DamagedFile | null> => {
    let kind = await kindOf(add);
    if (kind !== null && storage !== null && (await storage.fetch(add))) kind = await kindOf(add);
    if (kind === null) {
      storage?.used(add);
      damaged.delete(add.path);
      return null;
    }
    intact.delete(add.path);
    const { numRecords: rows } = statsOf(add);
    const damage = { table, path: add.path, partitionValues: add.partitionValues, kind, rows };
    damaged.set(add.path, damage);
    return damage;
  };
  const verifyAll = async (adds: Iterable<DataFile>): Promise<readonly DamagedFile[]> => {
    const files = await inSeveral([...adds], storage === null ? 1 : AT_ONCE, verify);
    return files.filter((damage) => damage !== null);
  };
  const changedIn = (adds: Iterable<DataFile>) => [...adds].filter((add) => !isUnchanged(add));
  return {
    /** Resolves with null when the file matches the log. Reads it whole unless it was intact before and has not changed. */
    check: async (add: DataFile) => (isUnchanged(add) ? null : await verify(add)),
    checkAll: (adds: Iterable<DataFile>) => verifyAll(changedIn(adds)),
    /** Reads each file again, although it seems unchanged. Checks only the present files of a copy. */
    audit: (adds: Iterable<DataFile>) => verifyAll(storage === null ? adds : [...adds].filter(isThere)),
    require: async (adds: Iterable<DataFile>): Promise<void> => {
      const [damage] = await verifyAll(changedIn(adds));
      if (damage === undefined) return;
      const what = sentenceOf(damage).slice(`${table}/${damage.path} `.length);
      throw new LakeDamaged(join(directory, damage.path), what);
    },
    forget: (path: string): void => {
      intact.delete(path);
      damaged.delete(path);
    },
    /** Returns the files that were damaged when they were last checked. */
    damagedFiles: (): readonly DamagedFile[] => [...damaged.values()],
    /** Accepts a file that this process wrote and hashed itself. */
    trust: (path: string): void => {
      const identity = identityOf(join(directory, path));
      if (identity !== null) intact.set(path, identity.text);
    },
  };
}

function identityOf(path: string): { readonly text: string; readonly size: number } | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile()) return null;
  return { text: `${stats.ino} ${stats.size} ${stats.mtimeNs}`, size: Number(stats.size) };
}

/** Resolves with lower-case hex. */
export async function sha256Of(path: string): Promise<string> {
  // A start reads some sixty small files: threads would take twice as long.
  if (statSync(path).size <= PIECE_BYTES)
    return new Bun.CryptoHasher("sha256").update(readFileSync(path)).digest("hex");
  const handle = await open(path, "r");
  try {
    const hash = new Bun.CryptoHasher("sha256");
    const { size } = await handle.stat();
    const buffer = new Uint8Array(Math.min(PIECE_BYTES, Math.max(1, size)));
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length);
      if (bytesRead === 0) return hash.digest("hex");
      hash.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}
