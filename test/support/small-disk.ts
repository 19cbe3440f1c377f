/** A disk that is easily full: a small tmpfs, where the tests may mount one. */

import { statfsSync, writeFileSync } from "node:fs";
import { atEnd } from "./at-end.ts";
import { saySkipped } from "./require-tool.ts";
import { temporaryDirectory } from "./temporary.ts";

export type SmallDisk = ReturnType<typeof smallDisk>;

/** Gone when the test file is done. Without the right to mount it says that `what` is skipped. */
export function smallDisk(what: string, bytes: number) {
  const path = temporaryDirectory();
  const isMounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", path], {
    stderr: "ignore",
  }).success;
  if (!isMounted) saySkipped(`${what} needs the right to mount a tmpfs`);
  atEnd(() => {
    if (isMounted) Bun.spawnSync(["umount", "--lazy", path]);
  });
  return {
    /** Where it is; an ordinary directory when it could not be mounted. */
    path,
    isMounted,
    /** Writes a new file of zeros on it that leaves so many bytes. */
    fill(file: string, bytesLeft: number) {
      const { bavail, bsize } = statfsSync(path);
      writeFileSync(file, new Uint8Array(Math.max(0, bavail * bsize - bytesLeft)));
    },
    /** Refuses whatever would change it from now on, as a disk that the system mounts read-only; only files that are open can be written. */
    makeReadOnly() {
      Bun.spawnSync(["mount", "--bind", path, path]);
      Bun.spawnSync(["mount", "-o", "remount,ro,bind", path]);
      atEnd(() => void Bun.spawnSync(["umount", "--lazy", path]));
    },
  };
}
