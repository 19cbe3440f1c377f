/** What tests leave for all files of their process, and its end: setup.ts calls it after the last of them. */

let endings: (() => unknown)[] = [];

/** The test runner ends its process without notice: listeners of `process.on("exit")` are not called. */
export function atEnd(end: () => unknown): void {
  endings.push(end);
}

/** Latest first; every one is given its turn, and the first fault is thrown after that. */
export async function endAll(): Promise<void> {
  const last = endings.reverse();
  endings = [];
  const faults: unknown[] = [];
  for (const end of last) {
    try {
      await end();
    } catch (fault) {
      faults.push(fault);
    }
  }
  if (faults.length > 0) throw faults[0];
}
