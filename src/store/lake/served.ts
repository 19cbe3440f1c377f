/** Private names for versions of large files, so that a server can open one by name although it is replaced meanwhile. */

import { existsSync, linkSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

export interface ServedVersions {
  /**
   * A name for the version that a path leads to now: good for that version alone, for a minute at the least after it is
   * replaced. Null where the file system has no hard links. Throws ENOENT when there is no file.
   */
  nameOf(path: string): string | null;
}

/** From being told a name to opening the file under it takes milliseconds. */
const KEPT_MILLISECONDS = 60_000;

/** Names lie in `folder`, on the file system of the files; several processes may share it, and none has to clear up at its end. */
export function openServedVersions(folder: string, now: () => number = Date.now): ServedVersions {
  removeReplaced(folder, now());
  return {
    nameOf(path) {
      const known = join(folder, identityOf(path));
      if (existsSync(known)) return known;
      removeReplaced(folder, now());
      const linked = join(folder, `.${crypto.randomUUID()}`);
      try {
        mkdirSync(folder, { recursive: true });
        linkSync(path, linked);
      } catch (fault) {
        if ((fault as NodeJS.ErrnoException).code === "ENOENT") throw fault;
        return null;
      }
      // Only now is it certain which version this is: the path may have come to lead to the next one.
      const name = join(folder, identityOf(linked));
      renameSync(linked, name);
      // Where another process was faster both names are of one file, and renaming then leaves both.
      rmSync(linked, { force: true });
      return name;
    },
  };
}

/** Files are replaced, never edited, and a name keeps the number from being used again. */
function identityOf(path: string): string {
  const { ino, size, mtimeNs } = statSync(path, { bigint: true });
  return `${ino}-${size}-${mtimeNs}`;
}

/**
 * A version in place has a name there too, and costs nothing. One that has this name alone was replaced, at its last
 * change of status.
 */
function removeReplaced(folder: string, now: number): void {
  if (!existsSync(folder)) return;
  const since = now - KEPT_MILLISECONDS;
  for (const name of readdirSync(folder)) {
    const found = statSync(join(folder, name), { throwIfNoEntry: false });
    if (found === undefined || found.ctimeMs > since) continue;
    if (found.nlink === 1 || name.startsWith(".")) rmSync(join(folder, name), { force: true });
  }
}
