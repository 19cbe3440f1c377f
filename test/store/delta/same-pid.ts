/** A thread that puts files into a folder, each unless it is there, and says which of them it made. Threads have one process id, like the first processes of two containers. */

import { join } from "node:path";
import { putIfAbsent } from "#store/delta/log.ts";

declare const self: Worker;

self.onmessage = ({ data: { folder, name, files } }) => {
  const made: number[] = [];
  const faults: string[] = [];
  for (let nth = 0; nth < files; nth++) {
    try {
      putIfAbsent(join(folder, String(nth)), `${name} `.repeat(1000));
      made.push(nth);
    } catch (fault) {
      if ((fault as Error).name !== "CommitConflict") faults.push(String(fault));
    }
  }
  self.postMessage({ name, made, faults });
};
