/** Where exports lie while they are made and kept: a folder of this process, cleared of what dead processes left behind. */

import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Folders of this process. */
const made = new Set<string>();

/** Makes the folder; the returned path is this process's own. Nothing in it outlives the process for long. */
export function openExportFolder(parent: string): string {
  mkdirSync(parent, { recursive: true });
  clearLeftExports(parent);
  const own = join(parent, `${process.pid}-${crypto.randomUUID().slice(0, 8)}`);
  mkdirSync(own);
  made.add(own);
  return own;
}

/** Removes the files of processes that are dead. A folder that is not there yet holds none. */
export function clearLeftExports(parent: string): void {
  if (!existsSync(parent)) return;
  for (const name of readdirSync(parent)) {
    const pid = /^(\d+)-\w+$/.exec(name)?.[1];
    if (pid === undefined) continue;
    const path = join(parent, name);
    // In a container every process has the same number: what this one has not made itself is of an earlier one.
    const isLeft = Number(pid) === process.pid ? !made.has(path) : !isAlive(Number(pid));
    if (isLeft) rmSync(path, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (fault) {
    // Somebody else's process lives, too.
    return (fault as NodeJS.ErrnoException).code === "EPERM";
  }
}
