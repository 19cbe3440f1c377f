/** Lists what this process holds open in the tests' temporary directories. */

import { readdirSync, readlinkSync } from "node:fs";
import { isTemporary } from "#test/support/temporary.ts";

/** Whether this process has a file open whose path ends so, in one of the directories of this file's tests. */
export function isOpenHere(end: string): boolean {
  return readdirSync("/proc/self/fd").some((descriptor) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${descriptor}`).replace(/ \(deleted\)$/, "");
      return path.endsWith(end) && isTemporary(path);
    } catch {
      return false;
    }
  });
}
