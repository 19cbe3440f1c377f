/** The local copy of a lake's data files, bounded in bytes: files that were unused for longest leave it first. */

import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { dataFilesOf } from "#store/delta/table.ts";

export interface CopyOptions {
  readonly directory: string;
  readonly tables: readonly string[];
  /** The most bytes of data files; exceeded only while all of them are needed. */
  readonly budget: number;
  /** Milliseconds that a used file stays, because it is about to be read. */
  readonly readMilliseconds?: number | undefined;
  /** A monotonic clock, in milliseconds. */
  readonly clock?: () => number;
}

const READ_MILLISECONDS = 600_000;

const BROKEN_OFF_MILLISECONDS = 3_600_000;

interface Kept {
  readonly bytes: number;
  usedAt: number;
}

export type Copy = ReturnType<typeof openCopy>;

/** Opens the copy with the files that it has, and removes downloads that broke off. Paths are absolute. */
export function openCopy({
  directory,
  tables,
  budget,
  readMilliseconds = READ_MILLISECONDS,
  clock = performance.now.bind(performance),
}: CopyOptions) {
  const files = new Map<string, Kept>();
  let total = 0;
  /** By table: the files that must stay to serve the lake without its storage. */
  const pinned = new Map<string, ReadonlySet<string>>();
  const began = Date.now();

  const note = (path: string, usedAt: number, bytes = sizeOf(path)): void => {
    const file = files.get(path);
    if (file !== undefined) {
      file.usedAt = usedAt;
      return;
    }
    if (bytes === null) return;
    files.set(path, { bytes, usedAt });
    total += bytes;
  };
  const drop = (path: string): void => {
    total -= files.get(path)?.bytes ?? 0;
    files.delete(path);
  };
  const makeRoomFor = (needed: string): void => {
    if (total <= budget) return;
    const isPinned = (path: string) => [...pinned.values()].some((paths) => paths.has(path));
    const now = clock();
    const oldest = [...files].sort(([, a], [, b]) => a.usedAt - b.usedAt);
    for (const [path, { usedAt }] of oldest) {
      if (total <= budget || now - usedAt < readMilliseconds) return;
      if (path === needed || isPinned(path)) continue;
      rmSync(path, { force: true });
      drop(path);
    }
  };

  for (const table of tables) {
    removeBrokenOff(join(directory, table), began);
    for (const path of dataFilesOf(join(directory, table))) {
      const { mtimeMs } = statSync(path);
      note(path, clock() - readMilliseconds - Math.max(0, began - mtimeMs));
    }
  }

  return {
    /** Notes a read of a file. The storage must have the file, because the copy may remove it later. */
    used: (path: string): void => {
      note(path, clock());
      makeRoomFor(path);
    },
    drop,
    pin: (table: string, paths: ReadonlySet<string>): void => {
      pinned.set(table, paths);
    },
    bytes: () => total,
  };
}

/** Removes downloads of processes that died. Those of a living process are younger. */
function removeBrokenOff(folder: string, now: number): void {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/^\.[0-9a-f-]{36}\.tmp$/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    if (now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) > BROKEN_OFF_MILLISECONDS)
      rmSync(path, { force: true });
  }
}

function sizeOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.size ?? null;
}
